/** Walks the house through the emergency machine (procedures/emergency.ts): rows become events and effects. */
import type { Refusal } from '../contract/commands.ts'
import type { Effect, Outcome } from '../contract/effects.ts'
import type { AgentId } from '../contract/ids.ts'
import { lives } from '../contract/lives.ts'
import type { AgentRecord, HouseRecord } from '../contract/records.ts'
import { adoptedLiving } from './adoption.ts'
import { SECOND } from './durations.ts'
import { endAct } from './end-act.ts'
import { endHandoff } from './handoffs/hand-off-end.ts'
import { isGone } from './health/judge.ts'
import { stopAgent } from './kill-steps.ts'
import { mayLive } from './start-agent.ts'
import { transition } from './machine.ts'
import { raise, settle } from './needs-you.ts'
import { EMERGENCY, MAX_STOPS, type EmergencyInput } from './procedures/emergency.ts'
import { nextEffectId, record, type Turn } from './turn.ts'
import { EMERGENCY_KEY } from './world.ts'

export const SENTINEL = 'sentinel'

/** Confirmed dead within 10 s is the promise; twice that is a failure. */
const STOP_MS = 20 * SECOND

const NO_REASON = 'no reason given'

export interface Said {
  by: string
  reason?: string
  outcome?: Outcome
  /** Found over: who is gone. */
  gone?: readonly AgentId[]
  /** Adopted agents are ended, too. */
  adopted?: true
}

export function emergency(turn: Turn, input: EmergencyInput, said: Said): Refusal | undefined {
  const { state } = turn.world.house.emergency
  const row = transition(EMERGENCY, state, input === 'trigger' && isUnexplained(turn) ? 'explained' : input)
  switch (row.do) {
    case 'stop':
      stop(turn, said)
      break
    case 'retry':
      retry(turn)
      break
    case 'finish':
      finish(turn, said.outcome, true)
      break
    case 'give_up':
      finish(turn, said.outcome, false)
      break
    case 'rearm':
      rearm(turn, said.by)
      break
    case 'stay':
      record(turn, { type: 'emergency.rearm-failed', why: said.outcome?.detail ?? 'nobody confirmed it in time' })
      break
    case 'arm':
      arm(turn, said.by)
      break
    case 'note':
      record(turn, { type: 'emergency.explained', by: said.by, reason: said.reason ?? NO_REASON })
      break
    case 'catch_up':
      catchUp(turn, said)
      break
    case 'refuse':
      return refuseResume(state)
    case 'none':
      break
  }
  const { deadlineAt } = turn.world.house.emergency
  if (deadlineAt === undefined) turn.world.deadlines.clear(EMERGENCY_KEY)
  else turn.world.deadlines.set(EMERGENCY_KEY, deadlineAt)
  return undefined
}

/** A person asks for the stop whose sentinel was seen already: that it comes from him is news, another stop is not. */
function isUnexplained({ world }: Turn): boolean {
  const { by, survivors } = world.house.emergency
  return by === SENTINEL && survivors.length === 0
}

export function takeFleetOutcome(turn: Turn, effect: Effect, outcome: Outcome): void {
  turn.settled.push({ effect: effect.id, outcome: outcome.result })
  if (effect.type === 'fleet.forget') return
  if (turn.world.house.emergency.effect !== effect.id) {
    record(turn, { type: 'outcome.dropped', effect: effect.id, result: outcome.result })
    return
  }
  const done = outcome.result === 'done'
  if (effect.type === 'fleet.rearm') emergency(turn, done ? 'rearmed' : 'failed', { by: 'cloister', outcome })
  else if (done) {
    const survived = (outcome.survivors?.length ?? 0) > 0
    emergency(turn, survived ? 'survived' : 'confirmed', { by: 'cloister', outcome })
  } else emergency(turn, failure(turn), { by: 'cloister', outcome })
}

export function checkEmergencyDeadline(turn: Turn): void {
  const { deadlineAt, effect, state } = turn.world.house.emergency
  if (deadlineAt === undefined || deadlineAt > turn.now) return
  if (effect !== undefined) turn.settled.push({ effect, outcome: 'unknown' })
  emergency(turn, state === 'stopping' ? failure(turn) : 'timed_out', { by: 'cloister' })
}

function failure(turn: Turn): EmergencyInput {
  return turn.world.house.emergency.attempts >= MAX_STOPS ? 'exhausted' : 'failed'
}

function stop(turn: Turn, said: Said): void {
  for (const id of [...turn.world.acting]) {
    const agent = turn.world.agents.get(id)
    if (agent === undefined) continue
    endAct(turn, agent, { result: 'cancelled', detail: 'emergency stop' })
    if (isStarting(agent.act)) mayLive(turn, agent)
  }
  for (const agent of turn.world.agents.values()) {
    const { id, generation, restarts } = agent
    const why = 'an emergency stop came'
    endHandoff(turn, agent, { result: 'cancelled', detail: why })
    if (restarts?.dueAt !== undefined) record(turn, { type: 'restart.dropped', agent: id, generation, why })
  }
  const whom = said.adopted === undefined ? {} : { adopted: said.adopted }
  const effect: Effect = { type: 'fleet.stop', id: nextEffectId(turn), ...whom }
  record(turn, {
    type: 'emergency.triggered',
    ...whom,
    by: said.by,
    reason: said.reason ?? NO_REASON,
    effect: effect.id,
    deadlineAt: turn.now + STOP_MS,
  })
  turn.effects.push(effect)
}

