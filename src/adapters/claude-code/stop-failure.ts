/**
 * What the client is left with when a turn ended without an answer: a limit, a sign-in, a failure, or an answer without an
 * end. Its word for it is told apart first; older clients have none, or «unknown», and only say it to people.
 */
import type { Doing } from '../../contract/evidence.ts'
import { FLOOD } from '../../core/health/loops.ts'
import { textTrace } from './call-trace.ts'
import { oneLine } from './hook-body.ts'
import { resetTime, type Told } from './reset-time.ts'

export interface Failure {
  error: unknown
  /** Of the answer of the service, where it is told apart. */
  status?: number | undefined
  message: string
  /** When and where it was said: the end of a limit may be told as a time of day. */
  told: Told
}

export function failureOf(failure: Failure): Doing {
  const { message } = failure
  const what = oneLine(message, 400)
  switch (kindOf(failure)) {
    case 'limit':
      return limited(failure)
    case 'sign-in':
      return { kind: 'auth_needed', what }
    case 'too long':
      return cutOff(message, what)
    case 'outage':
      return { kind: 'api_error', what, ended: true }
    case 'other':
      return { kind: 'api_error', what }
  }
}

type Kind = 'limit' | 'sign-in' | 'too long' | 'outage' | 'other'

const KINDS = new Map<unknown, Kind>([
  ['rate_limit', 'limit'],
  ['authentication_failed', 'sign-in'],
  ['billing_error', 'sign-in'],
  ['max_output_tokens', 'too long'],
  ['server_error', 'outage'],
])

/** Where the client speaks for itself; of what a service answered its status tells more than its words. */
const LIMIT =
  /^you['’](?:ve (?:hit|reached) your|re out of)\b|^your org is out of\b|^(?!context)(?:[\w-]+ ){0,3}limit reached\b/i
const SIGN_IN = /\/login\b|\bnot logged in\b|\b(?:log|sign) in again\b|\binvalid api key\b|\boauth token\b/i
/** What a later try may mend. */
const OUTAGE = /\b5\d\d\b|overloaded|connection|socket|econn|network|fetch failed|timed? ?out/i
const STATUS = /^api error:?\D{0,40}\b([45]\d\d)\b/i

function kindOf({ error, status, message }: Failure): Kind {
  const named = KINDS.get(error)
  if (named !== undefined) return named
  const told = status ?? Number(STATUS.exec(message)?.[1])
  if (told === 429 || (Number.isNaN(told) && LIMIT.test(message))) return 'limit'
  if (told === 401 || ((Number.isNaN(told) || told === 403) && SIGN_IN.test(message))) return 'sign-in'
  if (told >= 400) return told >= 500 ? 'outage' : 'other'
  return OUTAGE.test(message) ? 'outage' : 'other'
}

const SPENT = /\bspend(?:ing)? limit\b|\bbudget\b|\bout of (?:extra )?usage\b|\busage credits\b|\bcredit balance\b/i

function limited(failure: Failure): Doing {
  const untilWallAt = limitEnd(failure)
  if (untilWallAt !== undefined) return { kind: 'limited', untilWallAt }
  return SPENT.test(failure.message) ? { kind: 'limited', spent: true } : { kind: 'limited' }
}

/** «…limit reached|1794765374»: the second in which the limit ends; else «resets 3am». */
function limitEnd({ message, told }: Failure): number | undefined {
  const second = /\|(\d{10})(?!\d)/.exec(message)?.[1]
  return second === undefined ? resetTime(message, told) : Number(second) * 1000
}

/** An answer that had to be cut off because it says the same again and again is not the service's fault. */
function cutOff(message: string, what: string): Doing {
  const { times } = textTrace(message, 0)
  return times < FLOOD ? { kind: 'api_error', what } : { kind: 'looping', what: 'the same words in one answer', times }
}
