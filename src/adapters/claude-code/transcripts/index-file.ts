/**
 * What is known of a set of transcripts, as one file: derived, and thrown away when it is not exactly what was
 * written. A base is replaced as a whole; what changes later is added behind it (index-addition.ts) until that is an
 * eighth of the base. Layout of the base: lengths and a check sum; places, slots and names; rows, each with a check
 * sum of its own, since only those are read that are asked for.
 */
import { Catalogue, type Listing } from './catalogue.ts'
import { closeSync, constants, fstatSync, openSync, readSync, renameSync, writeSync } from './files.ts'
import { additionOf, applyAdditions, bytesIn, CHECK_AT, HEADER_BYTES, sumOf } from './index-addition.ts'
import { Places } from './places.ts'
import { checkOf, WIDTH, type RowSource } from './row-store.ts'
import { plainMemory, indexMemory } from './simd-scanner.ts'
import type { Sums } from './sums.ts'
import type { KeptSet, TranscriptSet } from './transcript-set.ts'

const MAGIC = 0x3a_78_64_74
const PLACE_BYTES = 48
const ROW_BYTES = WIDTH * 4
/** More than this behind the base, and more than an eighth of it, makes a new base. */
const ADDED_BYTES = 256 * 1024

/** Its rows are not those that were written; without it everything is read again. */
export class DamagedIndexError extends Error {}

interface Names {
  paths: string[]
  models: string[]
  sums: Sums
  listings: [string, Listing][]
}

export class IndexFile {
  /** Nothing when there is no such file, or none that can be trusted. */
  readonly kept: KeptSet
  readonly #path: string
  #fd: number | undefined
  /** How many of each are written. */
  #files = 0
  #rows = 0
  #slots = 0
  /** Where the base and what can be trusted behind it end, and whether the file ends there, too. */
  #base = 0
  #end = 0
  #isWhole = false

