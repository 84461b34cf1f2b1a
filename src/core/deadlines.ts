/**
 * A heap of instants, one per key, so that a tick touches only what is due.
 * A deadline that moves later, as it does with every sign of life, leaves its entry where it is; the entry is
 * put right when it surfaces. So a report costs no heap operation.
 */

interface Entry {
  at: number
  key: string
}

export class Deadlines {
  readonly #heap: Entry[] = []
  readonly #due = new Map<string, number>()
  /** The instant of the one entry that counts for a key; other entries of that key are left-overs. */
  readonly #entry = new Map<string, number>()

  set(key: string, at: number): void {
    this.#due.set(key, at)
    const queuedAt = this.#entry.get(key)
    if (queuedAt === undefined || at < queuedAt) this.#queue({ at, key })
  }

  clear(key: string): void {
    this.#due.delete(key)
  }

  /** Every key that waits, with its instant. */
  all(): [string, number][] {
    return [...this.#due]
  }

  /** The earliest instant, or undefined when nothing waits. */
  next(): number | undefined {
    this.#putRight()
    return this.#heap[0]?.at
  }

  /** Takes out at most `limit` keys that are due, earliest first. */
  take(now: number, limit: number): string[] {
    const keys: string[] = []
    while (keys.length < limit) {
      this.#putRight()
      const top = this.#heap[0]
      if (top === undefined || top.at > now) break
      this.#pop()
      this.#entry.delete(top.key)
      this.#due.delete(top.key)
      keys.push(top.key)
    }
    return keys
  }

  /** Afterwards the top of the heap, if there is one, is a true deadline. */
  #putRight(): void {
    for (let top = this.#heap[0]; top !== undefined; top = this.#heap[0]) {
      const dueAt = this.#due.get(top.key)
      const counts = this.#entry.get(top.key) === top.at
      if (counts && dueAt === top.at) return
      this.#pop()
      if (!counts) continue
      this.#entry.delete(top.key)
      if (dueAt !== undefined) this.#queue({ at: dueAt, key: top.key })
    }
  }

  #queue(entry: Entry): void {
    this.#entry.set(entry.key, entry.at)
    this.#push(entry)
    if (this.#heap.length > 64 + 2 * this.#entry.size) this.#compact()
  }

  #push(entry: Entry): void {
    const heap = this.#heap
    let i = heap.push(entry) - 1
    while (i > 0) {
      const parent = (i - 1) >> 1
      if (before(heap[parent]!, entry)) break
      heap[i] = heap[parent]!
      i = parent
    }
    heap[i] = entry
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let i = 0
    for (let child = 1; child < heap.length; child = 2 * i + 1) {
      if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1
      if (before(last, heap[child]!)) break
      heap[i] = heap[child]!
      i = child
    }
    heap[i] = last
  }

  #compact(): void {
    this.#heap.length = 0
    for (const [key, at] of this.#entry) this.#push({ at, key })
  }
}

/** Ties break by key, so that the order never depends on how the heap was built. */
function before(a: Entry, b: Entry): boolean {
  return a.at < b.at || (a.at === b.at && a.key < b.key)
}
