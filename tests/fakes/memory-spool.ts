/** Hook reports that lie in memory. The folder outlives the spools that are opened on it. */
import type { RawReport, Spool } from '../../src/core/ports.ts'

/** What hooks left, by id, oldest first. */
export type MemoryFolder = Map<string, RawReport>

export class MemorySpool implements Spool {
  readonly #folder: MemoryFolder
  #listener: ((report: RawReport) => boolean) | undefined
  #pending: string[] = []
  #scheduled = false

  constructor(folder: MemoryFolder) {
    this.#folder = folder
  }

  /** As if a hook had left it. */
  receive(report: RawReport): void {
    this.#folder.set(report.id, report)
    if (this.#listener !== undefined) this.#schedule([report.id])
  }

  listen(call: (report: RawReport) => boolean): () => void {
    this.#listener = call
    this.#pending = []
    this.offer()
    return () => {
      if (this.#listener === call) this.#listener = undefined
    }
  }

  taken(ids: readonly string[]): void {
    for (const id of ids) this.#folder.delete(id)
  }

  offer(): void {
    this.#schedule([...this.#folder.keys()])
  }

  problems(): readonly string[] {
    return []
  }

  deaf(): undefined {
    return undefined
  }

  #schedule(ids: readonly string[]): void {
    this.#pending.push(...ids)
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#offerPending()
    })
  }

  /** What is refused stays first, and is offered again in a while. */
  #offerPending(): void {
    for (let id = this.#pending.shift(); id !== undefined; id = this.#pending.shift()) {
      const report = this.#folder.get(id)
      if (report === undefined || this.#listener === undefined || this.#listener(report)) continue
      this.#pending.unshift(id)
      return this.#schedule([])
    }
  }
}
