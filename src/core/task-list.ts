/** What an agent was told to do, as its record lists it. */
import type { EventOf } from '../contract/events.ts'
import type { MessageRecord } from '../contract/messages.ts'
import type { AgentRecord } from '../contract/records.ts'
import { TASK_BEGINNING, TASK_TEXT_BYTES, TASK_TEXTS_KEPT, type TaskText } from '../contract/task-texts.ts'

export function keptTask({ task = [] }: AgentRecord, { text }: EventOf<'task.kept'>): TaskText[] {
  const others = task.filter(({ name }) => name !== text.name)
  return bounded([...others, text].toSorted(asGiven))
}

/** What it is to do: its newest first prompt, and what it was told since; of what is not kept yet, the ledger's copy. */
export function taskOf({ task = [], messages = [] }: AgentRecord): TaskText[] {
  const present = task.slice(Math.max(0, task.findLastIndex(isPrompt)))
  const known = new Set(task.map(({ name }) => name))
  const first = present.find(isPrompt)
  const heard = messages.flatMap((row) => (row.state === 'heard' && !known.has(row.id) ? ofLedger(row) : []))
  return [...present, ...heard.filter((each) => first === undefined || asGiven(first, each) <= 0)].toSorted(asGiven)
}

/** In the order in which they were given: the clock on the wall may be set back between two of them. */
function asGiven(a: TaskText, b: TaskText): number {
  return a.at === undefined && b.at === undefined ? a.wallAt - b.wallAt : (a.at ?? -1) - (b.at ?? -1)
}

export function isPrompt({ name }: Pick<TaskText, 'name'>): boolean {
  return name.startsWith('p-')
}

function ofLedger({ id: name, by, text, cut, settledWallAt, settledAt, queuedWallAt }: MessageRecord): TaskText {
  const at = settledAt === undefined ? {} : { at: settledAt }
  const common = { name, by, wallAt: settledWallAt ?? queuedWallAt, ...at, beginning: text.slice(0, TASK_BEGINNING) }
  if (cut === true) return common
  const whole = upToBytes(text, TASK_TEXT_BYTES)
  return { ...common, whole, ...(whole.length < text.length ? { cut: true } : {}) }
}

/** The newest prompt always, of the others the newest. */
export function bounded(texts: readonly TaskText[]): TaskText[] {
  const first = texts.findLast(isPrompt)
  const others = texts.filter((each) => each !== first).slice(-TASK_TEXTS_KEPT)
  return texts.filter((each) => each === first || others.includes(each))
}

/** Never half a character. */
export function upToBytes(text: string, limit: number): string {
  let bytes = 0
  let end = 0
  for (const char of text) {
    const point = char.codePointAt(0) ?? 0
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4
    if (bytes > limit) return text.slice(0, end)
    end += char.length
  }
  return text
}
