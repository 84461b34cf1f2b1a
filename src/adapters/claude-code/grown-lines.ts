/** What was added to a file since it was last read, in whole lines. A pipe in its place is neither waited for nor read. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

export interface FilePlace {
  path: string
  ino: number
  offset: number
}

interface Grown {
  place: FilePlace
  lines: Buffer
  /** It is the file that was read before. */
  isSame: boolean
}

const LINE_END = 0x0a

/** Of a file that grew by more than the limit only the end is read; undefined when there is no such file. */
export function grownLines(path: string, before: FilePlace | undefined, limit: number): Grown | undefined {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) return undefined
    const { ino, size } = stats
    const isSame = before?.path === path && before.ino === ino && before.offset <= size
    const offset = isSame ? before.offset : 0
    const from = Math.max(offset, size - limit)
    const bytes = Buffer.allocUnsafe(size - from)
    const read = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from))
    // A last line without its end is still being written.
    const end = read.lastIndexOf(LINE_END) + 1
    const start = from > offset ? read.indexOf(LINE_END) + 1 : 0
    return { place: { path, ino, offset: from + end }, lines: read.subarray(Math.min(start, end), end), isSame }
  } finally {
    closeSync(file)
  }
}
