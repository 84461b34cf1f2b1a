/** When the context of an agent will be cleared, as it goes now: for programs, for people, and for `pan explain`. */
import type { CycleView } from '../../contract/cycle-view.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Ahead } from '../explain-next.ts'
import { cycleOutlook, percent } from '../policies/context.ts'
import { can, type World } from '../world.ts'

/** Left out where nothing would begin one, or where nobody knows how full the context is. */
export function cycleView(world: World, agent: AgentRecord): CycleView | undefined {
  const { settings, house } = world
  const { cycle } = settings.handoffs
  if (!cycle.enabled || agent.adopted !== undefined || !can(world, agent, 'clear')) return undefined
  const outlook = cycleOutlook(agent, house.observedAt, cycle)
  if (outlook === undefined) return undefined
  const { fill, share, dueAt, tokensPerMinute, warning } = outlook
  return {
    ...{ share: fill, threshold: share },
    ...(dueAt === undefined ? {} : { dueInMs: Math.max(0, dueAt - house.observedAt) }),
    ...(tokensPerMinute === undefined ? {} : { tokensPerMinute }),
    ...(warning === undefined ? {} : { warning }),
  }
}

export function cycleAhead(world: World, agent: AgentRecord): Ahead[] {
  const { dueInMs, threshold = 0, share = 0 } = cycleView(world, agent) ?? {}
  if (dueInMs === undefined) return []
  const what = `its context (${percent(share)} of what can be used) reaches ${percent(threshold)}: it begins a fresh one`
  return [{ inMs: dueInMs, what, isAct: true }]
}
