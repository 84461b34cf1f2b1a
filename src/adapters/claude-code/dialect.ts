/**
 * How Claude Code speaks: what its hooks report and how a text is typed so that it arrives as text. The understudy
 * speaks the same dialect and is given this object by the daemon. A report that is offered again reads the same.
 */
import type { RawReport, Tokens } from '../../core/ports.ts'
import { answerRequest } from './ask.ts'
import { OpenWork } from './open-work.ts'
import { readHook, type Hearing, type Said } from './read-hook.ts'
import { usageOf } from './usage.ts'

export interface Dialect {
  read(report: RawReport): Said | undefined
  answer(request: string, answer: string): string
  phrase(text: string): string
  usage(transcript: string): Promise<Tokens>
  /** A first prompt was given to this run at its start: until it is heard the run is starting, not idle. */
  expectPrompt(run: string): void
}

const RUNS_LIMIT = 2_000
const REPORTS_LIMIT = 5_000

export function claudeDialect(): Dialect {
  const hearings = new Map<string, Hearing>()
  const known = new Map<string, Said | undefined>()

  function hearingOf(run: string): Hearing {
    const hearing = hearings.get(run) ?? { work: new OpenWork(), promptDue: false }
    hearings.delete(run)
    hearings.set(run, hearing)
    forgetOldest(hearings, RUNS_LIMIT)
    return hearing
  }

  return {
    read(report) {
      if (known.has(report.id)) return known.get(report.id)
      const said = readHook(report, hearingOf(report.run))
      known.set(report.id, said)
      forgetOldest(known, REPORTS_LIMIT)
      return said
    },
    answer: answerRequest,
    phrase,
    usage: usageOf,
    expectPrompt: (run) => {
      hearingOf(run).promptDue = true
    },
  }
}

/** Each rule answers something seen: CR splits a text, a tab is lost, a last «\» keeps Enter from sending. */
export function phrase(text: string): string {
  const spaced = text.replaceAll('\r', '').replaceAll('\t', '    ')
  let end = spaced.length
  while (end > 0 && ' \n\\'.includes(spaced.charAt(end - 1))) end -= 1
  const typed = spaced.slice(0, end)
  return typed.startsWith('!') || typed.startsWith('/') ? ` ${typed}` : typed
}

function forgetOldest(map: Map<string, unknown>, limit: number): void {
  for (const key of map.keys()) {
    if (map.size <= limit) return
    map.delete(key)
  }
}
