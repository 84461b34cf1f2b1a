/** The newest ids that came in, so that what is sent twice counts once. */

const LIMIT = 100_000

export class Recent {
  readonly #ids: Set<string>

  constructor(ids: Iterable<string> = []) {
    this.#ids = new Set(ids)
  }

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  /** A set remembers the order in which its members came, so the first is the oldest. */
  add(id: string): void {
    this.#ids.add(id)
    if (this.#ids.size <= LIMIT) return
    for (const oldest of this.#ids) {
      this.#ids.delete(oldest)
      return
    }
  }
}
