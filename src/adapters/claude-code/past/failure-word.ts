/** The word that a client's hook has for why its service ended a turn; older ones left it out, or did not know it. */
import { textOf } from '../hook-body.ts'

interface Failure {
  error: unknown
  status: unknown
  message: string
}

const LIMIT = /\blimit\b.*\b(?:reached|resets?|hit)\b|\b(?:hit|reached)\b.*\blimit\b|usage limit|rate limit/i
const SIGN_IN = /not logged in|run \/login|invalid api key|authentication|oauth token/i
const OUTAGE = /\b5\d\d\b|overloaded|connection|socket|network|timed? ?out|internal server error/i

export function failureWord({ error, status, message }: Failure): string {
  const word = textOf(error)
  if (word !== undefined && word !== 'unknown') return word
  if (status === 429 || LIMIT.test(message)) return 'rate_limit'
  if (status === 401 || SIGN_IN.test(message)) return 'authentication_failed'
  if ((typeof status === 'number' && status >= 500) || OUTAGE.test(message)) return 'server_error'
  return 'unknown'
}
