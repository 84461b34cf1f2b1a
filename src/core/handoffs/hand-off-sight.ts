/**
 * What a hand-off sees of its agent in each state, and the act that it asks for there: proposed like anybody's wish,
 * once, and again only when it was refused because something else was in the way.
 */
import type { Refusal } from '../../contract/commands.ts'
import type { Trace } from '../../contract/evidence.ts'
import type { Handoff, HandoffState } from '../../contract/handoffs.ts'
import { lives } from '../../contract/lives.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Precedence } from '../../contract/acts.ts'
import { changeHands } from './change-hands.ts'
import { desiredOf } from '../desired.ts'
import { SECOND } from '../durations.ts'
import { endAct } from '../end-act.ts'
import { deadWitness } from '../health/judge.ts'
import { citationsOf } from '../health/words.ts'
import { EMERGENCY_CAME } from './hand-off-end.ts'
import { saveOrder } from './orders.ts'
import { keptText, summaryText } from '../prompts.ts'
import { propose } from '../propose.ts'
import type { Proposal } from '../proposals.ts'
import { agentOf, type Turn } from '../turn.ts'
import { can } from '../world.ts'
import type { HandoffInput } from '../procedures/hand-off.ts'

/** What is seen, as the machine takes it, and the words for it. */
export interface Seen {
  input: HandoffInput
  detail?: string | undefined
  by?: string | undefined
}

export type Sight = (turn: Turn, agent: AgentRecord, handoff: Handoff) => Seen | undefined

export function seeHandoff(turn: Turn, agent: AgentRecord, handoff: Handoff): Seen | undefined {
  const over = overtaken(turn, agent, handoff)
  if (over !== undefined) return { input: 'cancelled', detail: over }
  const seen = SIGHTS[handoff.state]?.(turn, agent, handoff)
  if (seen !== undefined) return seen
  return turn.now >= handoff.deadlineAt ? { input: 'timed_out' } : undefined
}

function precedenceOf({ isAsked, trigger }: Handoff): Precedence {
  if (isAsked) return 'human'
  if (trigger === 'stuck_escalation' || trigger === 'test_failure') return 'stuck'
  return trigger === 'context_limit' ? 'context' : 'routing'
}

/** What makes it moot: it was called off, or whoever is to give the work is not the one any more that it was. */
export function overtaken(turn: Turn, agent: AgentRecord, { state, from, giver }: Handoff): string | undefined {
  const why = calledOff(turn, agent)
  if (why !== undefined || !BEFORE_THE_END.includes(state)) return why
  const { generation } = (giver === undefined ? agent : turn.world.agents.get(giver)) ?? {}
  return generation === from.generation ? undefined : 'another generation runs by now'
}

/** Whatever its state. */
export function calledOff({ world }: Turn, agent: AgentRecord): string | undefined {
  if (world.house.emergency.state !== 'armed') return EMERGENCY_CAME
  return agent.wanted === 'stop' ? `${agent.stopped?.by ?? 'a person'} stopped it` : undefined
}

const BEFORE_THE_END: readonly HandoffState[] = ['awaiting_approval', 'resting', 'saving', 'capturing', 'stopping']

