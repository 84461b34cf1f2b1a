/** A check sum over numbers of four bytes, for files of our own: every change of one number changes it. */

const FACTOR = 0x27220a95

/** Of the bytes from one multiple of four up to another. */
export function checkSum(bytes: Buffer, from: number, to: number): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + from, (to - from) >> 2)
  const { length } = words
  // Four sums, so that the scanner's processor can make them at once.
  let a = length
  let b = length
  let c = length
  let d = length
  const even = length & ~3
  for (let at = 0; at < even; at += 4) {
    a = turned(Math.imul(a ^ (words[at] as number), FACTOR))
    b = turned(Math.imul(b ^ (words[at + 1] as number), FACTOR))
    c = turned(Math.imul(c ^ (words[at + 2] as number), FACTOR))
    d = turned(Math.imul(d ^ (words[at + 3] as number), FACTOR))
  }
  for (let at = even; at < length; at += 1) a = Math.imul(a ^ (words[at] as number), 0x01000193)
  return (a ^ Math.imul(b, 0x9e3779b1) ^ Math.imul(c, 0x045d9f3b) ^ Math.imul(d, 0x119de1f3)) >>> 0
}

function turned(sum: number): number {
  return (sum << 13) | (sum >>> 19)
}
