/** Where a hand-off ends, however it ends; and what may be done to an agent while one is under way. */
import type { Refusal } from '../../contract/commands.ts'
import type { EventOf } from '../../contract/events.ts'
import type { Handoff, HandoffState } from '../../contract/handoffs.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { ActKind } from '../../contract/acts.ts'
import { ended, MINUTE } from '../durations.ts'
import { endAct } from '../end-act.ts'
import { barredByLoan } from './loans.ts'
import { keep, settle } from '../needs-you.ts'
import { leaveNote } from '../notes.ts'
import { agentOf, record, type Turn } from '../turn.ts'

/** By then it shows whether a hand-off that was done has helped. */
const JUDGED_AFTER_MS = 15 * MINUTE

type Ending = Pick<EventOf<'handoff.ended'>, 'result' | 'detail'> & Partial<EventOf<'handoff.ended'>>

export function endHandoff(turn: Turn, before: AgentRecord, ending: Ending): void {
  const { id, handoff } = before
  if (handoff === undefined) return
  const { act } = agentOf(turn, id)
  if (act?.kind === 'rest' && act.handoff === handoff.id) {
    endAct(turn, agentOf(turn, id), { result: 'cancelled', detail: 'the hand-off is over' })
  }
  const { generation, needsYou } = agentOf(turn, id)
  const isDone = ending.result === 'done'
  const { sessionId, generation: took } = turn.world.agents.get(handoff.to.specialist ?? id) ?? {}
  const judged = isDone
    ? { judgeAt: turn.now + JUDGED_AFTER_MS, ...(took === undefined ? {} : { successorGeneration: took }) }
    : {}
  const successor = isDone && sessionId !== undefined ? { successor: sessionId } : {}
  const of = { agent: id, generation, handoff: handoff.id }
  record(turn, { type: 'handoff.ended', ...of, ...ending, ...judged, ...successor })
  settleApproval(turn, agentOf(turn, id))
  if (ending.result === 'cancelled') tellOfEnd(turn, before, ending.detail)
  if (ending.result === 'cancelled') tellOfOld(turn, agentOf(turn, id), { handoff, why: ending.detail })
  const goesOn = isDone || (handoff.giver !== undefined && ending.result === 'rolled_back')
  if (goesOn) for (const item of needsYou) if (item.kind === 'handoff') settle(turn, item, 'cloister')
  turn.toJudge.add(id)
}

/** It was told of it, or was about to be: it would wait for what does not come. Of one that lives on, others see to that. */
function tellOfEnd(turn: Turn, before: AgentRecord, why: string): void {
  const handoff = handoffUnderWay(before)
  if (handoff === undefined) return
  const { wanted, lifecycle } = agentOf(turn, before.id)
  if (wanted !== 'stop' && lifecycle !== 'stopped' && why !== EMERGENCY_CAME) return
  const what = handoff.cycle === undefined ? 'the hand-off of your work' : 'the clearing of your context'
  leaveNote(turn, before.id, `${what} was cancelled (${why}). Do not wait for it: the work is yours.`)
}

/** Why an emergency stop ends a hand-off. */
export const EMERGENCY_CAME = 'an emergency stop came'

/** Its old session is ended and nobody has shown that he goes on: a person must know where the work is. */
function tellOfOld(turn: Turn, { id, model }: AgentRecord, { handoff, why }: { handoff: Handoff; why: string }): void {
  if (handoff.hasEndedOld !== true) return
  const { from, salvage } = handoff
  const session = from.sessionId === undefined ? 'Its old session is not known' : `Its old session is ${from.sessionId}`
  const saved = salvage === undefined ? 'its work is as it left it' : `its work then is ${salvage}`
  keep(turn, true, {
    kind: 'handoff',
    agent: id,
    handoff: handoff.id,
    sentence: ended(`The hand-off of ${id} from ${from.model} to ${handoff.to.model} was cut short: ${why}`),
    hint:
      `${session}, ${saved} (\`pan restore ${id}\`). It has the model ${model}: go on with \`pan agents resume ${id}\`, ` +
      `or begin anew with \`pan agents spawn ${id} --model ${from.model}\`.`,
  })
}

export function settleApproval(turn: Turn, { needsYou }: AgentRecord, by = 'cloister'): void {
  for (const item of needsYou) if (item.kind === 'approval') settle(turn, item, by)
}

const WAITING: readonly HandoffState[] = ['proposed', 'awaiting_approval']

/** The one that has begun: no rule does anything else to the agent, and people no more than stop it or talk to it. */
export function handoffUnderWay({ handoff }: AgentRecord): Handoff | undefined {
  return handoff === undefined || WAITING.includes(handoff.state) ? undefined : handoff
}

const NOTHING_ENDED: readonly HandoffState[] = ['awaiting_approval', 'resting', 'saving', 'capturing']

/** Work that comes back from a specialist is on its way to its owner, which nobody refuses. */
export function mayBeRefused({ state, giver }: Handoff): boolean {
  return giver === undefined && NOTHING_ENDED.includes(state)
}

/** What else can be done about one that can no longer be refused. */
export function tooLateHint({ id }: Pick<AgentRecord, 'id'>, handoff: Pick<Handoff, 'id'>): string {
  return `Wait for its end (\`pan handoff show ${handoff.id}\`), or kill the agent: \`pan agents kill ${id}\`.`
}

const OPEN_TO_PEOPLE: readonly ActKind[] = ['kill', 'message', 'answer', 'poke', 'interrupt', 'rest']

/** Why something else than the hand-off wants cannot be done now. */
export function barredByHandoff(
  agent: AgentRecord,
  { kind, isHuman }: { kind?: ActKind; isHuman: boolean },
): Refusal | undefined {
  const lent = barredByLoan(agent, { isHuman, ...(kind === undefined ? {} : { kind }) })
  if (lent !== undefined) return lent
  const handoff = handoffUnderWay(agent)
  if (handoff === undefined || (isHuman && kind !== undefined && OPEN_TO_PEOPLE.includes(kind))) return undefined
  return {
    code: 'busy',
    sentence: `${nameOf(agent, handoff)} is under way (${handoff.id}, ${inWords(handoff.state)})`,
    hint: `Wait for its end (\`pan handoff show ${handoff.id}\`), or kill the agent.`,
  }
}

export function nameOf({ id }: Pick<AgentRecord, 'id'>, { cycle, to }: Handoff): string {
  return cycle === undefined ? `a hand-off of ${id} to ${to.specialist ?? to.model}` : `a context cycle of ${id}`
}

export function inWords(state: HandoffState): string {
  return state.replaceAll('_', ' ')
}
