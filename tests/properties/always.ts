/** What holds in every generated night. */
import fc from 'fast-check'
import { test } from 'vitest'
import { night } from './moves.ts'
import { Sim, type Move } from './sim.ts'

/** More runs, or another seed: CLOISTER_RUNS=10000 CLOISTER_SEED=7 npx vitest run tests/properties */
export const RUNS = Number(process.env['CLOISTER_RUNS'] ?? 1_000)
export const SEED = Number(process.env['CLOISTER_SEED'] ?? 20_260_120)

/** A machine that does much else at the same time is no failure. */
export const PATIENCE = { timeout: 300_000 }

type Property = (sim: Sim) => void

const properties: Property[] = []
let broken: ReadonlySet<Property> | undefined

/** Looks at a night that is over; it is played once for all of these. */
export function always(name: string, holds: Property): void {
  properties.push(holds)
  test(name, PATIENCE, () => {
    broken ??= brokenOnes()
    if (broken.has(holds)) assertAlways(holds)
  })
}

/** For one that goes on where the night ends, each by itself. */
export function alwaysAfterwards(name: string, holds: Property): void {
  always(name, (sim) => holds(sim.copy()))
}

function brokenOnes(): ReadonlySet<Property> {
  const found = new Set<Property>()
  assertAlways((sim) => {
    for (const holds of properties) if (!found.has(holds) && isBroken(holds, sim)) found.add(holds)
  })
  return found
}

function isBroken(holds: Property, sim: Sim): boolean {
  try {
    holds(sim)
    return false
  } catch {
    return true
  }
}

/** fast-check prints the seed and the shrunk night when a property fails. */
function assertAlways(holds: Property): void {
  fc.assert(
    fc.property(night, (moves: readonly Move[]) => holds(played(moves))),
    { numRuns: RUNS, seed: SEED },
  )
}

function played(moves: readonly Move[]): Sim {
  const sim = new Sim()
  for (const move of moves) sim.make(move)
  return sim
}
