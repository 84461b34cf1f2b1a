/**
 * What a context cycle sees of its agent in each state, and the act that it asks for there. What verifiably did not
 * happen is tried again after a wait that grows; what was done and did not help is done once more, then it is given up.
 */
import type { Cycle, DocumentLook } from '../../contract/context-cycle.ts'
import type { Handoff, HandoffState } from '../../contract/handoffs.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Settings } from '../../contract/settings.ts'
import { lookAtDocument, lookOf, nextLookAt, STABLE_MS } from './cycle-document.ts'
import { MINUTE, SECOND } from '../durations.ts'
import { calledOff, hasWorked, isDead, overtaken, seeHandoff, wish, type Seen } from './hand-off-sight.ts'
import { documentOrder } from './orders.ts'
import type { Turn } from '../turn.ts'
import { can } from '../world.ts'

export function seeCycle(turn: Turn, agent: AgentRecord, handoff: Handoff): Seen | undefined {
  const { cycle, state } = handoff
  if (cycle === undefined || state === 'awaiting_approval') return seeHandoff(turn, agent, handoff)
  if (state === 'rolling_back') return withReason(handoff, seeHandoff(turn, agent, handoff))
  // Another generation, in a cleared context, is what is waited for there.
  const over = state === 'stopping' ? calledOff(turn, agent) : overtaken(turn, agent, handoff)
  if (over !== undefined) return { input: 'cancelled', detail: over }
  const given = { handoff, cycle }
  const seen = SIGHTS[state]?.(turn, agent, given)
  if (seen !== undefined || turn.now < handoff.deadlineAt) return seen
  return mayRepeat(turn, given) ? { input: 'again', detail: LATE[state] } : { input: 'timed_out', detail: LATE[state] }
}

/** Of a cycle; the others wait as long as any hand-off does. */
export const CYCLE_WITHIN_MS: Partial<Record<HandoffState, (cycle: Settings['handoffs']['cycle']) => number>> = {
  /** An order waits for the end of the response; meanwhile no rule looks after the agent. */
  resting: () => 15 * MINUTE,
  saving: ({ writeMs }) => writeMs,
  stopping: () => 5 * MINUTE,
  starting: () => 5 * MINUTE,
}

const LATE: Partial<Record<HandoffState, string>> = {
  resting: 'it did not come to rest in time',
  saving: 'it did not write its hand-off document in time',
  stopping: 'its context could not be cleared in time',
  starting: 'its document could not be given to it in time',
  proving: 'it did not show in its new session that it goes on',
}

interface Given {
  handoff: Handoff
  cycle: Cycle
}

type Sight = (turn: Turn, agent: AgentRecord, given: Given) => Seen | undefined

const SIGHTS: Partial<Record<HandoffState, Sight>> = {
  resting: (turn, agent, { handoff: { act } }) => {
    if (isDead(agent)) return { input: 'died' }
    if (agent.lifecycle === 'idle') return { input: 'rests' }
    // One that takes no order is waited for.
    if (!can(turn.world, agent, 'softStop') || (act !== undefined && act.result === undefined)) return undefined
    return wish(turn, agent, { kind: 'rest', reason: 'its context is to be cleared' })
  },
  saving: (turn, agent, given) => {
    if (isDead(agent)) return { input: 'died' }
    const { act } = given.handoff
    if (act === undefined) {
      const look = lookOf(agent, given.handoff)
      // Only rest was missing.
      return look !== undefined && isGood(turn, look, given) ? { input: 'saved' } : order(turn, agent, given)
    }
    if (act.result === 'not_done' || isUnheard(turn, agent, given)) {
      return isTime(turn, given) ? order(turn, agent, given) : undefined
    }
    // One that was typed and worked since has taken it, whether it says so or not.
    if (act.result === undefined && agent.act?.step !== 'confirming') return undefined
    return seeDocument(turn, agent, given)
  },
  stopping: (turn, agent, given) => {
    const { act, from } = given.handoff
    if (agent.generation !== from.generation) return { input: 'stopped' }
    if (isDead(agent)) return { input: 'died' }
    if (act === undefined) {
      return agent.lifecycle === 'idle'
        ? wish(turn, agent, { kind: 'clear', reason: 'its document is written' })
        : undefined
    }
    if (act.result === undefined || act.result === 'done' || !isTime(turn, given)) return undefined
    const detail = `its context was not cleared: ${act.detail ?? act.result}`
    return { input: mayRepeat(turn, given) ? 'again' : 'failed', detail }
  },
  starting: (turn, agent, given) => {
    if (isDead(agent)) return { input: 'died', detail: 'it ended after its context was cleared' }
    const { act, captured } = given.handoff
    if (act === undefined || (act.result === 'not_done' && isTime(turn, given))) {
      const handed = { heard: captured?.heard }
      return wish(turn, agent, { kind: 'nudge', reason: 'it goes on from its document', handed })
    }
    // Whether it was heard shows in what the agent does.
    return act.result === undefined || act.result === 'not_done' ? undefined : { input: 'started' }
  },
  proving: (turn, agent, given) => {
    if (isDead(agent)) return { input: 'died', detail: 'it ended after its context was cleared' }
    const { nonce, stateAt } = given.handoff
    if (agent.echo?.nonce === nonce && hasWorked(agent, stateAt)) {
      return { input: 'proved', detail: 'it said its next step in its new session and works' }
    }
    const isLate = turn.now >= stateAt + turn.world.settings.handoffs.cycle.verifyMs
    if (!isLate || agent.lifecycle !== 'idle') return undefined
    return { input: mayRepeat(turn, given, 'starting') ? 'again' : 'timed_out', detail: LATE.proving }
  },
}

