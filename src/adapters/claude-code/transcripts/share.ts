/** One thread's part of a set of transcripts: it takes the next file until there is none left. */
import { bestScanner } from './best-scanner.ts'
import { Catalogue } from './catalogue.ts'
import type { Place } from './growth.ts'
import type { LedgerRows } from './ledger.ts'
import { Places } from './places.ts'
import { TranscriptSet } from './transcript-set.ts'

export interface Share {
  paths: readonly string[]
  /** As `Places` packs them. */
  places: Float64Array
  /** Numbers of the files in the order in which they are taken. */
  order: readonly number[]
  /** Shared between the threads: how many were taken. */
  next: Int32Array<SharedArrayBuffer>
}

export interface ShareRead {
  ledger: LedgerRows
  places: [number: number, place: Place][]
}

export function readShare({ paths, places, order, next }: Share): ShareRead {
  const nothing = { models: [], rows: new Uint32Array(0) }
  const catalogue = new Catalogue({ paths: [...paths], listings: [] })
  const kept = { catalogue, places: new Places(places.slice()), ledger: nothing }
  const set = new TranscriptSet(bestScanner(), kept)
  const read: [number, Place][] = []
  for (;;) {
    const number = order[Atomics.add(next, 0, 1)]
    if (number === undefined) break
    set.look(number)
    const place = set.placeOf(number)
    if (place !== undefined) read.push([number, place])
  }
  const { models, rows } = set.ledger.keep()
  // Of its own length: what is sent is the whole memory that it lies in.
  return { ledger: { models, rows: rows.slice() }, places: read }
}
