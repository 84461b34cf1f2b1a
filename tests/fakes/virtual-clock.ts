/** A clock that moves only when told. Wall and monotonic time can be driven apart, as sleep does. */
import { Deadlines } from '../../src/core/deadlines.ts'
import type { Clock } from '../../src/core/ports.ts'

export class VirtualClock implements Clock {
  #wallAt: number
  #monoAt = 0
  #made = 0
  readonly #timers = new Deadlines()
  readonly #calls = new Map<string, () => void>()

  constructor(wallAt: number) {
    this.#wallAt = wallAt
  }

  now(): { wallAt: number; monoAt: number } {
    return { wallAt: this.#wallAt, monoAt: this.#monoAt }
  }

  wakeAt(monoAt: number, call: () => void): () => void {
    this.#made += 1
    // Zero-padded, so that timers of one instant fire in the order in which they were made.
    const key = String(this.#made).padStart(12, '0')
    this.#timers.set(key, monoAt)
    this.#calls.set(key, call)
    return () => {
      this.#timers.clear(key)
      this.#calls.delete(key)
    }
  }

  /** Lets time pass, firing each timer at its instant and letting what it started run dry. */
  async advance(ms: number): Promise<void> {
    const untilAt = this.#monoAt + ms
    for (;;) {
      const nextAt = this.#timers.next()
      if (nextAt === undefined || nextAt > untilAt) break
      this.#move(nextAt - this.#monoAt)
      for (const key of this.#timers.take(this.#monoAt, Infinity)) this.#fire(key)
      await quiet()
    }
    this.#move(untilAt - this.#monoAt)
  }

  /** The machine sleeps, or somebody sets the clock: wall time moves, monotonic time does not. */
  jump(wallMs: number): void {
    this.#wallAt += wallMs
  }

  #move(ms: number): void {
    const forward = Math.max(0, ms)
    this.#monoAt += forward
    this.#wallAt += forward
  }

  #fire(key: string): void {
    const call = this.#calls.get(key)
    this.#calls.delete(key)
    call?.()
  }
}

/** Everything that was started and needs no time has run. */
export function quiet(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
