/** What is wanted of an agent. Whoever would do something to it asks here first: run, hold, stop or frozen. */
import type { AgentRecord } from '../contract/records.ts'
import type { HouseRecord } from '../contract/house-record.ts'
import type { DesiredView, Hold, LimitHold } from '../contract/standing.ts'

export type Instant = Pick<HouseRecord, 'observedAt' | 'wallAt'>

/** The strongest wish counts: a freeze, a stop, then what a person holds, then a usage limit or an outage. */
export function desiredOf(agent: AgentRecord, at: Instant): DesiredView {
  const { wanted, stopped, hold, limit, lent } = agent
  if (hold?.state === 'frozen' && !isOver(hold, at)) return heldBy(hold)
  if (wanted === 'stop') {
    const { by = 'a person', reason = 'it was stopped', wallAt } = stopped ?? {}
    return { state: 'stop', by, reason, ...(wallAt === undefined ? {} : { sinceWallAt: wallAt }) }
  }
  if (hold !== undefined && !isOver(hold, at)) return heldBy(hold)
  if (lent !== undefined) return { state: 'hold', by: 'hand-off', reason: `${lent.to} has its work` }
  if (limit !== undefined && isLimited(limit, at)) {
    const { sinceWallAt, untilWallAt, of } = limit
    const reason = of === 'outage' ? 'an outage of its service holds it' : 'a usage limit holds it'
    return { state: 'hold', by: 'limits', reason, sinceWallAt, untilWallAt }
  }
  return { state: 'run', by: 'cloister', reason: 'nobody wants otherwise' }
}

/** As it is shown: the end of a limit continues nobody who is stopped. */
export function shownDesired(agent: AgentRecord, at: Instant): DesiredView {
  const { limit: _, ...rest } = agent
  return desiredOf(agent.lifecycle === 'stopped' ? rest : agent, at)
}

function heldBy({ state, by, reason, sinceWallAt, untilWallAt }: Hold): DesiredView {
  return { state, by, reason, sinceWallAt, ...(untilWallAt === undefined ? {} : { untilWallAt }) }
}

/** Held by a usage limit that has not ended yet. */
export function isLimited(limit: LimitHold, at: Instant): boolean {
  return limit.continuedAt === undefined && !isOver(limit, at)
}

/** Whichever clock comes first: neither a sleeping laptop nor a clock that was set back makes a hold longer. */
export function isOver({ untilAt, untilWallAt }: Pick<Hold, 'untilAt' | 'untilWallAt'>, at: Instant): boolean {
  return (untilAt ?? Infinity) <= at.observedAt || (untilWallAt ?? Infinity) <= at.wallAt
}
