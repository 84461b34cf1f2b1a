/**
 * The task outlives the session: the first prompt and every message that was heard are kept whole. That a text is kept is
 * an effect, which holds the whole text until the file is written; only then does the ledger let go of its own copy.
 */
import type { AgentEffect, Outcome } from '../contract/effects.ts'
import type { MessageRecord } from '../contract/messages.ts'
import type { AgentRecord } from '../contract/records.ts'
import { TASK_BEGINNING, TASK_TEXT_BYTES } from '../contract/task-texts.ts'
import { bounded, upToBytes } from './task-list.ts'
import { record, type Turn } from './turn.ts'

/** Who sends what is no part of a task. */
export const CLOISTER = 'cloister'

/** The first prompt that a person gave it; a later one begins another task. */
export function keepPrompt(turn: Turn, id: string, given: { by: string; text: string }): void {
  keepText(turn, id, { ...given, name: `p-${turn.world.house.seq}` })
}

/** A message that the agent has. A session that a person started is begun anew by nobody but him. */
export function keepHeard(turn: Turn, { id, adopted }: AgentRecord, { id: name, by, text }: MessageRecord): void {
  if (adopted === undefined && by !== CLOISTER) keepText(turn, id, { name, by, text })
}

function keepText(turn: Turn, id: string, { name, by, text }: { name: string; by: string; text: string }): void {
  const agent = turn.world.agents.get(id)
  if (agent === undefined) return
  const whole = upToBytes(text, TASK_TEXT_BYTES)
  const kept = {
    name,
    by,
    wallAt: turn.input.wallAt,
    at: turn.world.house.observedAt,
    beginning: text.slice(0, TASK_BEGINNING),
    ...(whole.length < text.length ? { cut: true as const } : {}),
  }
  const before = agent.task ?? []
  const left = new Set(bounded([...before, kept]).map((each) => each.name))
  const gone = before.flatMap((each) => (left.has(each.name) ? [] : each.name))
  const base = { id: lateEffectId(turn), agent: id, generation: agent.generation }
  turn.late.push({ type: 'task.keep', ...base, text: { ...kept, whole }, ...(gone.length === 0 ? {} : { gone }) })
}

/** Where no file could be written, the record has it. */
export function endKeep(turn: Turn, effect: Extract<AgentEffect, { type: 'task.keep' }>, outcome: Outcome): void {
  const agent = turn.world.agents.get(effect.agent)
  if (agent === undefined) return
  const { whole, ...text } = effect.text
  const { id, generation } = agent
  if (outcome.result === 'done') record(turn, { type: 'task.kept', agent: id, generation, text })
  else {
    const why = (outcome.detail ?? outcome.result).slice(0, 400)
    record(turn, { type: 'task.kept', agent: id, generation, text: { ...text, whole }, why })
  }
}

export function forgetTask(turn: Turn, { id: agent, generation, task = [] }: AgentRecord): void {
  const names = task.map(({ name }) => name)
  if (names.length > 0) turn.late.push({ type: 'task.forget', id: lateEffectId(turn), agent, generation, names })
}

/** These come last in a turn and have ids of their own, so that what else a turn does is the same with and without them. */
function lateEffectId({ input, late }: Turn): string {
  return `${input.id}-k${late.length}`
}
