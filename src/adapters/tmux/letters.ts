/** Letters of several bytes (UTF-8) that are cut by where a piece of output begins or ends. */

const NOTHING = Buffer.alloc(0)

/** The bytes at the end that begin a letter and do not complete it; `before` is what was cut off so far. */
export function cutLetter(before: Buffer | undefined, bytes: Buffer): Buffer {
  const end = bytes.length >= 4 ? bytes.subarray(-4) : Buffer.concat([before ?? NOTHING, bytes]).subarray(-4)
  for (let at = end.length - 1; at >= 0; at -= 1) {
    const byte = end[at] ?? 0
    if (isWithin(byte)) continue
    return lengthOf(byte) > end.length - at ? Buffer.from(end.subarray(at)) : NOTHING
  }
  return NOTHING
}

/** Without the rest of a letter whose beginning nobody has. */
export function withoutOrphans(bytes: Buffer): Buffer {
  let from = 0
  while (from < 3 && from < bytes.length && isWithin(bytes[from] ?? 0)) from += 1
  return bytes.subarray(from)
}

function isWithin(byte: number): boolean {
  return (byte & 0xc0) === 0x80
}

function lengthOf(first: number): number {
  if (first >= 0xf0) return 4
  if (first >= 0xe0) return 3
  return first >= 0xc0 ? 2 : 1
}
