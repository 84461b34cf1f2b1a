/**
 * The delivery ledger: every message has a row from the moment it was sent until the agent has it or a person knows
 * that it has not. Walks a message through its machine (procedures/deliver.ts).
 */
import type { Refusal } from '../contract/commands.ts'
import type { AgentEffect, Outcome } from '../contract/effects.ts'
import type { Sighting } from '../contract/evidence.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { MessageRecord } from '../contract/messages.ts'
import { TEXT_LIMIT } from '../contract/text-limit.ts'
import { HEARING_MS } from './deliveries-fold.ts'
import { SECOND } from './durations.ts'
import { endAct, stepAct } from './end-act.ts'
import { fingerprint } from './fingerprint.ts'
import { typedForm } from './letters.ts'
import { transition } from './machine.ts'
import { keep } from './needs-you.ts'
import { DELIVER, deliverInput, type DeliverInput } from './procedures/deliver.ts'
import { keepHeard } from './task-texts.ts'
import { agentOf, nextEffectId, record, type Turn } from './turn.ts'

/** When a way that was not free is tried again. */
export const HOLD_MS = 15 * SECOND
const CHECK_MS = 30 * SECOND
/** Messages of one agent that may wait at once, and how much text they may hold. */
const OPEN_LIMIT = 20
const OPEN_CHARS = 3 * TEXT_LIMIT

export function isOpen({ state }: MessageRecord): boolean {
  return state === 'queued' || state === 'typed'
}

export function messagesOf(agent: AgentRecord): readonly MessageRecord[] {
  return agent.messages ?? []
}

/** A message is taken in; whether it can be typed now is not asked here. */
export function queueMessage(turn: Turn, agent: AgentRecord, given: { by: string; text: string }): Refusal | undefined {
  const open = messagesOf(agent).filter(isOpen)
  const chars = open.reduce((sum, { text }) => sum + text.length, given.text.length)
  if (open.length >= OPEN_LIMIT || (open.length > 0 && chars > OPEN_CHARS)) {
    const hint = `See why with \`pan agents messages ${agent.id}\`.`
    return { code: 'busy', sentence: `${open.length} messages already wait for ${agent.id}`, hint }
  }
  const id = `m-${turn.world.house.seq + 1}`
  const message: MessageRecord = {
    id,
    ...given,
    fingerprint: fingerprint(typedForm(turn.world.letters, agent.id, { id, text: given.text }).text),
    state: 'queued',
    generation: agent.generation,
    attempts: 0,
    queuedAt: turn.now,
    queuedWallAt: turn.input.wallAt,
    notBeforeAt: turn.now,
  }
  record(turn, { type: 'message.queued', agent: agent.id, generation: agent.generation, message })
  turn.toJudge.add(agent.id)
  return undefined
}

export function endDeliveryStep(turn: Turn, agent: AgentRecord, outcome: Outcome | 'timed_out'): void {
  const row = rowOf(agent, agent.act?.message)
  const step = agent.act?.step
  if (row === undefined || (step !== 'doing' && step !== 'confirming' && step !== 'checking')) return
  if (outcome === 'timed_out') return walk(turn, agent, { row, input: 'timed_out' })
  const { detail, found } = outcome
  walk(turn, agent, { row, input: deliverInput(step, outcome, row), why: detail, evidence: found })
}

interface Said {
  row: MessageRecord
  input: DeliverInput
  why?: string | undefined
  evidence?: Outcome['found']
}

function walk(turn: Turn, agent: AgentRecord, { row, input, why, evidence }: Said): void {
  const { id, act } = agent
  const step = act?.step
  if (step !== 'doing' && step !== 'confirming' && step !== 'checking') return
  switch (transition(DELIVER, step, input).do) {
    case 'await':
      return awaitHearing(turn, agent, row)
    case 'check':
      return check(turn, agent, row)
    case 'finish':
      return takeAsHeard(turn, agent, { row, evidence: evidence ?? (input === 'accepted' ? 'typed' : 'hook') })
    case 'wait': {
      const reason = why ?? 'it could not be typed'
      endAct(turn, agent, { result: 'not_done', detail: reason })
      return hold(turn, id, { row, why: reason, notBeforeAt: turn.now + patience(turn.now - row.queuedAt) })
    }
    case 'retry':
      endAct(turn, agent, { result: 'not_done', detail: 'it was typed and did not arrive' })
      return hold(turn, id, { row, why: 'it was typed and did not arrive', notBeforeAt: turn.now })
    case 'give_up': {
      const reason = GIVEN_UP[input] ?? why ?? 'nobody knows whether it arrived'
      endAct(turn, agent, {
        result: input === 'fenced' ? input : input === 'spent' || input === 'unfit' ? 'not_done' : 'unknown',
        detail: reason,
      })
      return giveUp(turn, id, { row, why: reason })
    }
    case 'none':
      return undefined
  }
}

/** The longer it has waited, the less often it is tried. */
function patience(waitedMs: number): number {
  return Math.min(8 * HOLD_MS, Math.max(HOLD_MS, waitedMs / 4))
}

const GIVEN_UP: Partial<Record<DeliverInput, string>> = {
  spent: 'it was typed as often as it may be and did not arrive',
  fenced: 'the generation that it was for has ended',
  unsure: 'it was typed, and nobody can tell whether it arrived',
  timed_out: 'it was typed, and nobody can tell whether it arrived',
}

