/** A check sum over numbers of four bytes, for files of our own: every change of one number changes it. */

export function checkSum(bytes: Buffer, from: number): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + from, (bytes.length - from) >> 2)
  const { length } = words
  let a = length | 0
  let b = 0x1b873593
  // Two of them, so that neither waits for the other.
  for (let at = 0; at + 1 < length; at += 2) {
    a = Math.imul(a ^ (words[at] as number), 0x01000193)
    b = Math.imul(b ^ (words[at + 1] as number), 0x27220a95)
    a = (a << 13) | (a >>> 19)
    b = (b << 7) | (b >>> 25)
  }
  if (length % 2 === 1) a = Math.imul(a ^ (words[length - 1] as number), 0x01000193)
  return (a ^ Math.imul(b, 0x9e3779b1)) >>> 0
}
