/** What holds in every generated night. */
import fc from 'fast-check'
import { test } from 'vitest'
import { night } from './moves.ts'
import { Sim, type Move } from './sim.ts'

/** More runs, or another seed: CLOISTER_RUNS=10000 CLOISTER_SEED=7 npx vitest run tests/properties */
export const RUNS = Number(process.env['CLOISTER_RUNS'] ?? 1_000)
export const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_260_120)

/** fast-check prints the seed and the shrunk night when a property fails. */
export function always(name: string, holds: (sim: Sim) => void): void {
  test(name, () => {
    fc.assert(
      fc.property(night, (moves: readonly Move[]) => {
        const sim = new Sim()
        for (const move of moves) sim.make(move)
        holds(sim)
      }),
      { numRuns: RUNS, seed: SEED },
    )
  })
}
