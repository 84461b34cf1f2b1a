/** Who would have the work of an agent that stays stuck, and when: asked of the rule that hands it on. */
import type { AgentRecord } from '../../contract/records.ts'
import { stuckHealth } from '../escalate.ts'
import { judge } from '../health/judge.ts'
import { momentOf } from '../moment-of.ts'
import { occasionsOf } from '../occasions.ts'
import { escalation, type Escalation } from '../policies/escalation.ts'
import type { World } from '../world.ts'

export interface HandsAhead {
  at: number
  /** Undefined when a person is told. */
  goesTo?: string
}

/** Undefined when nothing comes of it, however long it lasts. */
export function comingHandoff(world: World, agent: AgentRecord): HandsAhead | undefined {
  const now = world.house.observedAt
  const first = stuckAt(world, agent, now)
  const at = (first.want === 'nothing' ? first.wakeAt : undefined) ?? now
  const { want, goesTo } = at === now ? first : stuckAt(world, agent, at)
  return want === 'nothing' ? undefined : { at, ...(goesTo === undefined ? {} : { goesTo }) }
}

/** What is wanted for it when it is still so then, and who has its work then: undefined when nobody does. */
function stuckAt(world: World, agent: AgentRecord, now: number): Escalation & { goesTo?: string } {
  const { settings } = world
  const judgement = judge(agent, { ...momentOf(world), now })
  const stuck = escalation({ agent, judgement, now, looksSince: 2, settings })
  const health = stuckHealth(agent, judgement, stuck)
  if (health === undefined) return stuck
  const occasions = [...occasionsOf(agent, { now, settings, health })]
  const to = occasions.find(({ trigger }) => trigger.trigger === 'stuck_escalation')?.trigger.to
  if (to === undefined) return stuck
  if ('model' in to) return { ...stuck, goesTo: to.model }
  return 'specialist' in to ? { ...stuck, goesTo: to.specialist } : stuck
}
