/**
 * How Claude Code speaks: what its hooks report and how a text is typed so that it arrives as text. The understudy
 * speaks the same dialect and is given this object by the daemon. A report that is offered again reads the same.
 */
import type { Doing } from '../../contract/evidence.ts'
import type { RawReport } from '../../core/ports.ts'
import type { Said } from '../../core/runtime-port.ts'
import { answerRequest } from './ask.ts'
import { parseBody, textOf } from './hook-body.ts'
import { OpenWork } from './open-work.ts'
import { readHook, type Hearing } from './read-hook.ts'

export interface Dialect {
  read(report: RawReport, before?: Doing): Said | undefined
  sessionOf(report: RawReport): string | undefined
  answer(request: string, answer: string): string
  phrase(text: string): string
  /** A first prompt was given to this run at its start: until it is heard the run is starting, not idle. */
  expectPrompt(run: string): void
  /** What was heard of a run since the daemon started. */
  hearing(run: string): Readonly<Hearing>
  /** Calls back when a run reports that a session or a turn begins. */
  onTurn(call: (run: string) => void): () => void
}

const RUNS_LIMIT = 2_000
const REPORTS_LIMIT = 5_000
const TURNS: readonly string[] = ['SessionStart', 'UserPromptSubmit']

export function claudeDialect(zone = localZone()): Dialect {
  const hearings = new Map<string, Hearing>()
  const known = new Map<string, Said | undefined>()
  const calls = new Set<(run: string) => void>()

  function hearingOf(run: string): Hearing {
    const hearing = hearings.get(run) ?? { work: new OpenWork(), promptDue: false, heardWallAt: 0, zone }
    hearings.delete(run)
    hearings.set(run, hearing)
    forgetOldest(hearings, RUNS_LIMIT)
    return hearing
  }

  return {
    read(report, before) {
      if (known.has(report.id)) return known.get(report.id)
      const hearing = hearingOf(report.run)
      // Else a notice of rest would be believed after a restart, although something runs on.
      if (hearing.work.rest === undefined && before?.kind === 'background') hearing.work.goOn(before)
      const said = readHook(report, hearing)
      known.set(report.id, said)
      forgetOldest(known, REPORTS_LIMIT)
      if (TURNS.includes(report.kind)) for (const call of calls) call(report.run)
      return said
    },
    sessionOf: ({ body }) => textOf(parseBody(body)?.['session_id']),
    answer: answerRequest,
    phrase,
    expectPrompt: (run) => {
      hearingOf(run).promptDue = true
    },
    hearing: hearingOf,
    onTurn: (call) => {
      calls.add(call)
      return () => calls.delete(call)
    },
  }
}

function localZone(): string {
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

function forgetOldest(map: Map<string, unknown>, limit: number): void {
  for (const key of map.keys()) {
    if (map.size <= limit) return
    map.delete(key)
  }
}
