/** Chance by a seed: the same seed gives the same sessions on every machine. */

export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** At least 0, less than 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  int(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1))
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(list: readonly T[]): T {
    const one = list[this.int(0, list.length - 1)]
    if (one === undefined) throw new Error('nothing to pick from')
    return one
  }

  word(): string {
    return this.pick(WORDS) + this.int(1, 999)
  }
}

const WORDS = ['auth', 'cart', 'court', 'index', 'ledger', 'parser', 'route', 'session', 'token', 'widget']