function isStarting(act: AgentRecord['act']): boolean {
  return (act?.kind === 'spawn' || act?.kind === 'resume') && act.step === 'doing'
}

function retry(turn: Turn): void {
  const { attempts, adopted } = turn.world.house.emergency
  const effect: Effect = { type: 'fleet.stop', id: nextEffectId(turn), ...(adopted === undefined ? {} : { adopted }) }
  const attempt = attempts + 1
  record(turn, { type: 'emergency.retried', effect: effect.id, deadlineAt: turn.now + STOP_MS, attempt })
  turn.effects.push(effect)
}

function finish(turn: Turn, outcome: Outcome | undefined, confirmed: boolean): void {
  const gone = outcome?.stopped ?? []
  const stopped = gone.filter((id) => ran(turn, id))
  const survivors = outcome?.survivors ?? []
  settleEmergencyItems(turn, 'cloister')
  const leftAlone = leftBy(turn, gone)
  const left = leftAlone.length === 0 ? {} : { leftAlone }
  record(turn, { type: 'emergency.ended', stopped, survivors: [...survivors], confirmed, ...left })
  for (const id of gone) endStopped(turn, id)
  if (!confirmed) {
    raise(turn, {
      kind: 'emergency_unconfirmed',
      sentence: `The emergency stop was tried ${MAX_STOPS} times and never confirmed.`,
      hint: 'Check for running agents by hand. Nothing is started or typed until you resume.',
    })
  } else if (survivors.length > 0) {
    raise(turn, {
      kind: 'emergency_survivors',
      sentence: `Processes survived the emergency stop: ${survivors.join(', ')}.`,
      hint: 'End them by hand, or run the emergency stop again.',
    })
  }
}

/** Adopted agents go on unless they were meant, too. */
function leftBy({ world }: Turn, gone: readonly AgentId[]): AgentId[] {
  if (world.house.emergency.adopted === true) return []
  return adoptedLiving(world.agents.values()).flatMap(({ id }) => (gone.includes(id) ? [] : id))
}

/** Whoever was found dead before was not ended by this; who was first missed after it began, was. */
function ran({ world }: Turn, id: AgentId): boolean {
  const agent = world.agents.get(id)
  if (agent === undefined || !lives(agent)) return false
  return !isGone(agent) || (agent.evidence.process?.goneAt ?? 0) >= beganAt(world.house.emergency)
}

/** Each try has its full time, so that after several it began no later than this. */
function beganAt({ deadlineAt = Infinity, attempts }: HouseRecord['emergency']): number {
  return deadlineAt - attempts * STOP_MS
}

function endStopped(turn: Turn, id: AgentId): void {
  const agent = turn.world.agents.get(id)
  if (agent === undefined || agent.lifecycle === 'stopped' || agent.lifecycle === 'uninitialized') return
  if (agent.act !== undefined) endAct(turn, agent, { result: 'cancelled', detail: 'emergency stop' })
  stopAgent(turn, agent, 'emergency stop')
  if (agent.run === undefined) return
  turn.effects.push({ type: 'work.rescue', id: nextEffectId(turn), agent: id, generation: agent.generation })
}

/** The note goes only when all this is durable. */
function catchUp(turn: Turn, { by, reason, gone = [] }: Said): void {
  const { state } = turn.world.house.emergency
  const stopped = gone.filter((id) => ran(turn, id))
  record(turn, { type: 'emergency.found', stopped, ...(reason === undefined ? {} : { reason }) })
  for (const id of gone) endStopped(turn, id)
  if (state !== 'armed') arm(turn, by)
  turn.effects.push({ type: 'fleet.forget', id: nextEffectId(turn) })
}

function rearm(turn: Turn, by: string): void {
  const effect: Effect = { type: 'fleet.rearm', id: nextEffectId(turn) }
  record(turn, { type: 'emergency.rearming', by, effect: effect.id, deadlineAt: turn.now + STOP_MS })
  turn.effects.push(effect)
}

function arm(turn: Turn, by: string): void {
  record(turn, { type: 'emergency.rearmed', by })
  settleEmergencyItems(turn, by)
}

function settleEmergencyItems(turn: Turn, by: string): void {
  for (const item of turn.world.house.needsYou) {
    if (item.kind.startsWith('emergency_')) settle(turn, item, by)
  }
}

function refuseResume(state: string): Refusal {
  if (state === 'armed') {
    return {
      code: 'conflict',
      sentence: 'There is no emergency stop to resume from',
      hint: 'Nothing needs to be done.',
    }
  }
  return { code: 'busy', sentence: `The emergency stop is still ${state}`, hint: 'Wait for its outcome and try again.' }
}
