/** Walks the house through the emergency machine (procedures/emergency.ts): rows become events and effects. */
import type { Refusal } from '../contract/commands.ts'
import type { Effect, Outcome } from '../contract/effects.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { HouseRecord } from '../contract/house-record.ts'
import { adoptedLiving } from './adoption.ts'
import { SECOND } from './durations.ts'
import { endAct } from './end-act.ts'
import { EMERGENCY_CAME, endHandoff } from './handoffs/hand-off-end.ts'
import type { StopNote } from './inputs.ts'
import { stopAgent } from './kill-steps.ts'
import {
  BY_EMERGENCY,
  keepStopped,
  ranUntil,
  refuseResume,
  settleStopped,
  startable,
  stopFinds,
  unansweredNote,
} from './last-stop.ts'
import { mayLive } from './start-agent.ts'
import { transition } from './machine.ts'
import { raise, settle } from './needs-you.ts'
import { leaveNote } from './notes.ts'
import { EMERGENCY, MAX_STOPS, type EmergencyInput } from './procedures/emergency.ts'
import { startStopped } from './start-stopped.ts'
import { nextEffectId, record, type Turn } from './turn.ts'
import { EMERGENCY_KEY } from './world.ts'

export const SENTINEL = 'sentinel'

/** Confirmed dead within 10 s is the promise; twice that is a failure. */
const STOP_MS = 20 * SECOND

const NO_REASON = 'no reason given'
/** As long as nobody has given one. */
export const UNEXPLAINED = 'the sentinel file is there'

export interface Said extends StopNote {
  by: string
  outcome?: Outcome
  /** Found over: who is gone. */
  gone?: readonly AgentId[]
  /** Adopted agents are ended, too. */
  adopted?: true
  /** Of a sentinel that was seen: when nothing was stopped yet. */
  sinceAt?: number
  /** Of a resume: who is started again then. */
  start?: readonly AgentId[] | true
}

