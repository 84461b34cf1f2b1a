/**
 * What a hand-off to a specialist, and the one back, sees of both in each state, and what it asks of them. The work
 * changes its owner here alone: to the specialist right before it is woken, and back before the agent is told.
 */
import type { Refusal } from '../../contract/commands.ts'
import type { Errand, Handoff, HandoffState } from '../../contract/handoffs.ts'
import { lives } from '../../contract/lives.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { MINUTE, SECOND } from '../durations.ts'
import { isAway, lend, lenderTo, rests, restsFree, takeBack } from './loans.ts'
import {
  hasWorked,
  isDead,
  overtaken,
  request,
  seeRollBack,
  SIGHTS,
  type HandoffRequest,
  type Seen,
  type Sight,
} from './hand-off-sight.ts'
import { returnedText, summaryText } from '../prompts.ts'
import { registerSpecialist, untakenBySpecialist } from './specialists.ts'
import { agentOf, record, type Turn } from '../turn.ts'
import { can } from '../world.ts'

export function seeWake(turn: Turn, agent: AgentRecord, handoff: Handoff): Seen | undefined {
  const over = overtaken(turn, agent, handoff)
  if (over !== undefined) return { input: 'cancelled', detail: over }
  const sights = handoff.giver === undefined ? OUT : BACK
  const seen = sights[handoff.state]?.(turn, agent, handoff)
  if (seen !== undefined) return seen
  return turn.now >= handoff.deadlineAt ? { input: 'timed_out' } : undefined
}

type Sights = Partial<Record<HandoffState, Sight | undefined>>

/** The agent gives, the specialist takes. */
const OUT: Sights = {
  awaiting_approval: SIGHTS.awaiting_approval,
  resting: SIGHTS.resting,
  saving: SIGHTS.saving,
  capturing: (_, agent) => (isDead(agent) ? { input: 'died' } : undefined),
  starting: (turn, agent, handoff) => {
    if (agent.lent === undefined) {
      if (agent.lifecycle !== 'idle' || isDead(agent)) return { input: 'failed', detail: 'it does not rest' }
      if (!rests(agent, turn.now)) return undefined
      const refusal = handOut(turn, agent, handoff)
      if (refusal !== undefined) return { input: 'failed', detail: refusal.sentence }
    }
    const specialist = specialistOf(turn, handoff)
    if (specialist === undefined) return { input: 'failed', detail: 'the specialist is gone' }
    return seeWoken(turn, specialist, { handoff, asked: errandOf(specialist, handoff) })
  },
  proving: (turn, agent, handoff) => {
    const specialist = specialistOf(turn, handoff)
    if (specialist === undefined || isDead(specialist)) {
      return { input: 'died', detail: `${handoff.to.specialist} ended before it had begun` }
    }
    const isSaid = specialist.echo?.nonce === handoff.nonce
    const at = agent.lent?.at ?? 0
    return isSaid && hasWorked(specialist, at, at) ? { input: 'proved' } : undefined
  },
  rolling_back: (turn, agent, handoff) => {
    if (agent.lent === undefined) return seeRollBack(turn, agent, handoff)
    const seen = seeEnded(turn, agent, handoff)
    if (seen !== 'over') return seen
    takeBack(turn, agent.id, 'the hand-off failed')
    return seeRollBack(turn, agentOf(turn, agent.id), handoff)
  },
}

/** The specialist gives, the agent takes. */
const BACK: Sights = {
  resting: (turn, _, handoff) => {
    const giver = turn.world.agents.get(handoff.giver ?? '')
    if (giver === undefined || isAway(giver)) return { input: 'died' }
    if (restsFree(giver, turn.now)) return { input: 'rests' }
    const asked = errandOf(giver, handoff)
    if (asked === undefined) return ask(turn, giver, { handoff, kind: 'rest', reason: 'it is to give the work back' })
    const isRefused = asked.result !== undefined && asked.result !== 'done'
    return isRefused ? { input: 'failed', detail: `${giver.id} did not come to rest: ${whyOf(asked)}` } : undefined
  },
  starting: (turn, agent, handoff) => {
    if (agent.lent !== undefined) {
      const giver = turn.world.agents.get(agent.lent.to)
      if (giver?.lifecycle === 'active') return { input: 'cancelled', detail: `${giver.id} works again` }
      const isAtRest = giver === undefined || restsFree(giver, turn.now) || isAway(giver)
      if (!isAtRest) return undefined
      takeBack(turn, agent.id, handoff.reason)
    }
    const taker = agentOf(turn, agent.id)
    // Its end is seen to first, as that of anybody who rests.
    if (lives(taker) && isDead(taker)) return undefined
    return seeWoken(turn, taker, { handoff, asked: handoff.act })
  },
  proving: (_, agent, { nonce, captured, startedAt }) => {
    if (isDead(agent)) return { input: 'died', detail: 'it ended before it went on' }
    const isSaid = captured === undefined || agent.echo?.nonce === nonce
    return isSaid && hasWorked(agent, startedAt, startedAt) ? { input: 'proved' } : undefined
  },
}

function specialistOf({ world }: Turn, { to }: Handoff): AgentRecord | undefined {
  return world.agents.get(to.specialist ?? '')
}

/** What was asked of it in the present state. */
function errandOf({ errand }: AgentRecord, { id, stateAt }: Handoff): Errand | undefined {
  return errand?.handoff === id && errand.decidedAt >= stateAt ? errand : undefined
}

function whyOf({ detail, result = 'nothing is known' }: Pick<Errand, 'detail' | 'result'>): string {
  return detail ?? result
}

