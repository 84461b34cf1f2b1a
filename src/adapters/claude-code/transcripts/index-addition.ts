/**
 * What is written behind the base of an index file: what changed since, one addition after the other. Each says where
 * it begins, so that one which does not lie where its writer thought is known, and ends what can be trusted.
 */
import type { Catalogue, Listing } from './catalogue.ts'
import type { Place } from './growth.ts'
import type { LedgerRows } from './ledger.ts'
import type { Places } from './places.ts'
import { emptyRows, HERE, WIDTH } from './row-store.ts'
import { isFull } from './slots.ts'
import { plainMemory, type IndexMemory } from './simd-scanner.ts'
import type { Sums } from './sums.ts'
import type { KeptSet } from './transcript-set.ts'

const MAGIC = 0x2b_78_64_74
/** Of a base as of an addition: five numbers, then the check sum of all but itself. */
export const HEADER_BYTES = 24
export const CHECK_AT = 20

interface Changes {
  /** The paths of new files, whose numbers follow those before. */
  paths: readonly string[]
  places: readonly (readonly [number: number, place: Place | null])[]
  listings: readonly (readonly [folder: string, listing: Listing | null])[]
  /** Which rows are changed, and how many are new; the rows themselves follow in this order. */
  changed: readonly number[]
  models: readonly string[]
  sums: Sums
}

/** Undefined when it is not known what changed. */
export function additionOf(set: KeptSet, before: { files: number; rows: number; at: number }): Buffer | undefined {
  const { catalogue, ledger, places } = set
  const { touched, rows } = ledger
  if (touched === undefined) return undefined
  const changes: Changes = {
    paths: catalogue.paths.slice(before.files),
    places: [...places.changed].map((number) => [number, places.of(number) ?? null] as const),
    listings: [...catalogue.changed].map((folder) => [folder, catalogue.listings.get(folder) ?? null] as const),
    changed: touched.filter((row) => row < before.rows),
    models: ledger.models,
    sums: ledger.sums ?? [],
  }
  const text = Buffer.from(JSON.stringify(changes))
  const padded = Buffer.alloc(Math.ceil(text.length / 4) * 4, ' ')
  text.copy(padded)
  const changed = changes.changed.map((row) => bytesIn(rows.subarray(row * WIDTH, (row + 1) * WIDTH)))
  const fresh = rows.subarray(before.rows * WIDTH)
  const header = Buffer.alloc(HEADER_BYTES)
  const lengths = [MAGIC, before.at, padded.length, changed.length, fresh.length / WIDTH]
  lengths.forEach((length, n) => header.writeUInt32LE(length, n * 4))
  const addition = Buffer.concat([header, padded, ...changed, bytesIn(fresh)])
  for (let at = addition.length - 4; at > HEADER_BYTES + padded.length; at -= WIDTH * 4)
    addition.writeUInt32LE(HERE, at)
  addition.writeUInt32LE(sumOf(plainMemory(addition), 0, addition.length), CHECK_AT)
  return addition
}

export interface Loaded {
  catalogue: Catalogue
  places: Places
  models: string[]
  sums: Sums
  slots: Int32Array
  /** How many rows the base has. */
  count: number
}

/** The ledger with the additions in it, and where what can be trusted ends. */
export function applyAdditions(
  loaded: Loaded,
  memory: IndexMemory,
  { from, to, base }: Added,
): { ledger: LedgerRows; end: number } {
  const additions: Addition[] = []
  let at = from
  const read = () => additionAt(memory, { from: at, to, base: base + at - from })
  for (let next = read(); next !== undefined; next = read()) {
    applyChanges(loaded, next.changes)
    additions.push(next)
    at += next.length
  }
  const { models, sums } = additions.at(-1)?.changes ?? loaded
  return { ledger: { models, sums, ...withRows(loaded, memory, additions) }, end: base + at - from }
}

/** Where additions lie in memory, and where in their file. */
interface Added {
  from: number
  to: number
  base: number
}

interface Addition {
  changes: Changes
  changed: Uint32Array
  fresh: Uint32Array
  length: number
}

function additionAt(memory: IndexMemory, { from, to, base }: Added): Addition | undefined {
  const { bytes } = memory
  if (to < from + HEADER_BYTES || bytes.readUInt32LE(from) !== MAGIC) return undefined
  if (bytes.readUInt32LE(from + 4) !== base) return undefined
  const changedAt = from + HEADER_BYTES + bytes.readUInt32LE(from + 8)
  const freshAt = changedAt + bytes.readUInt32LE(from + 12) * WIDTH * 4
  const end = freshAt + bytes.readUInt32LE(from + 16) * WIDTH * 4
  if (to < end || sumOf(memory, from, end) !== bytes.readUInt32LE(from + CHECK_AT)) return undefined
  const numbers = (at: number, last: number) => new Uint32Array(bytes.buffer, bytes.byteOffset + at, (last - at) / 4)
  return {
    changes: JSON.parse(bytes.toString('utf8', from + HEADER_BYTES, changedAt)) as Changes,
    changed: numbers(changedAt, freshAt),
    fresh: numbers(freshAt, end),
    length: end - from,
  }
}

function applyChanges({ catalogue, places }: Loaded, changes: Changes): void {
  catalogue.put(changes.paths, changes.listings)
  for (const [number, place] of changes.places) places.set(number, place ?? undefined)
  places.saved()
}

/** Rows that are only in the base are fetched when they are asked for; until then they are zero. */
function withRows(
  { slots, count }: Loaded,
  memory: IndexMemory,
  additions: readonly Addition[],
): Pick<LedgerRows, 'rows' | 'slots'> {
  const all = additions.reduce((sum, { fresh }) => sum + fresh.length / WIDTH, count)
  // Without slots the ledger makes larger ones.
  const hasRoom = !isFull(slots, all)
  const rows = emptyRows(all)
  let next = count
  for (const { changes, changed, fresh } of additions) {
    rows.set(fresh, next * WIDTH)
    if (hasRoom) memory.enter(slots, fresh, next)
    next += fresh.length / WIDTH
    changes.changed.forEach((row, n) => rows.set(changed.subarray(n * WIDTH, (n + 1) * WIDTH), row * WIDTH))
  }
  return hasRoom ? { rows, slots } : { rows }
}

/** Of all that lies there but itself, which is the last number of the header. */
export function sumOf({ sum }: IndexMemory, from: number, to: number): number {
  return (sum(from + HEADER_BYTES, to) ^ sum(from, from + CHECK_AT)) >>> 0
}

export function bytesIn({ buffer, byteOffset, byteLength }: Uint32Array | Int32Array | Float64Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