export const SIGHTS: Readonly<Partial<Record<HandoffState, Sight>>> = {
  awaiting_approval: (_, agent, handoff) => {
    if (!lives(agent)) return { input: 'died', detail: `it is ${agent.lifecycle}` }
    const isMoot = handoff.trigger === 'stuck_escalation' && agent.progressedAt > handoff.startedAt
    return isMoot ? { input: 'cancelled', detail: 'it makes progress again' } : undefined
  },
  resting: (turn, agent, handoff) => {
    if (isDead(agent)) return { input: 'died' }
    if (agent.lifecycle === 'idle') return { input: 'rests' }
    const { act } = handoff
    if (act === undefined) return wish(turn, agent, { kind: 'rest', reason: 'its work is handed over' })
    return act.result === undefined
      ? undefined
      : { input: 'failed', detail: `it did not come to rest: ${act.detail ?? act.result}` }
  },
  saving: (turn, agent, handoff) => {
    if (isDead(agent)) return { input: 'died' }
    const { act } = handoff
    if (act === undefined) {
      const text = saveOrder({ to: handoff.to.specialist ?? handoff.to.model })
      return wish(turn, agent, { kind: 'nudge', reason: 'it is to save its state', text })
    }
    if (act.result === 'not_done')
      return { input: 'failed', detail: `it could not be told to save: ${act.detail ?? ''}` }
    // One that was typed and worked since has taken it, whether it says so or not.
    if (act.result === undefined && agent.act?.step !== 'confirming') return undefined
    return agent.lifecycle === 'idle' && agent.lifecycleAt > act.decidedAt ? { input: 'saved' } : undefined
  },
  stopping: (turn, agent, { act, deadlineAt }) => {
    if (agent.lifecycle === 'stopped' && agent.act === undefined) return { input: 'stopped' }
    if (act === undefined) {
      const refused = wish(turn, agent, { kind: 'kill', reason: 'its work is handed over' })
      const isLate = turn.now >= deadlineAt && agentOf(turn, agent.id).act?.handoff === undefined
      return refused ?? (isLate ? { input: 'failed', detail: 'something else was in the way all the time' } : undefined)
    }
    if (act.result === undefined) return undefined
    const detail = `it could not be ended: ${act.detail ?? act.result}`
    return { input: isIncomplete(agent) ? 'stranded' : 'failed', detail }
  },
  starting: (turn, agent, handoff) => {
    const { act, id } = handoff
    if (act === undefined) return wish(turn, agent, { kind: 'spawn', reason: `it takes over by hand-off ${id}` })
    if (act.result === undefined) return undefined
    if ((act.result === 'done' || act.result === 'unknown') && lives(agent)) return { input: 'started' }
    return { input: 'failed', detail: `the successor was not started: ${act.detail ?? act.result}` }
  },
  proving: (_, agent, { nonce }) => {
    if (isDead(agent)) return { input: 'died', detail: 'the successor ended before it had begun' }
    return agent.echo?.nonce === nonce && hasWorked(agent, agent.startedAt ?? 0) ? { input: 'proved' } : undefined
  },
  rolling_back: seeRollBack,
}

/** First what may live of the successor ends, then the old session goes on with its old model. */
export function seeRollBack(turn: Turn, agent: AgentRecord, handoff: Handoff): Seen | undefined {
  const { act, from } = handoff
  if (agent.generation === from.generation && !isDead(agent)) return seeLivingOn(turn, agent, handoff)
  const detail = act?.detail ?? act?.result
  if (act?.kind === 'resume' || act?.kind === 'spawn') {
    if (act.result === undefined) return undefined
    const isBack = (act.result === 'done' || act.result === 'unknown') && !isDead(agent)
    if (isBack) {
      // One that may have been started goes on only when somebody has seen it.
      if (act.result === 'unknown' && !isSeen(agent)) return undefined
      const detail = act.kind === 'spawn' ? 'its old session is lost, and it began anew with its old model' : undefined
      return { input: 'resumed', detail }
    }
    return { input: 'failed', detail: `its old session could not be gone on with: ${detail}` }
  }
  if (lives(agent)) {
    if (act === undefined) return wish(turn, agent, { kind: 'kill', reason: 'the successor did not begin' })
    return act.result === undefined
      ? undefined
      : { input: 'stranded', detail: `the successor could not be ended: ${detail}` }
  }
  if (agent.act !== undefined) return undefined
  const { sessionId } = from
  changeHands(turn, agent, from)
  const back = agentOf(turn, agent.id)
  if (sessionId === undefined || !can(turn.world, back, 'resume')) {
    return { input: 'failed', detail: 'there is no session to go back to' }
  }
  const session = { id: sessionId, summary: summaryText(back) }
  return wish(turn, back, {
    ...{ kind: 'resume', reason: 'the hand-off failed', session },
    ...(isSetToRest(handoff) ? { text: keptText(handoff) } : {}),
  })
}

