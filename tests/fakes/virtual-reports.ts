/** What simulated hooks leave, and the faults that can be put into everything simulated. */
import type { Sighting } from '../../src/contract/evidence.ts'

export interface Faults {
  terminalDown: boolean
  spawnFails: boolean
  salvageFails: boolean
  /** Only of what has ended. */
  lateSalvageFails: boolean
  /** What is done is done, but nobody hears of it. */
  outcomesLost: boolean
  /** Reports lie in the spool and nobody is told. */
  reportsHeld: boolean
  /** Hooks cannot leave anything: the disk is full. */
  diskFull: boolean
  /** Nobody is told of a death before he looks. */
  hintsLost: boolean
  /** A session that is gone on with ends at once. */
  resumesDie: boolean
  /** One that takes over never begins, or ends at once. */
  successors: 'work' | 'rest' | 'die'
  captureFails: boolean
}

export class VirtualReports {
  readonly faults: Faults = {
    terminalDown: false,
    spawnFails: false,
    salvageFails: false,
    lateSalvageFails: false,
    outcomesLost: false,
    reportsHeld: false,
    diskFull: false,
    hintsLost: false,
    resumesDie: false,
    successors: 'work',
    captureFails: false,
  }
  readonly #spool = new Map<string, Sighting>()
  #reported = 0
  #listener: ((report: { id: string; sighting: Sighting }) => boolean) | undefined

  /** How many reports nobody has taken yet. */
  get waiting(): number {
    return this.#spool.size
  }

  listen(call: (report: { id: string; sighting: Sighting }) => boolean): () => void {
    this.#listener = call
    this.offer()
    return () => {
      this.#listener = undefined
    }
  }

  taken(ids: readonly string[]): void {
    for (const id of ids) this.#spool.delete(id)
  }

  /** Offers again what nobody has taken yet. */
  offer(): void {
    for (const [id, sighting] of this.#spool) this.#listener?.({ id, sighting })
  }

  deaf(): string | undefined {
    return this.faults.diskFull ? 'The disk is full. Hooks cannot report.' : undefined
  }

  /** As if a hook had left it. */
  receive(sighting: Sighting): void {
    if (this.faults.diskFull) return
    this.#reported += 1
    const id = `r${this.#reported}`
    this.#spool.set(id, sighting)
    if (!this.faults.reportsHeld) this.#listener?.({ id, sighting })
  }
}
