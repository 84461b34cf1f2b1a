/** What becomes of an agent's work if nothing moves: the hand-off that is open, or the one that a rule would propose. */
import type { AgentRecord } from '../../contract/records.ts'
import type { ExplainView } from '../../contract/views.ts'
import { stuckHealth } from '../escalate.ts'
import { momentOf } from '../explain-next.ts'
import { inWords } from './hand-off-end.ts'
import { judge } from '../health/judge.ts'
import { occasionsOf } from '../occasions.ts'
import { escalation, type Escalation } from '../policies/escalation.ts'
import { suggestionView } from './hand-off-suggestion.ts'
import type { World } from '../world.ts'

export function handoffAhead(world: World, agent: AgentRecord): ExplainView['next'] {
  const now = world.house.observedAt
  const { handoff, handoffs = [] } = agent
  const judgeAt = handoffs.at(-1)?.judgeAt
  const judged =
    judgeAt === undefined ? [] : [{ inMs: Math.max(0, judgeAt - now), what: 'hand-off is judged: did it help?' }]
  if (handoff !== undefined) {
    const name =
      handoff.cycle === undefined ? `hand-off ${handoff.id} to ${handoff.to.model}` : `context cycle ${handoff.id}`
    const what = `${name} is ${inWords(handoff.state)}, until then at most`
    return [{ inMs: Math.max(0, handoff.deadlineAt - now), what }]
  }
  const held = heldOccasion(world, agent)
  if (held !== undefined) return [{ inMs: 0, what: held }, ...judged]
  if (agent.adopted !== undefined || agent.lifecycle !== 'active') return judged
  const first = stuckAt(world, agent, now)
  const at = (first.want === 'nothing' ? first.wakeAt : undefined) ?? now
  const { want, goesTo } = at === now ? first : stuckAt(world, agent, at)
  const inMs = Math.max(0, at - now)
  if (want === 'nothing') return judged
  if (goesTo === undefined) return [{ inMs, what: 'a person is told: there is no dearer model' }, ...judged]
  if (agent.autoHandoff === 'off') {
    return [{ inMs, what: 'a person is told: automatic hand-offs of it are off' }, ...judged]
  }
  return [{ inMs, what: `its work is handed to ${goesTo}, if nothing moves` }, ...judged]
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

/** What speaks for other hands and cannot be now; of one that is stuck more is said. */
function heldOccasion(world: World, { id }: AgentRecord): string | undefined {
  const { trigger, notNow, reason, suggestedModel, suggestedSpecialist } = suggestionView(world, id) ?? {}
  if (notNow === undefined || trigger === 'stuck_escalation') return undefined
  return `its work should go to ${suggestedSpecialist ?? suggestedModel} (${reason}), but not now: ${notNow}`
}
