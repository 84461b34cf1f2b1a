/** Who was brought to rest for a hand-off that came to nothing is told to go on as soon as that is allowed, once. */
import type { Handoff, HandoffState } from '../../contract/handoffs.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { desiredOf } from '../desired.ts'
import { MINUTE } from '../durations.ts'
import { isDead, isSetToRest, ORDER_MS, request } from './hand-off-sight.ts'
import type { HandoffInput } from '../procedures/hand-off.ts'
import { keptText } from '../prompts.ts'
import type { Turn } from '../turn.ts'

const TOUCHED: readonly HandoffState[] = ['resting', 'saving', 'capturing', 'stopping']

/** Whether it ends with an agent that rests because of it, or saves and then rests, and was not told. */
export function untoldBy(turn: Turn, agent: AgentRecord, input: HandoffInput): Pick<Handoff, 'untold'> {
  if (!isUntold(turn, agent, input)) return {}
  return { untold: agent.handoff?.state === 'saving' ? 'saves' : 'rests' }
}

function isUntold({ world }: Turn, agent: AgentRecord, input: HandoffInput): boolean {
  const { handoff } = agent
  if (handoff === undefined || !isSetToRest(handoff) || handoff.giver !== undefined) return false
  const isDropped = input === 'held' || input === 'refused'
  // One that rested before its work was to be lent goes on resting.
  if (isDropped) return TOUCHED.includes(handoff.state) && (handoff.wasAtRest !== true || handoff.cycle !== undefined)
  const isKept = input === 'resumed' && agent.generation === handoff.from.generation
  return isKept && handoff.act?.kind !== 'nudge' && desiredOf(agent, world.house).state !== 'run'
}

/** Who was told to save and does so rests within this time. */
const SAVED_MS = 10 * MINUTE
const AGAIN_MS = MINUTE

/** When to come back; undefined when nobody is owed a word, or it works again. */
export function tellKept(turn: Turn, agent: AgentRecord): number | undefined {
  const { handoffs = [], errand, lifecycle } = agent
  const last = handoffs.at(-1)
  if (last?.untold === undefined || agent.lent !== undefined || agent.generation !== last.from.generation)
    return undefined
  const showsAt = (last.endedAt ?? 0) + ORDER_MS
  if (turn.now < showsAt) return showsAt
  const restedBy = last.untold === 'saves' ? showsAt + SAVED_MS : showsAt
  const goesOn = agent.lifecycleAt > restedBy
  if (goesOn || lifecycle !== 'idle' || isDead(agent)) return undefined
  const asked = errand?.handoff === last.id ? errand : undefined
  if (asked !== undefined && asked.result !== 'not_done') return undefined
  const againAt = (asked?.endedAt ?? -Infinity) + AGAIN_MS
  if (turn.now < againAt) return againAt
  const told = { kind: 'nudge', reason: 'the hand-off does not happen', text: keptText(last) } as const
  const refusal = request(turn, agent, { handoff: last, ...told })
  return refusal === undefined ? undefined : turn.now + AGAIN_MS
}
