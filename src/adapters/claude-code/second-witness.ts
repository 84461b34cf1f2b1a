/**
 * What the client keeps of itself, its registry and the end of its transcript, in the words in which the core weighs it
 * against what hooks report. Pure.
 */
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
  const newest = newestRefusal(refused, apiError)
  return {
    ...(promptAt === undefined ? {} : { promptWallAt: promptAt }),
    ...(answerAt === undefined ? {} : { answerWallAt: answerAt }),
    ...(interrupt === undefined ? {} : { interruptWallAt: interrupt.at }),
    ...(asked === undefined ? {} : { asked: { times: asked.times, firstWallAt: asked.firstAt, wallAt: asked.at } }),
    ...refusedSeen(newest),
    ...failed(apiError, zone),
  }
}

interface Refusal {
  at: number
  status?: number
  untilAt: number
}

/** By its own notes of tries, or by its transcript, where older clients note each. */
function newestRefusal(retry: Retry | undefined, noted: SessionTail['apiError']): Refusal | undefined {
  const own = retry && { ...retry, untilAt: retry.at + retry.waitMs }
  if (noted?.retryAt === undefined) return own
  return own === undefined || own.at < noted.at ? { ...noted, untilAt: noted.retryAt } : own
}

function refusedSeen(refusal: Refusal | undefined): Pick<Tail, 'refused'> {
  if (refusal === undefined) return {}
  const { at: wallAt, status, untilAt: untilWallAt } = refusal
  return { refused: { wallAt, ...(status === undefined ? {} : { status }), untilWallAt } }
}

/** It ended the turn by itself, with a message of its own in place of an answer; the hook of that says the same. */
function failed(error: SessionTail['apiError'], zone: string): Pick<Tail, 'failed'> {
  if (error?.text === undefined || error.retryAt !== undefined) return {}
  const { text, status, error: named, at: wallAt } = error
  return { failed: { doing: failureOf({ error: named, status, message: text, told: { wallAt, zone } }), wallAt } }
}