/** The one instant at which the specialist becomes the owner; or why it does not. */
function handOut(turn: Turn, agent: AgentRecord, handoff: Handoff): Refusal | undefined {
  const refusal = untakenBySpecialist(turn.world, agent, handoff)
  if (refusal !== undefined) return refusal
  if (specialistOf(turn, handoff) === undefined) registerSpecialist(turn, agent, handoff)
  lend(turn, agentOf(turn, agent.id), handoff)
  return undefined
}

type Asked = Omit<Errand, 'handoff'>

/** A text that was taken shows by then, and so long one that was not is typed again. */
const TAKEN_MS = 30 * SECOND
const TOLD_MS = 3 * MINUTE

/**
 * One that lives is told, one that sleeps goes on with its session, any other begins anew. One that lives in another
 * workspace is ended there first, so that nobody works where the work is not.
 */
function seeWoken(
  turn: Turn,
  taker: AgentRecord,
  { handoff, asked }: { handoff: Handoff; asked: Asked | undefined },
): Seen | undefined {
  if (asked === undefined) return wake(turn, taker, { handoff, isAnew: false })
  if (asked.result === undefined) return undefined
  if (asked.kind === 'kill') {
    if (taker.act !== undefined) return undefined
    if (!lives(taker)) return wake(turn, taker, { handoff, isAnew: true })
    return { input: 'failed', detail: `${taker.id} could not be ended where it was: ${whyOf(asked)}` }
  }
  if (asked.kind === 'nudge' && asked.result === 'unknown' && isUntouched(taker, asked.decidedAt)) {
    // Whoever never stirred since has not taken it, so that nobody is told twice.
    if (turn.now < (asked.endedAt ?? 0) + TAKEN_MS) return undefined
    if (turn.now < handoff.stateAt + TOLD_MS) return wake(turn, taker, { handoff, isAnew: false })
    return { input: 'failed', detail: `${taker.id} takes no text` }
  }
  if ((asked.result === 'done' || asked.result === 'unknown') && lives(taker)) return { input: 'started' }
  const isLost = asked.kind === 'resume' && !lives(taker) && taker.act === undefined
  if (isLost) return wake(turn, taker, { handoff, isAnew: true })
  return { input: 'failed', detail: `${taker.id} was not woken: ${whyOf(asked)}` }
}

function isUntouched({ lifecycle, lifecycleAt }: AgentRecord, at: number): boolean {
  return lifecycle === 'idle' && lifecycleAt <= at
}

function wake(
  turn: Turn,
  taker: AgentRecord,
  { handoff, isAnew }: { handoff: Handoff; isAnew: boolean },
): Seen | undefined {
  const { id, sessionId } = taker
  const reason = handoff.giver === undefined ? `it helps by hand-off ${handoff.id}` : `${handoff.giver} gives it back`
  const { captured } = handoff
  const lender = lenderTo(turn.world, id)
  const isElsewhere = lender !== undefined && standsElsewhere(taker, lender)
  if (isElsewhere && lives(taker)) return ask(turn, taker, { handoff, kind: 'kill', reason: 'it is to help elsewhere' })
  const told =
    captured === undefined ? { text: returnedText(handoff.giver ?? id) } : { handed: { heard: captured.heard } }
  if (lives(taker)) return ask(turn, taker, { handoff, kind: 'nudge', reason, ...told })
  if (sessionId === undefined || isAnew || isElsewhere || !can(turn.world, taker, 'resume')) {
    if (lender !== undefined) registerSpecialist(turn, lender, handoff)
    const text = told.text === undefined ? {} : { text: `${summaryText(taker)}\n${told.text}`, anew: true as const }
    return ask(turn, taker, { handoff, kind: 'spawn', reason, ...text })
  }
  const session = { id: sessionId, summary: summaryText(taker) }
  return ask(turn, taker, { handoff, kind: 'resume', reason, session, ...told })
}

function standsElsewhere({ workspace }: AgentRecord, lender: AgentRecord): boolean {
  return workspace !== lender.workspace
}

/** Whoever may have begun is ended, work saved, before the agent goes on; whoever was told nothing is left alone. */
function seeEnded(turn: Turn, lender: AgentRecord, handoff: Handoff): Seen | 'over' | undefined {
  const specialist = specialistOf(turn, handoff)
  if (specialist === undefined) return 'over'
  const { errand, act, restarts, id, generation } = specialist
  if (act !== undefined) return undefined
  if (!lives(specialist)) {
    const why = 'the work goes back'
    if (restarts?.dueAt !== undefined) record(turn, { type: 'restart.dropped', agent: id, generation, why })
    return 'over'
  }
  // It was told nothing, and is not where the work is.
  if (standsElsewhere(specialist, lender)) return 'over'
  const isEnding = errand?.kind === 'kill' && errand.handoff === handoff.id
  if (isEnding) return { input: 'stranded', detail: `${id} could not be ended: ${whyOf(errand)}` }
  const isTold = errand?.handoff === handoff.id && errand.result !== 'not_done'
  return isTold ? ask(turn, specialist, { handoff, kind: 'kill', reason: 'it did not begin' }) : 'over'
}

/** Undefined when it is under way, or when it only has to wait. */
function ask(turn: Turn, target: AgentRecord, wanted: HandoffRequest): Seen | undefined {
  const refusal = request(turn, target, wanted)
  return refusal === undefined || refusal.code === 'busy' ? undefined : { input: 'failed', detail: refusal.sentence }
}
