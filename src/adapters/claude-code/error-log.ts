/**
 * Follows the client's log of its own errors. It is the one place that tells at once of a request that failed and will be
 * sent again: hooks, registry and transcript say nothing until it is. Which status it was is told, not when the next try
 * is; how long the one before was waited for is known from the second failure on.
 */
import { grownLines, type FilePlace } from './grown-lines.ts'

export interface ApiFailure {
  at: number
  status?: number
  attempt: number
  /** How long was waited between the failure before and this one, of the same request. */
  waitedMs?: number
}

export interface ErrorPlace extends FilePlace {
  last?: ApiFailure
}

const READ_LIMIT = 64 * 1024

/** Where the reading is now; undefined while there is no such file. */
export function followErrors(path: string, before: ErrorPlace | undefined): ErrorPlace | undefined {
  const grown = grownLines(path, before, READ_LIMIT)
  if (grown === undefined) return undefined
  const newest = lastFailure(grown.lines.toString('latin1'), grown.isSame ? before?.last : undefined)
  return { ...grown.place, ...(newest === undefined ? {} : { last: newest }) }
}

const FAILURE = /^(\S{1,40}) \[ERROR\] API error \(attempt (\d{1,6})\/\d{1,6}\): (?:(\d{3}) )?/gm

export function lastFailure(text: string, before?: ApiFailure): ApiFailure | undefined {
  let last = before
  for (const [, time = '', count, code] of text.matchAll(FAILURE)) {
    const at = Date.parse(time)
    const attempt = Number(count)
    if (Number.isNaN(at)) continue
    const isSame = last !== undefined && attempt === last.attempt + 1 && String(last.status) === code && at > last.at
    last = {
      at,
      attempt,
      ...(code === undefined ? {} : { status: Number(code) }),
      ...(isSame && last !== undefined ? { waitedMs: at - last.at } : {}),
    }
  }
  return last
}