/** Of a stop that no daemon saw come. */
export function askedOf({ person, askedWallAt }: StopNote): Pick<StopNote, 'person' | 'askedWallAt'> {
  return { ...(person === undefined ? {} : { person }), ...(askedWallAt === undefined ? {} : { askedWallAt }) }
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
      rearm(turn, said)
      break
    case 'stay':
      record(turn, { type: 'emergency.rearm-failed', why: said.outcome?.detail ?? 'nobody confirmed it in time' })
      break
    case 'arm':
      arm(turn, said.by)
      break
    case 'note':
      record(turn, { type: 'emergency.explained', by: said.by, reason: firstReason(turn) ?? said.reason ?? NO_REASON })
      if (state === 'stopped') keepStopped(turn)
      break
    case 'catch_up':
      catchUp(turn, said)
      break
    case 'refuse':
      return refuseResume(turn.world)
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

/** Whoever stops again what is stopped already does not change why it was. */
function firstReason({ world }: Turn): string | undefined {
  const reason = world.house.lastStop?.reason
  return reason === NO_REASON || reason === UNEXPLAINED ? undefined : reason
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
  const sinceAt = unstoppedAt(turn, said)
  const found = stopFinds(turn.world, { sinceAt, isForAll: said.adopted === true })
  for (const id of [...turn.world.acting]) {
    const agent = turn.world.agents.get(id)
    if (agent === undefined) continue
    endAct(turn, agent, { result: 'cancelled', detail: 'emergency stop' })
    if (isStarting(agent.act)) mayLive(turn, agent)
  }
  cutOff(turn, sinceAt)
  const whom = said.adopted === undefined ? {} : { adopted: said.adopted }
  const effect: Effect = { type: 'fleet.stop', id: nextEffectId(turn), ...whom }
  record(turn, {
    type: 'emergency.triggered',
    ...whom,
    by: said.by,
    reason: said.reason ?? NO_REASON,
    effect: effect.id,
    deadlineAt: turn.now + STOP_MS,
    sinceAt,
    found,
    ...askedOf(said),
  })
  turn.effects.push(effect)
}

/** No hand-off or restart outlives it; who had asked something will be told that nobody answered. */
function cutOff(turn: Turn, sinceAt: number): void {
  for (const agent of turn.world.agents.values()) {
    const { id, generation, restarts } = agent
    const why = EMERGENCY_CAME
    const note = unansweredNote(agent)
    if (note !== undefined && ranUntil(agent, sinceAt)) leaveNote(turn, id, note)
    endHandoff(turn, agent, { result: 'cancelled', detail: why })
    if (restarts?.dueAt !== undefined) record(turn, { type: 'restart.dropped', agent: id, generation, why })
  }
}

/** When nothing was stopped yet: at the last look the sentinel was not there, and looks are not far apart. */
function unstoppedAt({ world, now }: Turn, { sinceAt = world.observer.lastLookAt }: Said): number {
  return Math.max(sinceAt, now - world.settings.lookEveryMs)
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
  keepStopped(turn)
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

function ran({ world }: Turn, id: AgentId): boolean {
  return ranUntil(world.agents.get(id), beganAt(world.house.emergency))
}

/** Each try has its full time, so that after several it began no later than this. */
function beganAt({ deadlineAt = Infinity, attempts, sinceAt }: HouseRecord['emergency']): number {
  return sinceAt ?? deadlineAt - attempts * STOP_MS
}

function endStopped(turn: Turn, id: AgentId): void {
  const agent = turn.world.agents.get(id)
  if (agent === undefined || agent.lifecycle === 'stopped' || agent.lifecycle === 'uninitialized') return
  cancelAct(turn, id)
  stopAgent(turn, agent, BY_EMERGENCY)
  if (agent.run === undefined) return
  turn.effects.push({ type: 'work.rescue', id: nextEffectId(turn), agent: id, generation: agent.generation })
}

function cancelAct(turn: Turn, id: AgentId): void {
  const agent = turn.world.agents.get(id)
  if (agent?.act !== undefined) endAct(turn, agent, { result: 'cancelled', detail: BY_EMERGENCY })
}

/** The note goes only when all this is durable. */
function catchUp(turn: Turn, said: Said): void {
  const { by, reason, gone = [] } = said
  const { state } = turn.world.house.emergency
  const stopped = gone.filter((id) => ran(turn, id))
  const why = reason === undefined ? {} : { reason }
  const sinceAt = beganAt(turn.world.house.emergency)
  const found = stopFinds(turn.world, { sinceAt, isForAll: false })
  for (const id of gone) cancelAct(turn, id)
  // Of one that a daemon saw come, that is done.
  if (state === 'armed') cutOff(turn, sinceAt)
  record(turn, { type: 'emergency.found', stopped, ...why, ...found, ...askedOf(said) })
  for (const id of gone) endStopped(turn, id)
  if (state !== 'armed') arm(turn, by)
  keepStopped(turn)
  turn.effects.push({ type: 'fleet.forget', id: nextEffectId(turn) })
}

function rearm(turn: Turn, { by, start }: Said): void {
  const effect: Effect = { type: 'fleet.rearm', id: nextEffectId(turn) }
  const whom = start === undefined ? {} : { start: start === true ? startable(turn.world) : [...start] }
  record(turn, { type: 'emergency.rearming', by, effect: effect.id, deadlineAt: turn.now + STOP_MS, ...whom })
  turn.effects.push(effect)
}

function arm(turn: Turn, by: string): void {
  const { start } = turn.world.house.emergency
  record(turn, { type: 'emergency.rearmed', by })
  settleEmergencyItems(turn, by)
  const able = startable(turn.world)
  if (start === undefined) settleStopped(turn)
  else
    startStopped(
      turn,
      start.by,
      start.agents.filter((id) => able.includes(id)),
    )
}

function settleEmergencyItems(turn: Turn, by: string): void {
  for (const item of turn.world.house.needsYou) {
    if (item.kind.startsWith('emergency_') && item.kind !== 'emergency_stopped') settle(turn, item, by)
  }
}
