/**
 * Walks a hand-off through its machine (procedures/hand-off.ts): each row's action becomes events and, where it is not
 * an act that asks for them, effects. What each state waits for is seen in hand-off-sight.ts.
 */
import type { AgentEffect, Outcome } from '../../contract/effects.ts'
import type { Handoff, HandoffResult, HandoffState } from '../../contract/handoffs.ts'
import { HANDOFF_RESULTS } from '../../contract/handoffs.ts'
import type { AgentId } from '../../contract/ids.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Settings } from '../../contract/settings.ts'
import { changeHands } from './change-hands.ts'
import { askAboutCycle, recordCycle } from './cycle-end.ts'
import { CYCLE_WITHIN_MS, seeCycle } from './cycle-sight.ts'
import { ended, HOUR, MINUTE, SECOND } from '../durations.ts'
import { endHandoff, settleApproval } from './hand-off-end.ts'
import { tellKept, untoldBy } from './hand-off-kept.ts'
import { seeHandoff, type Seen } from './hand-off-sight.ts'
import { transition } from '../machine.ts'
import { keep } from '../needs-you.ts'
import { CONTEXT_CYCLE } from '../procedures/context-cycle.ts'
import { seeWake } from './hand-off-wake.ts'
import { HAND_OFF, type HandoffInput } from '../procedures/hand-off.ts'
import { RETURN, UNDONE, WAKE } from '../procedures/wake.ts'
import { agentOf, nextEffectId, record, type Turn } from '../turn.ts'

/** A proposal waits over a night, and then lapses. */
const APPROVAL_MS = 12 * HOUR

const WITHIN_MS: Record<HandoffState, (handoffs: Settings['handoffs']) => number> = {
  proposed: () => 0,
  awaiting_approval: () => APPROVAL_MS,
  resting: ({ restMs }) => restMs,
  saving: ({ saveMs }) => saveMs,
  capturing: () => 2 * MINUTE,
  stopping: () => 10 * MINUTE,
  starting: () => 10 * MINUTE,
  proving: () => 5 * MINUTE,
  rolling_back: () => 15 * MINUTE,
  done: () => 0,
  rolled_back: () => 0,
  needs_you: () => 0,
  refused: () => 0,
  lapsed: () => 0,
  cancelled: () => 0,
}

/** More steps than one moment can have. */
const MAX_STEPS = 12

/** Who sees what a hand-off waits for, where it is not what all wait for. */
const SEES: Partial<Record<Handoff['method'], typeof seeHandoff>> = {
  specialist_wake: seeWake,
  context_cycle: seeCycle,
}

/** Goes on as far as what is seen allows. When to come back. */
export function driveHandoff(turn: Turn, id: AgentId): number | undefined {
  for (let n = 0; n < MAX_STEPS; n += 1) {
    const agent = agentOf(turn, id)
    if (agent.handoff === undefined) return tellKept(turn, agent)
    const see = SEES[agent.handoff.method] ?? seeHandoff
    const seen = see(turn, agent, agent.handoff)
    if (seen === undefined) return Math.min(agentOf(turn, id).handoff?.deadlineAt ?? Infinity, turn.now + LOOK_MS)
    walkHandoff(turn, agentOf(turn, id), seen)
  }
  return turn.now + LOOK_MS
}

/** What could not be done at once is tried again after this time. */
const LOOK_MS = 5 * SECOND

export function walkHandoff(turn: Turn, agent: AgentRecord, { input, detail, by }: Seen): void {
  const { handoff } = agent
  if (handoff === undefined) return
  const row = transition(tableOf(handoff), handoff.state, input)
  if (row.do === 'none') return
  if (handoff.state === 'awaiting_approval') settleApproval(turn, agent, by)
  if (isResult(row.to)) endWith(turn, agent, { result: row.to, said: said(handoff, input, detail), by, input })
  else stepTo(turn, agent, { state: row.to, input, detail })
  switch (row.do) {
    case 'ask':
      return ask(turn, agent, handoff)
    case 'start':
      return handoff.method === 'specialist_wake' ? undefined : changeHands(turn, agentOf(turn, agent.id), handoff.to)
    case 'ask_person':
      return askPerson(turn, agentOf(turn, agent.id), said(handoff, input, detail))
    default:
      return undefined
  }
}

function tableOf({ method, giver, trigger }: Handoff): typeof HAND_OFF {
  if (method === 'context_cycle') return CONTEXT_CYCLE
  if (method !== 'specialist_wake') return HAND_OFF
  if (giver === undefined) return WAKE
  return trigger === 'help_failed' ? UNDONE : RETURN
}

function isResult(state: HandoffState): state is HandoffResult {
  return (HANDOFF_RESULTS as readonly string[]).includes(state)
}

/** Why it is where it is, in words. */
function said({ state, trigger, reason }: Handoff, input: HandoffInput, detail: string | undefined): string {
  if (detail !== undefined) return detail
  if (input === 'timed_out') return LATE[state] ?? 'its time is over'
  if (input === 'proved' && trigger === 'help_failed') return `${reason}, and the agent goes on itself`
  return WORDS[input] ?? input
}

const WORDS: Partial<Record<HandoffInput, string>> = {
  proved: 'the successor said its next step and works',
  resumed: 'its old session goes on with its old model',
  died: 'it ended',
}