function awaitHearing(turn: Turn, agent: AgentRecord, { id: message, attempts }: MessageRecord): void {
  const { id, generation, act } = agent
  if (act === undefined) return
  record(turn, { type: 'message.typed', agent: id, generation, message, attempts: attempts + 1 })
  record(turn, {
    type: 'act.stepped',
    agent: id,
    generation,
    effect: act.effect,
    step: 'confirming',
    attempts: attempts + 1,
    deadlineAt: turn.now + HEARING_MS,
  })
}

function check(turn: Turn, agent: AgentRecord, row: MessageRecord): void {
  const { id, generation, sessionId } = agent
  const effect: AgentEffect = {
    type: 'session.check-text',
    id: nextEffectId(turn),
    agent: id,
    generation,
    fingerprint: row.fingerprint,
    sinceWallAt: row.typedWallAt ?? turn.input.wallAt,
    ...(sessionId === undefined ? {} : { session: sessionId }),
  }
  stepAct(turn, agent, { effect, step: 'checking', withinMs: CHECK_MS })
}

/** Ends what is under way about it, wherever that is. */
function takeAsHeard(
  turn: Turn,
  agent: AgentRecord,
  { row, evidence }: { row: MessageRecord; evidence: NonNullable<MessageRecord['evidence']> },
): void {
  const { id, generation } = agent
  if (agent.act?.kind === 'message' && agent.act.message === row.id) {
    endAct(turn, agent, { result: 'done', detail: TAKEN[evidence] })
  }
  record(turn, { type: 'message.heard', agent: id, generation, message: row.id, evidence })
  keepHeard(turn, agent, row)
  turn.toJudge.add(id)
  keepUndelivered(turn, id)
}

const TAKEN: Record<NonNullable<MessageRecord['evidence']>, string> = {
  hook: 'the agent took it',
  transcript: 'its transcript has it',
  queue: 'it waits in the queue of the agent, which is busy',
  typed: 'it was typed; this runtime cannot say more',
}

/** The agent says which text it took: the best proof that a message arrived, also when it comes late. */
export function hearMessage(turn: Turn, { agent: id, generation, heard }: Sighting): void {
  const agent = turn.world.agents.get(id)
  if (agent === undefined || heard === undefined || agent.generation !== generation) return
  const row = messagesOf(agent).find((each) => mayBeHeard(each, agent) && each.fingerprint === heard)
  if (row !== undefined) takeAsHeard(turn, agent, { row, evidence: 'hook' })
}

/** A look that nobody waited for any more has found the text: it is there, whatever was said of it since. */
export function findLate(turn: Turn, { agent: id, generation, fingerprint: text }: TextCheck, found: Outcome): boolean {
  const agent = turn.world.agents.get(id)
  if (agent?.generation !== generation || found.result !== 'done' || found.found === undefined) return false
  const row = messagesOf(agent).find((each) => mayBeHeard(each, agent) && each.fingerprint === text)
  if (row !== undefined) takeAsHeard(turn, agent, { row, evidence: found.found })
  return row !== undefined
}

type TextCheck = Extract<AgentEffect, { type: 'session.check-text' }>

function mayBeHeard({ id, state, attempts, generation }: MessageRecord, agent: AgentRecord): boolean {
  if (agent.act?.message === id) return state !== 'heard'
  return state !== 'heard' && attempts > 0 && generation === agent.generation
}

/** A generation has ended: what it was told and never took, and what still waits for it, does not arrive any more. */
export function dropMessages(turn: Turn, id: AgentId, { why, keepQueued }: { why: string; keepQueued: boolean }): void {
  for (const row of messagesOf(agentOf(turn, id))) {
    if (row.state === 'typed' || (row.state === 'queued' && !keepQueued)) giveUp(turn, id, { row, why })
  }
}

export function hold(
  turn: Turn,
  id: AgentId,
  { row, why, notBeforeAt }: { row: MessageRecord; why: string; notBeforeAt: number },
): void {
  const { generation } = agentOf(turn, id)
  record(turn, { type: 'message.held', agent: id, generation, message: row.id, why: why.slice(0, 400), notBeforeAt })
}

export function giveUp(turn: Turn, id: AgentId, { row, why }: { row: MessageRecord; why: string }): void {
  const { id: message } = row
  const { generation } = agentOf(turn, id)
  record(turn, { type: 'message.undelivered', agent: id, generation, message, why: why.slice(0, 400) })
  turn.toJudge.add(id)
  keepUndelivered(turn, id, true)
}

/** Raised when a message is given up, so that what a person settled is not raised again by itself. */
export function keepUndelivered(turn: Turn, id: AgentId, isNew = false): void {
  const { messages = [], needsYou } = agentOf(turn, id)
  const lost = messages.filter(({ state }) => state === 'undelivered')
  const last = lost.at(-1)
  const isShown = needsYou.some(({ kind }) => kind === 'undelivered')
  if (!isNew && !isShown) return
  const count = lost.length === 1 ? 'A message' : `${lost.length} messages`
  keep(turn, last !== undefined, {
    kind: 'undelivered',
    agent: id,
    ...(last === undefined ? {} : { message: last.id }),
    sentence: `${count} to ${id} ${lost.length === 1 ? 'was' : 'were'} not delivered (${last?.id}: ${last?.why}).`,
    hint: `See them with \`pan agents messages ${id}\`; try one again with \`pan agents messages ${id} --retry ${last?.id}\`.`,
  })
}

export function rowOf(agent: AgentRecord, id: string | undefined): MessageRecord | undefined {
  return id === undefined ? undefined : messagesOf(agent).find((row) => row.id === id)
}
