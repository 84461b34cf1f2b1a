/**
 * A set of transcripts and what was used in it. Looking again reads only what was added; what it knows can be kept
 * and taken up again. Everything here is synchronous: it belongs into a worker thread or a program of its own.
 */
import { Catalogue } from './catalogue.ts'
import { statOf } from './files.ts'
import type { Figures, Finding } from './finding.ts'
import { readGrowth, type Place } from './growth.ts'
import { HeldFile } from './held-file.ts'
import { Ledger, type LedgerRows } from './ledger.ts'
import { Places } from './places.ts'
import type { Scanner } from './scanner.ts'
import type { ModelUsage } from './sums.ts'

export interface KeptSet {
  catalogue: Catalogue
  /** By the numbers of the catalogue. */
  places: Places
  ledger: LedgerRows
}

const FOLLOWED_LIMIT = 500

export class TranscriptSet {
  readonly ledger: Ledger
  readonly catalogue: Catalogue
  readonly #scanner: Scanner
  readonly #places: Places
  /** Of the files that are kept open, the newest last. */
  readonly #followed = new Map<number, HeldFile>()
  #file = 0
  readonly #found = (finding: Finding): void => this.ledger.add(this.#file, finding)

  constructor(scanner: Scanner, kept?: KeptSet) {
    this.#scanner = scanner
    this.#places = kept?.places ?? new Places()
    this.catalogue = kept?.catalogue ?? new Catalogue()
    this.ledger = new Ledger(kept?.ledger)
  }

  /** How much of the file there would be to read; undefined when nothing changed. */
  due(number: number): number | undefined {
    return this.#places.due(number, statOf(this.catalogue.paths[number] ?? ''))
  }

  /** Reads what was added to the file. True if anything changed since the last look. */
  look(number: number): boolean {
    return this.#read(number, undefined)
  }

  /** The same for a file that grows: it is kept open, so that the next look is quick. */
  follow(number: number): boolean {
    const known = this.#followed.get(number)
    const held = known ?? new HeldFile()
    if (known === undefined) {
      this.#followed.set(number, held)
      this.#forgetOldest()
    }
    return this.#read(number, held)
  }

  #forgetOldest(): void {
    if (this.#followed.size <= FOLLOWED_LIMIT) return
    for (const [oldest] of this.#followed) return this.forget(oldest)
  }

  /** It is not looked at for now; what was used stays counted. */
  forget(number: number): void {
    this.#followed.get(number)?.close()
    this.#followed.delete(number)
  }

  close(): void {
    for (const number of this.#followed.keys()) this.forget(number)
  }

  /** What was used, by model; of these files only when they are given. */
  used(numbers?: Iterable<number>): Record<string, ModelUsage> {
    return this.ledger.used(numbers)
  }

  totals(numbers?: Iterable<number>): Record<string, Figures> {
    const used = Object.entries(this.used(numbers))
    return Object.fromEntries(used.map(([model, { messages: _, ...figures }]) => [model, figures]))
  }

  /** How far this file was read, by somebody else. */
  settle(number: number, place: Place): void {
    this.#places.set(number, place)
  }

  placeOf(number: number): Place | undefined {
    return this.#places.of(number)
  }

  keep(): KeptSet {
    return { catalogue: this.catalogue, places: this.#places, ledger: this.ledger.keep() }
  }

  /** Whether anything is known that was not written. */
  get isChanged(): boolean {
    return this.#places.changed.size > 0 || this.catalogue.changed.size > 0
  }

  /** All that is known was written. */
  saved(): void {
    this.#places.saved()
    this.catalogue.saved()
    this.ledger.saved()
  }

  #read(number: number, held: HeldFile | undefined): boolean {
    const before = this.#places.of(number)
    this.#file = number
    const reader = { scanner: this.#scanner, found: this.#found, ...(held === undefined ? {} : { held }) }
    const after = readGrowth(this.catalogue.paths[number] ?? '', before, reader)
    if (after === before) return false
    // What comes in the place of a deleted file is another one, whatever it looks like.
    this.#places.set(number, after)
    return true
  }
}
