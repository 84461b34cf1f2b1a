/**
 * Every message once. A message stands on several lines and, after a fork, in several files; its figures change while
 * it streams, so that the record with the latest time counts (isNewer says which of equal ones). The result does not
 * depend on the order in which records are found, and finding one again changes nothing. What was once found stays: a
 * transcript that the client shortened or deleted was paid for all the same.
 * A message belongs to the file with the lowest number; files are numbered oldest first, so forks come later.
 */
import { UNNAMED, type Finding } from './finding.ts'
import { millisecondsOf, modelOf, RowStore, setModel, WIDTH, type RowSource } from './row-store.ts'
import { emptySlots, firstSlot, isFull, nextSlot, putRow } from './slots.ts'
import { addRow, FileSums, usedOf, type ModelUsage, type Sums } from './sums.ts'

const FIGURES = 3
const MODEL = 8
const FILE = 9
const AT = 10

export interface LedgerRows {
  models: readonly string[]
  /** Three numbers of the key, five figures, model, file, time of the record that counts, the row's state or check sum. */
  rows: Uint32Array
  /** Which rows were added or changed since `source` was made; undefined without one. */
  touched?: readonly number[]
  /** Of each slot its row, or -1, and a part of that row's key; made anew when it is missing. */
  slots?: Int32Array
  /** By model's number; made anew when they are missing. */
  sums?: Sums
  /** Whence rows are fetched that are not here yet. */
  source?: RowSource
}

const NOTHING: readonly number[] = [0, 0, 0, 0, 0, 0]

/** Names come from files; a file full of invented ones must not fill the memory. */
const MODELS_LIMIT = 1000

export class Ledger {
  readonly #models: string[] = []
  readonly #numbers = new Map<string, number>()
  readonly #store: RowStore
  /** Kept up to date with every row. */
  readonly #sums: number[][]
  /** Made when they are first asked for, kept up to date from then on. */
  #sumsOfFiles: FileSums | undefined
  #slots: Int32Array

  constructor(kept: LedgerRows = { models: [], rows: new Uint32Array(0) }) {
    for (const model of kept.models) this.#modelNumber(model)
    this.#store = new RowStore(kept.rows, kept.source)
    this.#slots = kept.slots ?? emptySlots(0)
    if (kept.slots === undefined) this.#rehash()
    this.#sums = kept.sums?.map((sum) => [...(sum ?? NOTHING)]) ?? []
    if (kept.sums === undefined) this.#store.each((rows, at) => addRow(this.#sums, rows, { at, sign: 1 }))
  }

  get messages(): number {
    return this.#store.count
  }

