/** A usage limit whose time has passed holds nobody any more: what is said of it then, and what comes next. */
import type { AgentRecord } from '../contract/records.ts'
import type { Cause } from '../contract/verdict.ts'
import { isLimited } from './desired.ts'
import { duration } from './durations.ts'
import type { World } from './world.ts'

/** Undefined where no limit holds it, where its end is yet to come, and where nobody knows it. */
export function limitOver({ house }: World, agent: AgentRecord, cause: Cause): string | undefined {
  if (cause.kind !== 'rate_limited' || cause.untilWallAt === undefined) return undefined
  const overMs = house.wallAt - cause.untilWallAt
  return overMs < 0 ? undefined : `its usage limit was over ${duration(overMs)} ago; ${afterwards(house, agent)}`
}

function afterwards(house: World['house'], { limit, act }: AgentRecord): string {
  if (act?.kind === 'continue') return 'it is being told to go on'
  if (limit === undefined) return 'it should go on by itself'
  const { continuedAt, untilAt, untilWallAt } = limit
  if (continuedAt !== undefined) return `it was told to go on ${duration(house.observedAt - continuedAt)} ago`
  if (!isLimited(limit, house)) return 'it is told to go on as soon as rules may act on it'
  return `it is told to go on in ${duration(Math.min(untilAt - house.observedAt, untilWallAt - house.wallAt))}`
}
