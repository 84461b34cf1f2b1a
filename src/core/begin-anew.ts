/** What an agent is told that cannot go on with its session: its whole task, as it was given, and where it stands. */
import type { AgentRecord } from '../contract/records.ts'
import type { TaskText } from '../contract/task-texts.ts'
import { isoTime } from './iso-time.ts'
import type { Unusable } from './runtime-port.ts'
import { isPrompt } from './task-list.ts'

/** A text of the task with what its file holds; without a file only its beginning is known. */
export interface Told extends Omit<TaskText, 'whole'> {
  text: string | undefined
}

export function anewText({ why, told, summary }: { why?: string; told: readonly Told[]; summary: string }): string {
  const head =
    why === undefined
      ? 'Cloister: you begin anew, without your earlier session.'
      : `Cloister: your earlier session could not be gone on with (${why}), so you begin anew.`
  if (told.length === 0) return `${head} This is what is known of your work.\n${summary}`
  const all = told.map(partOf).join('\n\n')
  return `${head} This is your whole task, as it was given to you.\n\n${all}\n\n=== Where you are\n${summary}`
}

function partOf(told: Told): string {
  const { by, wallAt, text, beginning, cut } = told
  const head = `=== ${isPrompt(told) ? 'Your task' : 'Later you were told'}, by ${by}, ${isoTime(wallAt)}`
  if (text === undefined) return `${head}\n${beginning} […]\n(Only this beginning of it is left.)`
  return `${head}\n${text}${cut === true ? ' […]\n(It was longer; the rest was not kept.)' : ''}`
}

/** «Deleted» is said only of what was there. */
export function unusableInWords(unusable: Unusable, wasSeen: boolean): string {
  switch (unusable) {
    case 'missing':
      return wasSeen
        ? 'its transcript was deleted'
        : 'it has no transcript; as far as anybody has seen, none was ever written'
    case 'empty':
      return 'its transcript holds no conversation'
    case 'garbled':
      return 'its transcript is garbled'
    case 'too_large':
      return 'its transcript is too large to be read'
  }
}

/** Evidence is of the present generation, and with it of its session. */
export function isTranscribed({ sessionId, transcribed, evidence }: AgentRecord, session: string | undefined): boolean {
  if (session === undefined) return false
  return transcribed === session || (sessionId === session && evidence.transcript !== undefined)
}