  add(file: number, finding: Finding): void {
    const fresh = this.#fresh
    fresh[0] = finding.a
    fresh[1] = finding.b
    fresh[2] = finding.c
    fresh[3] = finding.input
    fresh[4] = finding.output
    fresh[5] = finding.cacheRead
    fresh[6] = finding.cacheWrite5m
    fresh[7] = finding.cacheWrite1h
    setModel(fresh, this.#modelNumber(finding.model), finding.milliseconds)
    fresh[FILE] = file
    fresh[AT] = finding.seconds
    this.#join(fresh)
  }
  readonly #fresh = new Uint32Array(WIDTH)

  /** Takes all of another ledger, whose files are numbered like ours. */
  merge({ models, rows }: LedgerRows): void {
    const numbers = models.map((model) => this.#modelNumber(model))
    const row = this.#fresh
    for (let at = 0; at + WIDTH <= rows.length; at += WIDTH) {
      for (let n = 0; n <= AT; n += 1) row[n] = rows[at + n] ?? 0
      setModel(row, numbers[modelOf(row, 0)] ?? 0, millisecondsOf(row, 0))
      this.#join(row)
    }
  }

  /** What was used, by model, models of which nothing was used left out; of these files only when they are given. */
  used(files?: Iterable<number>): Record<string, ModelUsage> {
    return usedOf(this.#models, files === undefined ? this.#sums : this.#ofFiles().of(files))
  }

  #ofFiles(): FileSums {
    if (this.#sumsOfFiles !== undefined) return this.#sumsOfFiles
    const sums = new FileSums()
    this.#store.each((rows, at) => sums.add(rows[at + FILE] ?? 0, rows, { at, sign: 1 }))
    this.#sumsOfFiles = sums
    return sums
  }

  keep(): LedgerRows {
    const { source, touched } = this.#store
    return {
      models: this.#models,
      rows: this.#store.rows.subarray(0, this.#store.count * WIDTH),
      slots: this.#slots,
      sums: this.#models.map((_, model) => this.#sums[model] ?? NOTHING),
      ...(source === undefined ? {} : { source, touched }),
    }
  }

  saved(): void {
    this.#store.saved()
  }

  /** Every row is here afterwards. */
  fetchAll(): void {
    this.#store.fetchAll()
  }

  #join(from: Uint32Array): void {
    const slot = this.#slotOf(from)
    const row = this.#slots[slot] ?? -1
    if (row < 0) return this.#append(from, slot)
    const { rows } = this.#store
    const kept = row * WIDTH
    const moves = (from[FILE] ?? 0) < (rows[kept + FILE] ?? 0)
    const isNewer = this.#isNewer(from, rows, kept)
    if (!moves && !isNewer) return
    this.#account(row, -1)
    this.#store.touch(row)
    if (moves) rows[kept + FILE] = from[FILE] ?? 0
    if (isNewer) {
      for (let n = FIGURES; n <= MODEL; n += 1) rows[kept + n] = from[n] ?? 0
      rows[kept + AT] = from[AT] ?? 0
    }
    this.#account(row, 1)
  }

  /**
   * By time, where having none is the earliest; of equal times by the total, then output, then what lasts an hour, then
   * each other figure; of equal figures by the model's name. Records for which all of it is equal say the same.
   */
  #isNewer(from: Uint32Array, rows: Uint32Array, kept: number): boolean {
    const difference =
      (from[AT] ?? 0) - (rows[kept + AT] ?? 0) ||
      millisecondsOf(from, 0) - millisecondsOf(rows, kept) ||
      totalAt(from, 0) - totalAt(rows, kept)
    if (difference !== 0) return difference > 0
    for (const n of BY_WEIGHT) {
      const here = from[n] ?? 0
      const there = rows[kept + n] ?? 0
      if (here !== there) return here > there
    }
    const [one, other] = [modelOf(from, 0), modelOf(rows, kept)]
    return one !== other && (this.#models[one] ?? '') > (this.#models[other] ?? '')
  }

  #append(from: Uint32Array, slot: number): void {
    const row = this.#store.append(from)
    this.#slots[slot] = row
    this.#slots[slot + 1] = (from[2] ?? 0) | 0
    this.#account(row, 1)
    if (isFull(this.#slots, this.#store.count)) this.#rehash()
  }

  #rehash(): void {
    this.#slots = emptySlots(this.#store.count)
    this.#store.each((rows, at) => putRow(this.#slots, rows, { at, row: at / WIDTH }))
  }

  /** The slot that holds this key, with its row here, or the free one where it goes. */
  #slotOf(from: Uint32Array): number {
    const a = from[0] ?? 0
    const b = from[1] ?? 0
    const part = (from[2] ?? 0) | 0
    const slots = this.#slots
    for (let slot = firstSlot(slots, a, b); ; slot = nextSlot(slots, slot)) {
      const row = slots[slot] ?? -1
      if (row < 0) return slot
      if (slots[slot + 1] !== part) continue
      const at = row * WIDTH
      if (!this.#store.isHere(row)) this.#store.fetch(row)
      const { rows } = this.#store
      if (rows[at] === a && rows[at + 1] === b) return slot
    }
  }

  #account(row: number, sign: 1 | -1): void {
    const { rows } = this.#store
    const at = row * WIDTH
    addRow(this.#sums, rows, { at, sign })
    this.#sumsOfFiles?.add(rows[at + FILE] ?? 0, rows, { at, sign })
  }

  #modelNumber(model: string): number {
    const known = this.#numbers.get(model)
    if (known !== undefined) return known
    if (this.#models.length >= MODELS_LIMIT && model !== UNNAMED) return this.#modelNumber(UNNAMED)
    this.#numbers.set(model, this.#models.length)
    return this.#models.push(model) - 1
  }
}

const BY_WEIGHT = [4, 7, 5, 6, 3]

function totalAt(rows: Uint32Array, at: number): number {
  let total = 0
  for (let n = FIGURES; n < MODEL; n += 1) total += rows[at + n] ?? 0
  return total
}
