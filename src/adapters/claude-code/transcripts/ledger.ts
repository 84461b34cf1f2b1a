/**
 * Every message once. A message stands on several lines and, after a fork, in several files; its figures grow while
 * it streams, so that the record with the largest total counts. The result does not depend on the order in which
 * records are found, and finding one again changes nothing. What was once found stays: a transcript that the client
 * shortened or deleted was paid for all the same.
 * A message belongs to the file with the lowest number; files are numbered oldest first, so forks come later.
 */
import { UNNAMED, type Figures, type Finding } from './finding.ts'

const WIDTH = 12
const FIGURES = 3
const MODEL = 8
const FILE = 9
const AT = 10

/** Rows of the ledger as numbers: three of the key, five figures, model, file, time, one spare. */
export interface LedgerRows {
  models: readonly string[]
  rows: Uint32Array
  /** Where each key's row is found, and the sums by model's number; made anew when they are missing. */
  slots?: Int32Array
  sums?: readonly Figures[]
}

/** Names come from files; a file full of invented ones must not fill the memory. */
const MODELS_LIMIT = 1000

export class Ledger {
  readonly #models: string[] = []
  readonly #numbers = new Map<string, number>()
  /** Sums by model, kept up to date with every row. */
  readonly #sums: Map<number, Figures>
  /** Sums by file and model: made when they are first asked for, kept up to date from then on. */
  #sumsOfFiles: Map<number, Map<number, Figures>> | undefined
  #rows: Uint32Array
  #count = 0
  #slots: Int32Array

