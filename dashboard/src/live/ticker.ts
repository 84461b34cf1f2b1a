/** One second hand for the whole page; it stands still while nobody looks at it. */

export interface TickerOptions {
  now: () => number
  wait: (ms: number, call: () => void) => () => void
}

const SECOND_MS = 1_000

export class Ticker {
  readonly #options: TickerOptions
  readonly #calls = new Set<() => void>()
  #now: number
  #cancel: () => void = () => {}

  constructor(options: TickerOptions) {
    this.#options = options
    this.#now = options.now()
  }

  now = (): number => this.#now

  subscribe = (call: () => void): (() => void) => {
    this.#calls.add(call)
    if (this.#calls.size === 1) this.#tick()
    return () => {
      this.#calls.delete(call)
      if (this.#calls.size === 0) this.#cancel()
    }
  }

  #tick(): void {
    const { now, wait } = this.#options
    this.#now = now()
    this.#cancel = wait(SECOND_MS - (this.#now % SECOND_MS), () => this.#tick())
    for (const call of this.#calls) call()
  }
}
