/** The present moment as the judge takes it. */
import type { Moment } from './health/judge.ts'
import type { World } from './world.ts'

export function momentOf({ house, observer, settings }: World): Moment {
  return { now: house.observedAt, graceAt: observer.graceAt, thresholds: settings.thresholds }
}