function mayRepeat({ world }: Turn, { handoff, cycle }: Given, step?: HandoffState): boolean {
  const repeated = step ?? REPEATED[handoff.state]
  return repeated !== undefined && (cycle.tries[repeated] ?? 1) <= world.settings.handoffs.cycle.retries
}

/** The step that is done once more; what only has to wait is not. */
const REPEATED: Partial<Record<HandoffState, HandoffState>> = {
  saving: 'saving',
  stopping: 'stopping',
  proving: 'starting',
}

const WAIT_MS = 10 * SECOND

/** What could not be done is tried again, each time after a longer while. */
function isTime({ now }: Turn, { handoff: { act, stateAt } }: Given): boolean {
  const endedAt = act?.endedAt ?? now
  return now >= endedAt + Math.max(WAIT_MS, (endedAt - stateAt) / 2)
}

const UNHEARD_MS = 20 * SECOND

/** It may have been typed, and the agent rests as it did before: nobody took it. */
function isUnheard({ now }: Turn, agent: AgentRecord, { handoff: { act } }: Given): boolean {
  if (act?.result !== 'unknown' || agent.lifecycle !== 'idle') return false
  return agent.lifecycleAt <= act.decidedAt && now >= (act.endedAt ?? now) + UNHEARD_MS
}

function order(turn: Turn, agent: AgentRecord, { handoff, cycle }: Given): Seen | undefined {
  const findings = (cycle.tries.saving ?? 1) > 1 ? (lookOf(agent, handoff)?.findings ?? []) : []
  const text = documentOrder({
    path: cycle.document,
    nonce: cycle.nonce,
    wallAt: handoff.startedWallAt,
    percent: cycle.percent,
    project: agent.project ?? agent.issue ?? agent.id,
    findings,
  })
  return wish(turn, agent, { kind: 'nudge', reason: 'it is to write its hand-off document', text })
}

/** Written is what is the same in two looks when the agent has stopped. */
function seeDocument(turn: Turn, agent: AgentRecord, given: Given): Seen | undefined {
  const { handoff } = given
  const look = lookOf(agent, handoff)
  if (look?.effect !== undefined) return undefined
  const orderedAt = handoff.act?.decidedAt ?? turn.now
  const rests = agent.lifecycle === 'idle' && agent.lifecycleAt > orderedAt
  if (rests && look?.isSame === true && look.at > agent.lifecycleAt) return judgeDocument(turn, look, given)
  const soonAt = look === undefined ? turn.now : look.at + STABLE_MS
  const dueAt = nextLookAt(look, orderedAt)
  if (turn.now >= (rests ? Math.min(dueAt, soonAt) : dueAt)) lookAtDocument(turn, agent, handoff)
  return undefined
}

function judgeDocument(turn: Turn, look: DocumentLook, given: Given): Seen {
  if (isGood(turn, look, given)) return { input: 'saved' }
  if (look.isFinished) return { input: 'cancelled', detail: 'it says that nothing is left to do' }
  const detail = `its hand-off document is not whole: ${look.findings.slice(0, 3).join('; ')}`
  return { input: mayRepeat(turn, given) ? 'again' : 'failed', detail }
}

/** Small faults are named to it once; then what can be gone on from is good enough. */
function isGood(turn: Turn, look: DocumentLook, given: Given): boolean {
  return look.isSame && look.isUsable && (look.findings.length === 0 || !mayRepeat(turn, given))
}

/** That it lives on is said, and why it had to. */
function withReason({ detail }: Handoff, seen: Seen | undefined): Seen | undefined {
  if (seen === undefined || detail === undefined) return seen
  return { ...seen, detail: seen.detail === undefined ? detail : `${detail}; ${seen.detail}` }
}
