/** What the client is left with when its service ended a turn: a limit, a sign-in, a failure, or an answer without an end. */
import type { Doing } from '../../contract/evidence.ts'
import { FLOOD } from '../../core/health/loops.ts'
import { textTrace } from './call-trace.ts'
import { oneLine } from './hook-body.ts'
import { resetTime, type Told } from './reset-time.ts'

interface Failure {
  error: unknown
  message: string
  /** When and where it was said: the end of a limit may be told as a time of day. */
  told: Told
}

export function failureOf(failure: Failure): Doing {
  const { error, message } = failure
  const what = oneLine(message, 400)
  switch (error) {
    case 'rate_limit':
      return { kind: 'limited', ...limitEnd(failure) }
    case 'authentication_failed':
    case 'billing_error':
      return { kind: 'auth_needed', what }
    case 'max_output_tokens':
      return cutOff(message, what)
    case 'server_error':
      return { kind: 'api_error', what, ended: true }
    default:
      return { kind: 'api_error', what }
  }
}

/** «…limit reached|1794765374»: the second in which the limit ends; else «resets 3am». */
function limitEnd({ message, told }: Failure): { untilWallAt?: number } {
  const second = /\|(\d{10})(?!\d)/.exec(message)?.[1]
  const untilWallAt = second === undefined ? resetTime(message, told) : Number(second) * 1000
  return untilWallAt === undefined ? {} : { untilWallAt }
}

/** An answer that had to be cut off because it says the same again and again is not the service's fault. */
function cutOff(message: string, what: string): Doing {
  const { times } = textTrace(message, 0)
  return times < FLOOD ? { kind: 'api_error', what } : { kind: 'looping', what: 'the same words in one answer', times }
}
