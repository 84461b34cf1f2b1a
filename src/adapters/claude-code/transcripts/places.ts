/** How far each file of a set was read, by its number: numbers in one piece of memory, as they lie in the index. */
import type { Stats } from 'node:fs'
import type { Place } from './growth.ts'

/** Whether it is known, and the fields of a place. */
const WIDTH = 6

export class Places {
  #packed: Float64Array
  readonly #changed = new Set<number>()

  constructor(packed: Float64Array = new Float64Array(0)) {
    this.#packed = packed
  }

  of(number: number): Place | undefined {
    const at = number * WIDTH
    const packed = this.#packed
    if (packed[at] !== 1) return undefined
    return {
      ino: packed[at + 1] ?? 0,
      size: packed[at + 2] ?? 0,
      mtimeMs: packed[at + 3] ?? 0,
      offset: packed[at + 4] ?? 0,
      mark: packed[at + 5] ?? 0,
    }
  }

  /** How much of the file there would be to read; undefined when nothing changed. Nothing is made: most are the same. */
  due(number: number, stats: Stats | undefined): number | undefined {
    const at = number * WIDTH
    const packed = this.#packed
    const isKnown = packed[at] === 1
    if (stats === undefined) return isKnown ? 0 : undefined
    if (!isKnown) return stats.size
    const isSame = packed[at + 1] === stats.ino && packed[at + 2] === stats.size && packed[at + 3] === stats.mtimeMs
    return isSame ? undefined : Math.max(0, stats.size - (packed[at + 4] ?? 0))
  }

  set(number: number, place: Place | undefined): void {
    const at = number * WIDTH
    if (at >= this.#packed.length) this.#enlarge(number)
    const packed = this.#packed
    packed[at] = place === undefined ? 0 : 1
    packed[at + 1] = place?.ino ?? 0
    packed[at + 2] = place?.size ?? 0
    packed[at + 3] = place?.mtimeMs ?? 0
    packed[at + 4] = place?.offset ?? 0
    packed[at + 5] = place?.mark ?? 0
    this.#changed.add(number)
  }

  saved(): void {
    this.#changed.clear()
  }

  /** Numbers of those that were set since the last `saved`. */
  get changed(): ReadonlySet<number> {
    return this.#changed
  }

  packed(files: number): Float64Array {
    if (files * WIDTH > this.#packed.length) this.#enlarge(files - 1)
    return this.#packed.subarray(0, files * WIDTH)
  }

  #enlarge(number: number): void {
    const larger = new Float64Array((Math.ceil(number * 1.25) + 16) * WIDTH)
    larger.set(this.#packed)
    this.#packed = larger
  }
}
