/** What becomes of an agent's work if nothing moves: the hand-off that is open, or the one that a rule would propose. */
import type { AgentRecord } from '../../contract/records.ts'
import type { Ahead } from '../explain-next.ts'
import { inWords } from './hand-off-end.ts'
import { suggestionView } from './hand-off-suggestion.ts'
import { comingHandoff } from './stuck-ahead.ts'
import type { World } from '../world.ts'

export function handoffAhead(world: World, agent: AgentRecord): Ahead[] {
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
  const ahead = comingHandoff(world, agent)
  if (ahead === undefined) return judged
  const { at, goesTo } = ahead
  const inMs = Math.max(0, at - now)
  if (goesTo === undefined) return [{ inMs, what: 'a person is told: there is no dearer model' }, ...judged]
  if (agent.autoHandoff === 'off') {
    return [{ inMs, what: 'a person is told: automatic hand-offs of it are off' }, ...judged]
  }
  return [{ inMs, what: `its work is handed to ${goesTo}, if nothing moves`, isAct: true }, ...judged]
}

/** What speaks for other hands and cannot be now; of one that is stuck more is said. */
function heldOccasion(world: World, { id }: AgentRecord): string | undefined {
  const { trigger, notNow, reason, suggestedModel, suggestedSpecialist } = suggestionView(world, id) ?? {}
  if (notNow === undefined || trigger === 'stuck_escalation') return undefined
  return `its work should go to ${suggestedSpecialist ?? suggestedModel} (${reason}), but not now: ${notNow}`
}