/** One that rested before goes on resting; whoever wrote for its own fresh beginning must know that there is none. */
export function isSetToRest({ wasAtRest, method }: Handoff): boolean {
  return wasAtRest !== true || method === 'context_cycle' || method === 'specialist_wake'
}

/** An order that was just taken shows after this time; one that was not is taken back. */
export const ORDER_MS = 5 * SECOND

/** Nothing was ended: it goes on, and is told so if it rests because of us. */
function seeLivingOn(turn: Turn, agent: AgentRecord, handoff: Handoff): Seen | undefined {
  const { act, stateAt, id } = handoff
  if (agent.act?.handoff === id && agent.act.kind === 'rest') {
    endAct(turn, agent, { result: 'cancelled', detail: 'the hand-off does not happen' })
  }
  if (turn.now < stateAt + ORDER_MS || (act !== undefined && act.result === undefined)) return undefined
  const resumed = { input: 'resumed', detail: 'it was not ended and goes on' } as const
  // One that was ordered to write for its own fresh beginning must know that there is none.
  const isTold =
    act?.kind === 'nudge' || !isSetToRest(handoff) || (agent.lifecycle !== 'idle' && handoff.cycle === undefined)
  if (isTold) return resumed
  const refused = wish(turn, agent, { kind: 'nudge', reason: 'the hand-off does not happen', text: keptText(handoff) })
  return refused === undefined ? undefined : resumed
}

type Wish = Pick<Proposal, 'kind' | 'reason' | 'text' | 'session' | 'handed' | 'anew'>

/** Undefined when it is under way, or when it only has to wait. */
export function wish(turn: Turn, agent: AgentRecord, wanted: Wish): Seen | undefined {
  const { handoff } = agent
  if (handoff === undefined) return undefined
  const refusal = request(turn, agent, { handoff, ...wanted })
  if (refusal === undefined) return undefined
  const { state, by, reason } = desiredOf(agent, turn.world.house)
  if (state === 'frozen' || (state === 'hold' && !handoff.isAsked)) {
    return { input: 'held', detail: `it is ${state === 'hold' ? 'held' : 'frozen'} by ${by}: ${reason}` }
  }
  return refusal.code === 'busy' ? undefined : { input: 'failed', detail: refusal.sentence }
}

export interface HandoffRequest extends Wish {
  handoff: Handoff
}

/** Of whomever: another agent has a part in some hand-offs, and some are over. */
export function request(turn: Turn, agent: AgentRecord, { handoff, ...wanted }: HandoffRequest): Refusal | undefined {
  return propose(turn, agent.id, {
    ...wanted,
    precedence: precedenceOf(handoff),
    by: 'hand-off',
    citations: citationsOf(agent, turn.now),
    handoff: handoff.id,
  })
}

export function isDead(agent: AgentRecord): boolean {
  return !lives(agent) || deadWitness(agent) !== undefined
}

function isSeen({ evidence: { hook, process, terminal } }: AgentRecord): boolean {
  return hook !== undefined || process?.alive === true || terminal?.alive === true
}

function isIncomplete({ needsYou }: AgentRecord): boolean {
  return needsYou.some(({ kind }) => kind === 'kill_incomplete')
}

/** A change of the work tree since then, or a call; those that are known are of this generation. */
export function hasWorked(agent: AgentRecord, since: number, calledSince = -Infinity): boolean {
  return agent.progressedAt > since || hasCalled(agent, calledSince)
}

/** One that is open, or over, since then; that by which it said its next step is none. */
function hasCalled({ trail, evidence }: AgentRecord, since: number): boolean {
  const { doing, doingAt = 0 } = evidence.hook ?? {}
  const isCalling = doing?.kind === 'tool' && doing.says !== true && doingAt > since
  return isCalling || (trail?.steps ?? []).some(({ at, trace }) => at > since && isWork(trace))
}

function isWork(trace: Trace): boolean {
  return trace.kind === 'call' && trace.says !== true
}
