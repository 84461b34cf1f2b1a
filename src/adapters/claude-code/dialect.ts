/**
 * How Claude Code speaks: what its hooks report and how a text is typed so that it arrives as text. The understudy
 * speaks the same dialect and is given this object by the daemon. It remembers nothing.
 */
import type { CallBounds } from '../../contract/open-work.ts'
import type { RawReport } from '../../core/ports.ts'
import type { Said } from '../../core/runtime-port.ts'
import type { RecogniseTestRun } from '../../core/test-runs.ts'
import { answerRequest } from './ask.ts'
import { parseBody, textOf } from './hook-body.ts'
import { readHook } from './read-hook.ts'

export interface Dialect {
  read(report: RawReport, bounds?: CallBounds): Said | undefined
  sessionOf(report: RawReport): string | undefined
  answer(request: string, answer: string): string
  phrase(text: string): string
}

/** How it is told whether a command ran tests is handed in: of their runners the client knows nothing. */
export function claudeDialect(recognise: RecogniseTestRun, zone = localZone()): Dialect {
  return {
    read: (report, bounds) => readHook(report, { zone, bounds, recognise }),
    sessionOf: ({ body }) => textOf(parseBody(body)?.['session_id']),
    answer: answerRequest,
    phrase,
  }
}

export function localZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}

/**
 * Each rule answers something seen: CR splits a text, a tab is lost, a last «\» keeps Enter from sending, a first «!»
 * runs a shell unless a blank stands before it. The client's own commands and the words that end it work behind blanks,
 * too: those are typed as a quotation.
 */
export function phrase(text: string): string {
  const spaced = text.replaceAll('\r', '').replaceAll('\t', '    ')
  let end = spaced.length
  while (end > 0 && ' \n\\'.includes(spaced.charAt(end - 1))) end -= 1
  const typed = spaced.slice(0, end)
  if (COMMAND.test(typed)) return `> ${typed.trimStart()}`
  return typed.startsWith('!') ? ` ${typed}` : typed
}

const COMMAND = /^\s*(?:\/|(?:exit|quit|:w?q!?)$)/i