  constructor(kept: LedgerRows = { models: [], rows: new Uint32Array(0) }) {
    for (const model of kept.models) this.#modelNumber(model)
    this.#rows = kept.rows
    this.#count = Math.floor(kept.rows.length / WIDTH)
    this.#slots = kept.slots ?? emptySlots(0)
    if (kept.slots === undefined) this.#rehash()
    this.#sums = new Map(kept.sums?.map((sum, model) => [model, { ...sum }]))
    if (kept.sums === undefined) for (let row = 0; row < this.#count; row += 1) this.#addRow(this.#sums, row, 1)
  }

  get messages(): number {
    return this.#count
  }

  add(file: number, finding: Finding): void {
    const { a, b, c, input, output, cacheRead, cacheWrite5m, cacheWrite1h, at } = finding
    // The newest row is the likeliest: the parts of a message follow each other.
    const fresh = this.#fresh
    fresh[0] = a
    fresh[1] = b
    fresh[2] = c
    fresh[3] = input
    fresh[4] = output
    fresh[5] = cacheRead
    fresh[6] = cacheWrite5m
    fresh[7] = cacheWrite1h
    fresh[MODEL] = this.#modelNumber(finding.model)
    fresh[FILE] = file
    fresh[AT] = at
    this.#join(fresh, 0)
  }
  readonly #fresh = new Uint32Array(WIDTH)

  /** Takes all of another ledger, whose files are numbered like ours. */
  merge({ models, rows }: LedgerRows): void {
    const numbers = models.map((model) => this.#modelNumber(model))
    const row = this.#fresh
    for (let at = 0; at + WIDTH <= rows.length; at += WIDTH) {
      for (let n = 0; n < WIDTH; n += 1) row[n] = rows[at + n] ?? 0
      row[MODEL] = numbers[row[MODEL] ?? 0] ?? 0
      this.#join(row, 0)
    }
  }

  /** What was used, by model, models of which nothing was used left out; of these files only when they are given. */
  totals(files?: Iterable<number>): Record<string, Figures> {
    const sums = new Map<number, Figures>()
    for (const [model, figures] of files === undefined ? this.#sums : this.#of(files)) {
      addTo(entryOf(sums, model, nothing), figures)
    }
    const used = [...sums].filter(([, figures]) => Object.values(figures).some((figure) => figure > 0))
    const named = used.map(([model, figures]): [string, Figures] => [this.#models[model] ?? '', figures])
    return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  *#of(files: Iterable<number>): Generator<[number, Figures]> {
    const sums = (this.#sumsOfFiles ??= this.#summed())
    for (const file of files) yield* sums.get(file) ?? []
  }

  #summed(): Map<number, Map<number, Figures>> {
    const sums = new Map<number, Map<number, Figures>>()
    for (let row = 0; row < this.#count; row += 1) {
      const file = this.#rows[row * WIDTH + FILE] ?? 0
      this.#addRow(entryOf(sums, file, newSums), row, 1)
    }
    return sums
  }

  keep(): LedgerRows {
    return {
      models: this.#models,
      rows: this.#rows.subarray(0, this.#count * WIDTH),
      slots: this.#slots,
      sums: this.#models.map((_, model) => this.#sums.get(model) ?? nothing()),
    }
  }

  #join(from: Uint32Array, at: number): void {
    const slot = this.#slotOf(from, at)
    const row = this.#slots[slot] ?? -1
    if (row < 0) return this.#append(from, at, slot)
    const kept = row * WIDTH
    const rows = this.#rows
    const moves = (from[at + FILE] ?? 0) < (rows[kept + FILE] ?? 0)
    const grows = isLarger(from, at, { rows, at: kept })
    const time = earlier(from[at + AT] ?? 0, rows[kept + AT] ?? 0)
    if (time !== rows[kept + AT]) rows[kept + AT] = time
    if (!moves && !grows) return
    this.#account(row, -1)
    if (moves) rows[kept + FILE] = from[at + FILE] ?? 0
    if (grows) for (let n = FIGURES; n <= MODEL; n += 1) rows[kept + n] = from[at + n] ?? 0
    this.#account(row, 1)
  }

  #append(from: Uint32Array, at: number, slot: number): void {
    const row = this.#count
    if ((row + 1) * WIDTH > this.#rows.length) {
      const larger = new Uint32Array((Math.ceil(row * 1.25) + 4096) * WIDTH)
      larger.set(this.#rows)
      this.#rows = larger
    }
    for (let n = 0; n < WIDTH; n += 1) this.#rows[row * WIDTH + n] = from[at + n] ?? 0
    this.#slots[slot] = row
    this.#count += 1
    this.#account(row, 1)
    if (this.#count * 3 > this.#slots.length * 2) this.#rehash()
  }

  #rehash(): void {
    this.#slots = emptySlots(this.#count)
    for (let row = 0; row < this.#count; row += 1) this.#slots[this.#slotOf(this.#rows, row * WIDTH)] = row
  }

  /** The slot that holds this key, or the free one where it goes. */
  #slotOf(from: Uint32Array, at: number): number {
    const [a, b, c] = [from[at], from[at + 1], from[at + 2]]
    const last = this.#slots.length - 1
    for (let slot = ((a ?? 0) ^ Math.imul(b ?? 0, 0x9e3779b1)) & last; ; slot = (slot + 1) & last) {
      const row = this.#slots[slot] ?? -1
      if (row < 0) return slot
      const kept = row * WIDTH
      if (this.#rows[kept] === a && this.#rows[kept + 1] === b && this.#rows[kept + 2] === c) return slot
    }
  }

  #account(row: number, sign: 1 | -1): void {
    this.#addRow(this.#sums, row, sign)
    if (this.#sumsOfFiles === undefined) return
    this.#addRow(entryOf(this.#sumsOfFiles, this.#rows[row * WIDTH + FILE] ?? 0, newSums), row, sign)
  }

  #addRow(sums: Map<number, Figures>, row: number, sign: 1 | -1): void {
    const at = row * WIDTH
    const sum = entryOf(sums, this.#rows[at + MODEL] ?? 0, nothing)
    sum.input += sign * (this.#rows[at + 3] ?? 0)
    sum.output += sign * (this.#rows[at + 4] ?? 0)
    sum.cacheRead += sign * (this.#rows[at + 5] ?? 0)
    sum.cacheWrite5m += sign * (this.#rows[at + 6] ?? 0)
    sum.cacheWrite1h += sign * (this.#rows[at + 7] ?? 0)
  }

  #modelNumber(model: string): number {
    const known = this.#numbers.get(model)
    if (known !== undefined) return known
    if (this.#models.length >= MODELS_LIMIT && model !== UNNAMED) return this.#modelNumber(UNNAMED)
    this.#numbers.set(model, this.#models.length)
    return this.#models.push(model) - 1
  }
}

export function nothing(): Figures {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }
}

export function addTo(sum: Figures, figures: Figures): void {
  sum.input += figures.input
  sum.output += figures.output
  sum.cacheRead += figures.cacheRead
  sum.cacheWrite5m += figures.cacheWrite5m
  sum.cacheWrite1h += figures.cacheWrite1h
}

function newSums(): Map<number, Figures> {
  return new Map()
}

function entryOf<T>(map: Map<number, T>, key: number, make: () => T): T {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

function emptySlots(rows: number): Int32Array {
  let slots = 1024
  while (slots < rows * 2) slots *= 2
  return new Int32Array(slots).fill(-1)
}

/** By the total; of equal totals the one with more output, then more that lasts an hour, then by each figure. */
function isLarger(from: Uint32Array, at: number, kept: { rows: Uint32Array; at: number }): boolean {
  const difference = totalAt(from, at) - totalAt(kept.rows, kept.at)
  if (difference !== 0) return difference > 0
  for (const n of BY_WEIGHT) {
    const [here, there] = [from[at + n] ?? 0, kept.rows[kept.at + n] ?? 0]
    if (here !== there) return here > there
  }
  return false
}

const BY_WEIGHT = [4, 7, 5, 6, 3]

function totalAt(rows: Uint32Array, at: number): number {
  let total = 0
  for (let n = FIGURES; n < MODEL; n += 1) total += rows[at + n] ?? 0
  return total
}

function earlier(a: number, b: number): number {
  return a === 0 || b === 0 ? a + b : Math.min(a, b)
}
