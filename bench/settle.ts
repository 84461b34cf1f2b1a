/** A fleet as it is after its first minute. */
import { step } from '../src/core/step.ts'
import type { World } from '../src/core/world.ts'

const START = { id: 'i-0', wallAt: 1_000_000, monoAt: 0 }

/** Boot, the two looks that are owed, and the first verdict on everybody: what every fleet goes through once. */
export function settle(world: World): void {
  const look = { ...START, type: 'look' as const, sightings: [], sentinel: false }
  for (const input of [{ ...START, type: 'boot' as const, openEffects: 0 }, look, look]) step(world, input)
  while ((world.deadlines.next() ?? Infinity) <= world.house.observedAt) {
    step(world, { ...START, type: 'tick', lateMs: 0 })
  }
}
