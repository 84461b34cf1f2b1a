/** When to look: at once, then at every interval, sooner on a hint; one look at a time, however long it takes. */
import type { Clock } from '../core/ports.ts'

/** Hints that come while a look is under way lead to one more look, this long after it began. */
const HINT_MS = 50

export interface LooksOptions {
  clock: Clock
  everyMs: () => number
  look: () => Promise<void>
}

export class Looks {
  readonly #options: LooksOptions
  #cancel: () => void = () => {}
  #looking = false
  #again = false
  #stopped = false

  constructor(options: LooksOptions) {
    this.#options = options
  }

  /** What happened is found by the look itself. */
  soon(): void {
    if (this.#looking) this.#again = true
    else if (!this.#stopped) this.#look()
  }

  stop(): void {
    this.#stopped = true
    this.#cancel()
  }

  #look(): void {
    const { clock, everyMs, look } = this.#options
    const beganAt = clock.now().monoAt
    this.#cancel()
    this.#looking = true
    this.#again = false
    void look().then(() => {
      this.#looking = false
      if (this.#stopped) return
      const waitMs = this.#again ? HINT_MS : everyMs()
      this.#cancel = clock.wakeAt(Math.max(beganAt + waitMs, clock.now().monoAt), () => this.#look())
    })
  }
}
