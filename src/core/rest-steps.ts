/** Walks an interrupt or a soft stop through its machine (procedures/come-to-rest.ts). */
import type { AgentEffect, Outcome } from '../contract/effects.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Act } from '../contract/acts.ts'
import { DEADLINE_MS } from './act-effects.ts'
import { MINUTE, SECOND } from './durations.ts'
import { endAct, stepAct } from './end-act.ts'
import { BY_PERSON } from './finished.ts'
import { transition } from './machine.ts'
import { COME_TO_REST, restInput, type RestInput } from './procedures/come-to-rest.ts'
import { nextEffectId, record, type Turn } from './turn.ts'

/**
 * A key works at once; an order only when the agent's present calls are over. Its own witnesses mostly say so first, so
 * that asking is the safety net.
 */
const PATIENCE = {
  interrupt: { everyMs: 3 * SECOND, checks: 6 },
  rest: { everyMs: MINUTE, checks: 10 },
  /** A turn that an order ends is ended without a word, and somebody waits for it. */
  handoff: { everyMs: 10 * SECOND, checks: 60 },
} as const
const CHECK_MS = 10 * SECOND
/** What was queued in the client begins as soon as a turn ends, so that one press may not be enough. */
const PRESSES = 3

export function endRestStep(turn: Turn, agent: AgentRecord, outcome: Outcome | 'timed_out'): void {
  const { act } = agent
  if (act?.step !== 'doing' && act?.step !== 'confirming' && act?.step !== 'checking') return
  const { checks } = patienceWith(act)
  const isLast = act.attempts >= checks
  const late = act.step === 'checking' && isLast ? 'spent' : 'timed_out'
  const input = outcome === 'timed_out' ? late : restInput(act.step, outcome, isLast)
  const isPressedAgain = input === 'works' && act.kind === 'interrupt' && act.attempts < PRESSES
  walk(turn, agent, {
    input: isPressedAgain ? 'works_on' : input,
    detail: outcome === 'timed_out' ? undefined : outcome.detail,
  })
}

function patienceWith({ kind, handoff }: Act): { everyMs: number; checks: number } {
  if (kind !== 'rest') return PATIENCE.interrupt
  return handoff === undefined ? PATIENCE.rest : PATIENCE.handoff
}

/** What its own reports say: it rests. */
export function seeRest(turn: Turn, agent: AgentRecord): void {
  if (agent.act?.kind !== 'interrupt' && agent.act?.kind !== 'rest') return
  if (agent.lifecycle === 'idle') walk(turn, agent, { input: 'rests', detail: 'it says so itself' })
}

interface Said {
  input: RestInput
  detail: string | undefined
}

function walk(turn: Turn, agent: AgentRecord, { input, detail }: Said): void {
  const { id, generation, act } = agent
  if (act?.step !== 'doing' && act?.step !== 'confirming' && act?.step !== 'checking') return
  const { everyMs } = patienceWith(act)
  switch (transition(COME_TO_REST, act.step, input).do) {
    case 'await': {
      const attempts = act.step === 'checking' ? act.attempts + 1 : act.attempts
      const deadlineAt = turn.now + everyMs
      const { effect } = act
      record(turn, { type: 'act.stepped', agent: id, generation, effect, step: 'confirming', attempts, deadlineAt })
      return undefined
    }
    case 'press':
      return press(turn, agent)
    case 'check':
      return check(turn, agent)
    case 'finish':
      endAct(turn, agent, { result: 'done', ...(detail === undefined ? {} : { detail }) })
      return rest(turn, agent, whyAtRest(act))
    case 'give_up':
      return endAct(turn, agent, {
        result: 'not_done',
        detail: input === 'spent' ? 'it goes on working' : (detail ?? input),
      })
    case 'none':
      return undefined
  }
}

function whyAtRest({ kind, precedence }: Act): string {
  if (kind === 'rest') return 'it came to rest as ordered'
  return precedence === 'human' ? BY_PERSON : 'it was interrupted'
}

function press(turn: Turn, agent: AgentRecord): void {
  const { id, generation, act } = agent
  const effect: AgentEffect = { type: 'session.interrupt', id: nextEffectId(turn), agent: id, generation }
  const attempts = (act?.attempts ?? 1) + 1
  stepAct(turn, agent, { effect, step: 'doing', attempts, withinMs: DEADLINE_MS.interrupt })
}

function check(turn: Turn, agent: AgentRecord): void {
  const { id, generation, sessionId } = agent
  const effect: AgentEffect = {
    type: 'session.check-rest',
    id: nextEffectId(turn),
    agent: id,
    generation,
    ...(sessionId === undefined ? {} : { session: sessionId }),
  }
  stepAct(turn, agent, { effect, step: 'checking', withinMs: CHECK_MS })
}

/** No hook says that a turn was cut short. */
function rest(turn: Turn, { id, generation, lifecycle }: AgentRecord, why: string): void {
  if (lifecycle !== 'active') return
  record(turn, { type: 'agent.lifecycle-changed', agent: id, generation, from: lifecycle, to: 'idle', why })
}
