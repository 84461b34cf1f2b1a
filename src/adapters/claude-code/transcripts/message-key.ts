/**
 * A message's identity as 96 bits made of its own id and its request's id, so that a hundred thousand of them are a
 * few megabytes of numbers. The byte scanner makes the same key of the same bytes.
 */
export interface MessageKey {
  a: number
  b: number
  c: number
}

export function keyOf(id: string, request: string): MessageKey {
  const key = { ...SEED }
  mix(key, encoder.encode(id))
  // Stands in neither, so that a byte never moves from one id to the other.
  mix(key, BETWEEN)
  mix(key, encoder.encode(request))
  return { a: key.a >>> 0, b: key.b >>> 0, c: key.c >>> 0 }
}

const encoder = new TextEncoder()
const BETWEEN = Uint8Array.of(0)
const SEED: MessageKey = { a: 0x811c9dc5, b: 0x1b873593, c: 0x2545f491 }

/** Three unlike mixings, each byte through all of them. */
function mix(key: MessageKey, bytes: Uint8Array): void {
  let { a, b, c } = key
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193)
    b = Math.imul(((b << 5) | (b >>> 27)) ^ byte, 0x27220a95)
    c = Math.imul(((c << 13) | (c >>> 19)) + byte, 0x9e3779b1)
  }
  key.a = a
  key.b = b
  key.c = c
}
