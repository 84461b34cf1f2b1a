/** Why a command ended without success, and the exit code that says so. */
import type { ApiError } from '../contract/views.ts'

export const EXIT = { ok: 0, failed: 1, usage: 2, noDaemon: 3 } as const

/** `sentence` has no end; what to do next stands in `hint`. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exitCode: number
  readonly error: Omit<ApiError, 'code'> & { code: ApiError['code'] | 'no_daemon' | 'no_answer' }

  /** What is not valid was asked for wrongly, whoever finds out: the parser, the client or the daemon. */
  constructor(error: Failure['error'], exitCode: number = error.code === 'invalid' ? EXIT.usage : EXIT.failed) {
    super(error.sentence)
    this.error = error
    this.exitCode = exitCode
  }
}

/** «Could not poke agent-1: there is no agent agent-1. List them with …» */
export function failureLine({ error }: Failure, attempt: string | undefined): string {
  const { sentence, hint } = error
  const full = attempt === undefined ? sentence : `Could not ${attempt}: ${lowered(sentence)}`
  return `${/[.?!]$/.test(full) ? full : `${full}.`} ${hint}`
}

/** Ids are never in capitals, so that a capital is the beginning of a sentence; names stay as they are. */
function lowered(sentence: string): string {
  return /^(?!Cloister)[A-Z][a-z]* /.test(sentence)
    ? `${sentence.charAt(0).toLowerCase()}${sentence.slice(1)}`
    : sentence
}