  constructor(path: string) {
    this.#path = path
    this.#fd = opened(path)
    this.kept = (this.#fd === undefined ? undefined : this.#load(this.#fd)) ?? nothingKept()
    this.#noteWritten(this.kept)
  }

  /** The set that was made of `kept`, as it is now. */
  save(set: TranscriptSet): void {
    const kept = set.keep()
    // Slots that became too few are written larger, or they would be made anew at every start.
    const addition =
      this.#isWhole && kept.ledger.slots?.length === this.#slots
        ? additionOf(kept, { files: this.#files, rows: this.#rows, at: this.#end })
        : undefined
    const added = this.#end - this.#base + (addition?.length ?? 0)
    if (this.#fd === undefined || addition === undefined || added > Math.max(ADDED_BYTES, this.#base / 8)) {
      this.#replace(set)
    } else {
      // In one piece and behind all others: one that a second writer came before lies in the wrong place.
      this.#isWhole = writeSync(this.#fd, addition) === addition.length
      this.#end += addition.length
    }
    this.#noteWritten(set.keep())
    set.saved()
  }

  /** What it holds is not what was written: the next `save` replaces all of it. */
  distrust(): void {
    this.#isWhole = false
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd)
    this.#fd = undefined
  }

  #noteWritten({ catalogue, ledger }: KeptSet): void {
    this.#files = catalogue.paths.length
    this.#rows = ledger.rows.length / WIDTH
    this.#slots = ledger.slots?.length ?? 0
  }

  #load(fd: number): KeptSet | undefined {
    const { size } = fstatSync(fd)
    const header = Buffer.alloc(HEADER_BYTES)
    if (readSync(fd, header, 0, HEADER_BYTES, 0) < HEADER_BYTES || header.readUInt32LE(0) !== MAGIC) return undefined
    const [files, slots, names, rows] = [4, 8, 12, 16].map((at) => header.readUInt32LE(at)) as Lengths
    const slotsAt = HEADER_BYTES + files * PLACE_BYTES
    const namesAt = slotsAt + slots * 4
    const rowsAt = namesAt + names
    this.#base = rowsAt + rows * ROW_BYTES
    if (size < this.#base) return undefined
    // What was added lies behind the rows, and here in their place.
    const memory = indexMemory(rowsAt + size - this.#base)
    const { bytes } = memory
    const length = readSync(fd, bytes, 0, rowsAt, 0)
    if (length < rowsAt || sumOf(memory, 0, rowsAt) !== bytes.readUInt32LE(CHECK_AT)) return undefined
    const added = size === this.#base ? 0 : readSync(fd, bytes, rowsAt, size - this.#base, this.#base)
    const { paths, models, sums, listings } = JSON.parse(bytes.toString('utf8', namesAt, rowsAt)) as Names
    const loaded = {
      catalogue: new Catalogue({ paths, listings }),
      places: new Places(new Float64Array(bytes.buffer, HEADER_BYTES, (files * PLACE_BYTES) / 8)),
      models,
      sums,
      slots: new Int32Array(bytes.buffer, slotsAt, slots),
      count: rows,
    }
    const behind = applyAdditions(loaded, memory, { from: rowsAt, to: rowsAt + added, base: this.#base })
    this.#end = behind.end
    this.#isWhole = this.#end === size
    const source: RowSource = {
      count: rows,
      read: (into, first, count) => readRows({ fd, rowsAt }, into, { first, count }),
    }
    return { catalogue: loaded.catalogue, places: loaded.places, ledger: { ...behind.ledger, source } }
  }

  #replace(set: TranscriptSet): void {
    set.ledger.fetchAll()
    const { head, rows } = baseOf(set.keep())
    const fresh = `${this.#path}.${process.pid}`
    const fd = openSync(fresh, 'w', 0o600)
    try {
      writeSync(fd, head)
      writeSync(fd, rows)
    } finally {
      closeSync(fd)
    }
    renameSync(fresh, this.#path)
    this.close()
    this.#fd = opened(this.#path)
    this.#base = head.length + rows.length
    this.#end = this.#base
    this.#isWhole = true
  }
}

/** With a source, so that what is added is noted from the beginning. */
function nothingKept(): KeptSet {
  const source: RowSource = { count: 0, read: () => undefined }
  const ledger = { models: [], rows: new Uint32Array(0), source }
  return { catalogue: new Catalogue(), places: new Places(), ledger }
}

type Lengths = [files: number, slots: number, names: number, rows: number]

function opened(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDWR | constants.O_APPEND)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

interface Rows {
  fd: number
  rowsAt: number
}

function readRows({ fd, rowsAt }: Rows, into: Uint32Array, { first, count }: { first: number; count: number }): void {
  const bytes = new Uint8Array(into.buffer, into.byteOffset + first * ROW_BYTES, count * ROW_BYTES)
  const length = readSync(fd, bytes, 0, bytes.length, rowsAt + first * ROW_BYTES)
  let isSound = length === bytes.length
  for (let row = first; isSound && row < first + count; row += 1) {
    isSound = into[row * WIDTH + WIDTH - 1] === checkOf(into, row * WIDTH)
  }
  if (!isSound)
    throw new DamagedIndexError('The index of transcripts is damaged. Delete it; everything is then read again.')
}

function baseOf({ catalogue, places, ledger }: KeptSet): { head: Buffer; rows: Buffer } {
  const { models, rows, slots = new Int32Array(0), sums = [] } = ledger
  const paths = [...catalogue.paths]
  const names: Names = { paths, models: [...models], sums, listings: [...catalogue.listings] }
  const text = Buffer.from(JSON.stringify(names))
  const padded = Buffer.alloc(Math.ceil(text.length / 4) * 4, ' ')
  text.copy(padded)
  const header = Buffer.alloc(HEADER_BYTES)
  const lengths = [MAGIC, paths.length, slots.length, padded.length, rows.length / WIDTH]
  lengths.forEach((length, n) => header.writeUInt32LE(length, n * 4))
  const head = Buffer.concat([header, bytesIn(places.packed(paths.length)), bytesIn(slots), padded])
  head.writeUInt32LE(sumOf(plainMemory(head), 0, head.length), CHECK_AT)
  for (let at = 0; at < rows.length; at += WIDTH) rows[at + WIDTH - 1] = checkOf(rows, at)
  return { head, rows: bytesIn(rows) }
}
