/** A check sum over numbers of four bytes, for files of our own: every change of one number changes it. */

export function checkSum(bytes: Buffer, from: number): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + from, (bytes.length - from) >> 2)
  const { length } = words
  let a = length | 0
  let b = 0x1b873593
  let c = 0x2545f491
  let d = 0x7feb352d
  const even = length & ~3
  // Four of them, so that none waits for another, and few rounds while the loop is not yet made fast.
  for (let at = 0; at < even; at += 4) {
    a = Math.imul(a ^ (words[at] as number), 0x01000193)
    b = Math.imul(b ^ (words[at + 1] as number), 0x27220a95)
    c = Math.imul(c ^ (words[at + 2] as number), 0x2c1b3c6d)
    d = Math.imul(d ^ (words[at + 3] as number), 0x297a2d39)
    a = (a << 13) | (a >>> 19)
    b = (b << 7) | (b >>> 25)
    c = (c << 11) | (c >>> 21)
    d = (d << 17) | (d >>> 15)
  }
  for (let at = even; at < length; at += 1) a = Math.imul(a ^ (words[at] as number), 0x01000193)
  return (a ^ Math.imul(b, 0x9e3779b1) ^ Math.imul(c, 0x45d9f3b) ^ Math.imul(d, 0x119de1f3)) >>> 0
}
