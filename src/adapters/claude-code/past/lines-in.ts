/**
 * The lines of a file, one at a time, whatever it holds: only one line is in memory, and one that is longer than the
 * limit is told as such and skipped. A pipe or a folder in its place is refused.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

/** A line longer than this is no record that anybody could use. */
export const LINE_MOST_BYTES = 64 * 1024 * 1024
const CHUNK_BYTES = 256 * 1024
const LINE_END = 0x0a

export interface Line {
  /** Undefined where it was longer than the limit. */
  bytes: Buffer | undefined
  /** How much of the file has been read with it. */
  readBytes: number
}

/** Throws when it cannot be opened, or is no file. */
export function* linesIn(path: string, mostBytes = LINE_MOST_BYTES): Generator<Line> {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(file).isFile()) throw new Error('it is no file')
    yield* split(file, mostBytes)
  } finally {
    closeSync(file)
  }
}

function* split(file: number, mostBytes: number): Generator<Line> {
  let readBytes = 0
  let held: Buffer[] = []
  let heldBytes = 0
  const take = (end: Buffer): Line => {
    const isTooLong = heldBytes + end.length > mostBytes
    const bytes = isTooLong ? undefined : held.length === 0 ? end : Buffer.concat([...held, end])
    held = []
    heldBytes = 0
    return { bytes, readBytes }
  }
  for (;;) {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
    const length = readSync(file, chunk, 0, CHUNK_BYTES, null)
    if (length === 0) break
    readBytes += length
    let from = 0
    for (let at = chunk.indexOf(LINE_END); at >= 0 && at < length; at = chunk.indexOf(LINE_END, from)) {
      yield take(chunk.subarray(from, at))
      from = at + 1
    }
    const rest = chunk.subarray(from, length)
    heldBytes += rest.length
    if (heldBytes <= mostBytes) held.push(rest)
    else held = []
  }
  if (heldBytes > 0) yield take(Buffer.alloc(0))
}
