/**
 * Reads what was added to a transcript since the last look: whole lines only, from the place where reading stopped.
 * A last line that has no end yet is looked at, too, but read again until it has one. A file that shrank, or is
 * another one, or has other bytes before that place, is read from its beginning. At most one block is in memory,
 * and for the length of one line, when that is longer than a block, the line.
 */
import type { Stats } from 'node:fs'
import { closeSync, openSync, readSync, statOf } from './files.ts'
import type { Finding } from './finding.ts'
import type { HeldFile } from './held-file.ts'
import { scanPlainly, type Scanner } from './scanner.ts'

/** How far a file was read, and how to tell that it is still the same one. */
export interface Place {
  ino: number
  size: number
  mtimeMs: number
  offset: number
  /** Of the bytes before the offset. */
  mark: number
}

export interface Reader {
  scanner: Scanner
  found: (finding: Finding) => void
  /** Keeps the file open from one look to the next. */
  held?: HeldFile
}

/** A longer line is passed over: no record that counts comes near it. */
export const LINE_LIMIT = 64 * 1024 * 1024
const MARK_BYTES = 32
const LINE_END = 0x0a
const OBJECT_END = 0x7d
const BLANK = 0x20

/** The same place when nothing changed, undefined when there is no such file. Throws when it cannot be read. */
export function readGrowth(path: string, place: Place | undefined, reader: Reader): Place | undefined {
  const stats = statOf(path)
  if (stats === undefined || !stats.isFile()) return undefined
  if (place !== undefined && isSame(place, stats)) return place
  if (reader.held !== undefined) return new Pass(reader.held.open(path, stats.ino), reader).read(stats, place)
  const fd = openSync(path, 'r')
  try {
    return new Pass(fd, reader).read(stats, place)
  } finally {
    closeSync(fd)
  }
}

function isSame(place: Place, { ino, size, mtimeMs }: Stats): boolean {
  return place.ino === ino && place.size === size && place.mtimeMs === mtimeMs
}

/** One reading of one open file. `#block` holds the file from `#base` on; what stands before `#line` is done. */
class Pass {
  readonly #fd: number
  readonly #reader: Reader
  readonly #block: Buffer
  #base = 0
  #filled = 0
  #line = 0

  constructor(fd: number, reader: Reader) {
    this.#fd = fd
    this.#reader = reader
    this.#block = reader.scanner.block
  }

  read({ ino, size, mtimeMs }: Stats, place: Place | undefined): Place {
    const from = place?.ino === ino && place.offset <= size ? place.offset : 0
    this.#goTo(from)
    this.#fill(size)
    if (from > 0 && this.#mark() !== place?.mark) {
      this.#goTo(0)
      this.#fill(size)
    }
    while (this.#scanLines(size)) this.#fill(size)
    const offset = this.#base + this.#line
    // A line that ends here but for its line end may be whole already; counting it twice changes nothing. As long as it
    // is not, a piece of it that looks whole may be part of something else.
    if (this.#line < this.#filled && isWhole(this.#block.subarray(this.#line, this.#filled))) this.#scan(this.#filled)
    return { ino, size, mtimeMs, offset, mark: this.#mark() }
  }

  #goTo(offset: number): void {
    this.#line = Math.min(offset, MARK_BYTES)
    this.#base = offset - this.#line
    this.#filled = 0
  }

  #fill(size: number): void {
    const wanted = Math.min(this.#block.length, size - this.#base)
    while (this.#filled < wanted) {
      const at = this.#base + this.#filled
      const count = readSync(this.#fd, this.#block, this.#filled, wanted - this.#filled, at)
      // Cut short while it is read: what is left shows at the next look.
      if (count === 0) return
      this.#filled += count
    }
  }

  /** False when all whole lines are done. */
  #scanLines(size: number): boolean {
    const end = this.#filled === 0 ? 0 : this.#block.lastIndexOf(LINE_END, this.#filled - 1) + 1
    if (end > this.#line) {
      this.#scan(end)
      this.#line = end
    }
    if (this.#filled < this.#block.length || this.#base + this.#filled >= size) return false
    const kept = Math.max(0, this.#line - MARK_BYTES)
    if (kept === 0) return this.#passGiant(size)
    this.#block.copyWithin(0, kept, this.#filled)
    this.#base += kept
    this.#filled -= kept
    this.#line -= kept
    return true
  }

  #scan(end: number): void {
    this.#reader.scanner.scan({ start: this.#line, end }, this.#reader.found)
  }

  /** The block is full and holds no line end: the line is longer than that. */
  #passGiant(size: number): boolean {
    const start = this.#base + this.#line
    const end = this.#endOfLine(start, size)
    const length = (end ?? size) - start
    if (length <= LINE_LIMIT) {
      const line = Buffer.allocUnsafeSlow(length)
      const read = line.subarray(0, readSync(this.#fd, line, 0, length, start))
      if (end !== undefined || isWhole(read)) scanPlainly(read, this.#reader.found)
    }
    this.#goTo(end ?? start)
    if (end === undefined) this.#fill(start)
    return end !== undefined
  }

  #endOfLine(start: number, size: number): number | undefined {
    for (let at = start; at < size;) {
      const count = readSync(this.#fd, this.#block, 0, this.#block.length, at)
      const found = this.#block.subarray(0, count).indexOf(LINE_END)
      if (found >= 0) return at + found + 1
      if (count === 0) return undefined
      at += count
    }
    return undefined
  }

  #mark(): number {
    let mark = 0x811c9dc5
    for (let at = Math.max(0, this.#line - MARK_BYTES); at < this.#line; at += 1) {
      mark = Math.imul(mark ^ (this.#block[at] ?? 0), 0x01000193)
    }
    return mark >>> 0
  }
}

/** Whether it is a record though its line has no end yet; most that are not end in the middle of a text. */
function isWhole(line: Buffer): boolean {
  const last = line.at(-1) ?? 0
  if (last !== OBJECT_END && last > BLANK) return false
  try {
    JSON.parse(line.toString())
    return true
  } catch {
    return false
  }
}
