/**
 * What the client keeps of itself, its registry and the end of its transcript, in the words in which the core weighs it
 * against what hooks report. Pure.
 */
import type { Doing } from '../../contract/evidence.ts'
import type { Seen } from '../../contract/open-work.ts'
import type { RegistryEntry, RegistryStatus } from './registry.ts'
import type { Retry } from './retry-log.ts'
import type { SessionTail } from './session-tail.ts'
import { failureOf } from './stop-failure.ts'

type Status = NonNullable<Seen['status']>
type Tail = NonNullable<Seen['tail']>

const SAYS: Record<Exclude<RegistryStatus, 'waiting'>, Status['says']> = {
  idle: 'rest',
  busy: 'work',
  shell: 'background',
}

export function statusSeen({ status, statusWallAt: wallAt, waitingFor }: RegistryEntry): Status | undefined {
  if (status === undefined) return undefined
  if (status !== 'waiting') return { says: SAYS[status], wallAt }
  const what = waitingFor === undefined ? {} : { what: waitingFor }
  return { says: waitingFor === 'input needed' ? 'question' : 'permission', ...what, wallAt }
}

export interface Ending {
  tail: SessionTail
  /** The last request that was refused and will be sent again, by the client's own notes. */
  refused: Retry | undefined
  zone: string
}

export function tailSeen({ tail, refused, zone }: Ending): Tail {
  const { promptAt, answerAt, interrupt, asked, apiError } = tail
  return {
    ...(promptAt === undefined ? {} : { promptWallAt: promptAt }),
    ...(answerAt === undefined ? {} : { answerWallAt: answerAt }),
    ...(interrupt === undefined ? {} : { interruptWallAt: interrupt.at }),
    ...(asked === undefined ? {} : { asked: { times: asked.times, firstWallAt: asked.firstAt, wallAt: asked.at } }),
    ...refusedSeen(refused),
    ...failed(apiError, zone),
  }
}

function refusedSeen(retry: Retry | undefined): Pick<Tail, 'refused'> {
  if (retry === undefined) return {}
  const { at: wallAt, status, waitMs } = retry
  return { refused: { wallAt, ...(status === undefined ? {} : { status }), untilWallAt: wallAt + waitMs } }
}

/** What a later try may mend, in the client's words. */
const OUTAGE = /\b5\d\d\b|overloaded|connection|network|timed? ?out/i

/** It ended the turn by itself, with a message of its own in place of an answer; the hook of that says the same. */
function failed(error: SessionTail['apiError'], zone: string): Pick<Tail, 'failed'> {
  if (error?.text === undefined || error.retryAt !== undefined) return {}
  const { text, status, at: wallAt } = error
  return { failed: { doing: status === 429 ? limit(text, { wallAt, zone }) : failure(text), wallAt } }
}

function limit(message: string, told: { wallAt: number; zone: string }): Doing {
  return failureOf({ error: 'rate_limit', message, told })
}

function failure(text: string): Doing {
  return { kind: 'api_error', what: text.slice(0, 400), ...(OUTAGE.test(text) ? { ended: true as const } : {}) }
}
