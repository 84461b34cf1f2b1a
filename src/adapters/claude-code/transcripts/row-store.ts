/**
 * The rows of a ledger in one piece of memory. Rows that lie in an index file are fetched when they are asked for:
 * most looks need none of them. Which rows differ from that file is noted, so that only those are written.
 */
export const WIDTH = 12
/** The last number of a row: one of these, or, in the index file, a check sum, which is larger. */
const STATE = WIDTH - 1
const NOT_HERE = 0
export const HERE = 1
const TOUCHED = 2
const SMALLEST_CHECK = 0x8000_0000

/** The number of its model, which shares its place with the milliseconds of its time. */
const MODEL = 8
const TIME_SHIFT = 16
const MODEL_MASK = 0xffff

export function modelOf(rows: Uint32Array, at: number): number {
  return (rows[at + MODEL] ?? 0) & MODEL_MASK
}

export function millisecondsOf(rows: Uint32Array, at: number): number {
  return (rows[at + MODEL] ?? 0) >>> TIME_SHIFT
}

export function setModel(rows: Uint32Array, model: number, milliseconds: number): void {
  rows[MODEL] = (milliseconds << TIME_SHIFT) | model
}

export interface RowSource {
  /** How many rows it has; later ones were never in it. */
  count: number
  /** Puts rows to where they belong. Throws when it is not what was written. */
  read(rows: Uint32Array, first: number, count: number): void
}

export class RowStore {
  readonly source: RowSource | undefined
  #touched: number[] = []
  #rows: Uint32Array
  #count: number
  #isWhole: boolean

  constructor(rows: Uint32Array, source?: RowSource) {
    this.#rows = rows
    this.#count = Math.floor(rows.length / WIDTH)
    this.source = source
    this.#isWhole = source === undefined
  }

  get rows(): Uint32Array {
    return this.#rows
  }

  get count(): number {
    return this.#count
  }

  append(from: Uint32Array): number {
    const row = this.#count
    if ((row + 1) * WIDTH > this.#rows.length) {
      this.#rows = larger(this.#rows, row)
    }
    const rows = this.#rows
    const at = row * WIDTH
    for (let n = 0; n < STATE; n += 1) rows[at + n] = from[n] ?? 0
    this.#count += 1
    this.touch(row)
    return row
  }

  /** To be said of every row that changes. */
  touch(row: number): void {
    const at = row * WIDTH + STATE
    if (this.source === undefined) this.#rows[at] = HERE
    else if (this.#rows[at] !== TOUCHED) {
      this.#rows[at] = TOUCHED
      this.#touched.push(row)
    }
  }

  get touched(): readonly number[] {
    return this.#touched
  }

  /** All that was touched is written. */
  saved(): void {
    for (const row of this.#touched) this.#rows[row * WIDTH + STATE] = HERE
    this.#touched = []
  }

  isHere(row: number): boolean {
    return this.#rows[row * WIDTH + STATE] !== NOT_HERE
  }

  fetch(row: number): void {
    this.source?.read(this.#rows, row, 1)
  }

  fetchAll(): void {
    const { source } = this
    if (source === undefined || this.#isWhole) return
    this.#isWhole = true
    const kept = new Map(
      this.#hereOf(source.count).map((row) => [row, this.#rows.slice(row * WIDTH, (row + 1) * WIDTH)]),
    )
    source.read(this.#rows, 0, source.count)
    for (const [row, numbers] of kept) this.#rows.set(numbers, row * WIDTH)
  }

  #hereOf(count: number): number[] {
    const here: number[] = []
    for (let row = 0; row < count; row += 1) if (this.isHere(row)) here.push(row)
    return here
  }

  each(call: (rows: Uint32Array, at: number) => void): void {
    this.fetchAll()
    for (let row = 0; row < this.#count; row += 1) call(this.#rows, row * WIDTH)
  }
}

/** With room behind it for more, which costs nothing until it is used. */
export function emptyRows(rows: number): Uint32Array {
  return new Uint32Array((Math.ceil(rows * 1.25) + 4096) * WIDTH).subarray(0, rows * WIDTH)
}

function larger(rows: Uint32Array, count: number): Uint32Array {
  const room = Math.floor(rows.buffer.byteLength / 4)
  if (rows.byteOffset === 0 && room > rows.length) return new Uint32Array(rows.buffer, 0, room)
  const copy = emptyRows(count)
  copy.set(rows)
  return larger(copy, count)
}

/** What stands behind a row in the index file. */
export function checkOf(rows: Uint32Array, at: number): number {
  let check = 0x811c9dc5
  for (let n = 0; n < STATE; n += 1) check = Math.imul((check ^ (rows[at + n] ?? 0)) + (check >>> 15), 0x01000193)
  return ((check ^ (check >>> 13)) | SMALLEST_CHECK) >>> 0
}