const LATE: Partial<Record<HandoffState, string>> = {
  awaiting_approval: 'nobody said yes in time',
  resting: 'it did not come to rest in time',
  saving: 'it did not save its state in time',
  capturing: 'what is known of its work could not be written down in time',
  stopping: 'its end was not confirmed in time',
  starting: 'its successor was not started in time',
  proving: 'its successor did not show in time that it goes on',
  rolling_back: 'its old session could not be gone on with in time',
}

interface Step {
  state: HandoffState
  input: HandoffInput
  detail: string | undefined
}

function stepTo(turn: Turn, { id, generation, handoff }: AgentRecord, { state, input, detail }: Step): void {
  if (handoff === undefined) return
  const isPlanned = !['timed_out', 'failed', 'died', 'again'].includes(input)
  const why = isPlanned ? {} : { detail: said(handoff, input, detail).slice(0, 400) }
  const capture: AgentEffect | undefined =
    state === 'capturing'
      ? { type: 'handoff.capture', id: nextEffectId(turn), agent: id, generation, handoff: handoff.id }
      : undefined
  record(turn, {
    type: 'handoff.stepped',
    agent: id,
    generation,
    handoff: handoff.id,
    state,
    deadlineAt: turn.now + withinMs(turn, handoff, state),
    ...(capture === undefined ? {} : { effect: capture.id }),
    ...why,
  })
  if (capture !== undefined) turn.effects.push(capture)
}

/** A specialist comes to rest when its present calls are over, and nobody is ended because it takes its time. */
function withinMs({ world }: Turn, { giver, cycle }: Handoff, state: HandoffState): number {
  const ofCycle = cycle === undefined ? undefined : CYCLE_WITHIN_MS[state]
  if (ofCycle !== undefined) return ofCycle(world.settings.handoffs.cycle)
  if (giver !== undefined && state === 'resting') return WITHIN_MS.stopping(world.settings.handoffs)
  return WITHIN_MS[state](world.settings.handoffs)
}

function endWith(
  turn: Turn,
  agent: AgentRecord,
  {
    result,
    said: detail,
    by,
    input,
  }: Pick<Step, 'input'> & { result: HandoffResult; said: string; by: string | undefined },
): void {
  endHandoff(turn, agent, { result, detail, ...(by === undefined ? {} : { by }), ...untoldBy(turn, agent, input) })
  if (agent.handoff !== undefined) recordCycle(turn, agent, { handoff: agent.handoff, result, detail })
}

function ask(turn: Turn, { id, model }: AgentRecord, handoff: Handoff): void {
  const { estimate, to, reason, gate = 'it has to be approved' } = handoff
  const price =
    estimate === undefined
      ? 'what it costs is not known'
      : `what cost ${usd(estimate.from)} so far would have cost ${usd(estimate.to)} with it`
  keep(turn, true, {
    kind: 'approval',
    agent: id,
    handoff: handoff.id,
    sentence: ended(
      handoff.cycle === undefined
        ? `The work of ${id} (${model}) is to be handed to ${to.specialist ?? to.model}: ${reason}; ${price}`
        : `${id} is to go on in an empty context: ${reason}`,
    ),
    hint: `It waits because ${gate}. \`pan handoff approve ${handoff.id}\`, or \`pan handoff refuse ${handoff.id}\`.`,
    options: ['approve', 'refuse'],
    answerable: true,
  })
}

function usd(amount: number): string {
  return `${amount.toFixed(2)} USD`
}

function askPerson(turn: Turn, agent: AgentRecord, why: string): void {
  const { id, handoffs = [] } = agent
  const failed = handoffs.at(-1)
  if (failed?.cycle !== undefined) return askAboutCycle(turn, agent, { handoff: failed, why })
  keep(turn, true, {
    kind: 'handoff',
    agent: id,
    ...(failed === undefined ? {} : { handoff: failed.id }),
    sentence: ended(`${whatFailed(agent, failed)}: ${why}`),
    hint:
      agent.lent === undefined
        ? `Its work is saved (\`pan restore ${id}\`). Go on with \`pan agents resume ${id}\` or \`pan agents spawn ${id}\`.`
        : `${id} rests. When ${agent.lent.to} rests or is killed (\`pan agents kill ${agent.lent.to}\`), the work comes back by itself.`,
  })
}

function whatFailed({ id, lent }: AgentRecord, failed: Handoff | undefined): string {
  const { giver, to } = failed ?? {}
  if (giver === undefined) {
    return `The hand-off of ${id} to ${to?.specialist ?? to?.model} failed, and nobody goes on with its work`
  }
  return lent === undefined
    ? `${id} has its work again and does not go on`
    : `${giver} does not give the work of ${id} back`
}

/** What was read of the old generation lies there for its successor. */
export function endCapture(
  turn: Turn,
  effect: Extract<AgentEffect, { type: 'handoff.capture' }>,
  outcome: Outcome,
): void {
  const agent = turn.world.agents.get(effect.agent)
  if (agent?.handoff?.effect !== effect.id) {
    record(turn, { type: 'outcome.dropped', effect: effect.id, result: outcome.result })
    return
  }
  turn.toJudge.add(agent.id)
  const { captured, detail = `the outcome was ${outcome.result}` } = outcome
  if (outcome.result !== 'done' || captured === undefined) {
    const why = `what is known of its work could not be written down (${detail})`
    return walkHandoff(turn, agent, { input: 'failed', detail: why })
  }
  const { id, generation, handoff } = agent
  record(turn, { type: 'handoff.captured', agent: id, generation, handoff: handoff.id, captured })
  walkHandoff(turn, agentOf(turn, id), { input: 'captured' })
}
