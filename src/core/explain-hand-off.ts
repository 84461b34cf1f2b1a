/** What becomes of an agent's work if nothing moves: the hand-off that is open, or the one that a rule would propose. */
import type { AgentRecord } from '../contract/records.ts'
import type { ExplainView } from '../contract/views.ts'
import { momentOf } from './explain-next.ts'
import { inWords } from './hand-off-end.ts'
import { judge } from './health/judge.ts'
import { escalation } from './policies/escalation.ts'
import { suggestionView } from './hand-off-suggestion.ts'
import type { World } from './world.ts'

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
  const given = (at: number) => {
    const judgement = judge(agent, { ...momentOf(world), now: at })
    return escalation({ agent, judgement, now: at, looksSince: 2, settings: world.settings })
  }
  const first = given(now)
  const at = first.want === 'nothing' ? first.wakeAt : now
  const then = at === undefined ? first : given(at)
  const inMs = Math.max(0, (at ?? now) - now)
  if (then.want === 'hand_off' && agent.autoHandoff === 'off') {
    return [{ inMs, what: 'a person is told: automatic hand-offs of it are off' }, ...judged]
  }
  if (then.want === 'hand_off') return [{ inMs, what: `its work is handed to ${then.to}, if nothing moves` }, ...judged]
  return then.want === 'person' ? [{ inMs, what: 'a person is told: there is no dearer model' }, ...judged] : judged
}

/** What speaks for other hands and cannot be now; of one that is stuck more is said. */
function heldOccasion(world: World, { id }: AgentRecord): string | undefined {
  const { trigger, notNow, reason, suggestedModel, suggestedSpecialist } = suggestionView(world, id) ?? {}
  if (notNow === undefined || trigger === 'stuck_escalation') return undefined
  return `its work should go to ${suggestedSpecialist ?? suggestedModel} (${reason}), but not now: ${notNow}`
}
