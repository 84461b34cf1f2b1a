/** Sums over the rows of a ledger, by model's number: the five figures and how many messages there were. */
import type { Figures } from './finding.ts'
import { modelOf } from './row-store.ts'

export type Sums = readonly (readonly number[] | undefined)[]

export interface ModelUsage extends Figures {
  messages: number
}

const FIRST = 3
const MESSAGES = 5

export interface RowAt {
  at: number
  sign: 1 | -1
}

export function addRow(sums: number[][], rows: Uint32Array, { at, sign }: RowAt): void {
  const model = modelOf(rows, at)
  const sum = (sums[model] ??= [0, 0, 0, 0, 0, 0])
  for (let n = 0; n < MESSAGES; n += 1) sum[n] = (sum[n] ?? 0) + sign * (rows[at + FIRST + n] ?? 0)
  sum[MESSAGES] = (sum[MESSAGES] ?? 0) + sign
}

/** The same by file's number first. */
export class FileSums {
  readonly #files = new Map<number, number[][]>()

  add(file: number, rows: Uint32Array, row: RowAt): void {
    const known = this.#files.get(file)
    const sums = known ?? []
    if (known === undefined) this.#files.set(file, sums)
    addRow(sums, rows, row)
  }

  of(files: Iterable<number>): Sums {
    const total: number[][] = []
    for (const file of new Set(files)) {
      this.#files.get(file)?.forEach((sum, model) => {
        const into = (total[model] ??= [0, 0, 0, 0, 0, 0])
        sum.forEach((figure, n) => (into[n] = (into[n] ?? 0) + figure))
      })
    }
    return total
  }
}

/** By name, sorted; models of which nothing was used left out. */
export function usedOf(models: readonly string[], sums: Sums): Record<string, ModelUsage> {
  const named = sums.flatMap((sum, model): [string, ModelUsage][] => {
    const [input = 0, output = 0, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0, messages = 0] = sum ?? []
    if (input + output + cacheRead + cacheWrite5m + cacheWrite1h === 0) return []
    return [[models[model] ?? '', { input, output, cacheRead, cacheWrite5m, cacheWrite1h, messages }]]
  })
  return Object.fromEntries(named.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
