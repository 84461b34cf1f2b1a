/**
 * A set of transcripts and what was used in it. Looking again reads only what was added; what it knows can be kept
 * and taken up again. Everything here is synchronous: it belongs into a worker thread or a program of its own.
 */
import { statSync } from 'node:fs'
import type { Figures, Finding } from './finding.ts'
import { readGrowth, type Place, type Reader } from './growth.ts'
import { HeldFile } from './held-file.ts'
import { readLastLines } from './last-lines.ts'
import { Ledger, type LedgerRows } from './ledger.ts'
import type { Scanner } from './scanner.ts'
import { EMPTY_TAIL, readTail, type Tail } from './tail.ts'

export interface KeptSet {
  paths: readonly string[]
  /** By the same number as the paths; undefined for one that could not be read yet. */
  places: readonly (Place | undefined)[]
  ledger: LedgerRows
}

const FOLLOWED_LIMIT = 500

export class TranscriptSet {
  readonly ledger: Ledger
  readonly #scanner: Scanner
  readonly #paths: string[]
  readonly #places: (Place | undefined)[]
  readonly #numbers: Map<string, number>
  /** Of the files whose end is looked at, the newest last. */
  readonly #followed = new Map<number, { tail: Tail; held: HeldFile }>()

  constructor(scanner: Scanner, kept?: KeptSet) {
    this.#scanner = scanner
    this.#paths = [...(kept?.paths ?? [])]
    this.#places = [...(kept?.places ?? [])]
    this.#numbers = new Map(this.#paths.map((path, number) => [path, number]))
    this.ledger = new Ledger(kept?.ledger)
  }

  get paths(): readonly string[] {
    return this.#paths
  }

  /** Numbers of the files. New ones are numbered oldest first, since a fork repeats the lines of an older file. */
  enter(paths: readonly string[]): number[] {
    const known = paths.map((path) => this.#numbers.get(path))
    if (!known.includes(undefined)) return known as number[]
    const fresh = [...new Set(paths.filter((_, n) => known[n] === undefined))]
    for (const path of fresh.length < 2 ? fresh : oldestFirst(fresh)) {
      this.#numbers.set(path, this.#paths.push(path) - 1)
    }
    return paths.map((path) => this.#numbers.get(path) ?? -1)
  }

  /** Reads what was added to the file. True if anything changed since the last look. */
  look(number: number): boolean {
    return this.#read(number)
  }

  /** The same, and what the end of the file tells. The file is kept open, so that the next look is quick. */
  lookAtTail(number: number): Tail {
    const known = this.#followed.get(number)
    const followed = known ?? { tail: EMPTY_TAIL, held: new HeldFile() }
    const before = this.#places[number]
    const isChanged = this.#read(number, {
      held: followed.held,
      latest: (lines) => {
        followed.tail = readTail(followed.tail, lines)
      },
    })
    // After a start the place is known, and what stands before it is not.
    if (known === undefined && before !== undefined && !isChanged) {
      followed.tail = readTail(EMPTY_TAIL, readLastLines(this.#paths[number] ?? '', before.offset))
    }
    if (known === undefined) this.#follow(number, followed)
    return followed.tail
  }

  #follow(number: number, followed: { tail: Tail; held: HeldFile }): void {
    this.#followed.set(number, followed)
    if (this.#followed.size <= FOLLOWED_LIMIT) return
    for (const [oldest] of this.#followed) return this.forget(oldest)
  }

  /** Its end is no longer of interest; what was used stays counted. */
  forget(number: number): void {
    this.#followed.get(number)?.held.close()
    this.#followed.delete(number)
  }

  close(): void {
    for (const number of this.#followed.keys()) this.forget(number)
  }

  totals(numbers?: Iterable<number>): Record<string, Figures> {
    return this.ledger.totals(numbers)
  }

  /** How far this file was read, by somebody else. */
  settle(number: number, place: Place): void {
    this.#places[number] = place
  }

  placeOf(number: number): Place | undefined {
    return this.#places[number]
  }

  keep(): KeptSet {
    return { paths: this.#paths, places: this.#places, ledger: this.ledger.keep() }
  }

  #read(number: number, more: Pick<Reader, 'latest' | 'held'> = {}): boolean {
    const before = this.#places[number]
    const found = (finding: Finding): void => this.ledger.add(number, finding)
    const after = readGrowth(this.#paths[number] ?? '', before, { scanner: this.#scanner, found, ...more })
    // What comes in the place of a deleted file is another one, whatever it looks like.
    this.#places[number] = after
    return after !== before
  }
}

function oldestFirst(paths: readonly string[]): string[] {
  const aged = paths.map((path) => ({
    path,
    bornAt: statSync(path, { throwIfNoEntry: false })?.birthtimeMs ?? Infinity,
  }))
  const sorted = aged.toSorted((a, b) => a.bornAt - b.bornAt || (a.path < b.path ? -1 : 1))
  return sorted.map(({ path }) => path)
}
