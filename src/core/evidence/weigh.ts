/**
 * What an agent's program keeps of itself (its registry, the end of its transcript) against what is believed of it. Hooks
 * tell most moments first; those without a hook (an interrupt, a cancelled question, a full context, a request that is
 * sent again, an answer given in the program's own dialog) are told here. Nothing is said where they agree. Pure.
 */
import type { Doing, Limit } from '../../contract/evidence.ts'
import type { OpenWork, Seen } from '../../contract/open-work.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { LONGEST_LIMIT_MS } from '../durations.ts'
import { currentDoing } from '../health/judge.ts'
import { beyondWaits, NOTHING_OPEN } from './open-work.ts'

interface Believed {
  doing: Doing | undefined
  open: OpenWork
  heardWallAt: number
  wallAt: number
  /** What its program last said of the account's limits: for the end of one. */
  limits: readonly Limit[]
}

type Status = NonNullable<Seen['status']>
type Tail = NonNullable<Seen['tail']>

export interface Objection {
  witness: 'registry' | 'transcript'
  doing: Doing
  wallAt: number
}

/** An objection that is not certain yet: whether it holds is seen after this long. */
export interface Doubt {
  againMs: number
}

/** The registry is written up to this long before or after the hook that tells the same. */
const SETTLE_MS = 400
/** Against a report that is younger than it, the registry's word must last this long. */
const PERSIST_MS = 1_500

export function objection(agent: AgentRecord, wallAt: number): Objection | Doubt | undefined {
  const { open = NOTHING_OPEN } = agent
  if (open.seen === undefined) return undefined
  const { tail } = open.seen
  const believed = {
    doing: currentDoing(agent)?.doing,
    open,
    heardWallAt: past(open.heardWallAt, wallAt),
    limits: agent.gauges?.limits ?? [],
    wallAt,
  }
  const over = overByTranscript(believed, tail)
  const status = over !== undefined && isOutdated(open.seen.status, over) ? undefined : open.seen.status
  return (
    retrying(believed, { status, tail }) ??
    byStatus(believed, { status, tail }) ??
    (over !== undefined && status === undefined && isAtWork(believed) ? over : undefined)
  )
}

/** What was said at a time that is yet to come was said before the clock was set back: before whatever is said now. */
function past(saidWallAt: number | undefined, wallAt: number): number {
  return saidWallAt === undefined || isYetToCome(saidWallAt, wallAt) ? 0 : saidWallAt
}

export function isYetToCome(saidWallAt: number, wallAt: number): boolean {
  return saidWallAt > wallAt + SETTLE_MS
}

/** The request that it waits for was not answered: it is sent again, or will be. */
function retrying({ doing, limits, wallAt }: Believed, { status, tail }: Seen): Objection | undefined {
  const isBusy = status === undefined || status.says === 'work'
  const isOpen = doing === undefined || doing.kind === 'thinking' || isRetry(doing)
  if (tail === undefined || !isBusy || !isOpen) return undefined
  const found = retryOf(tail)
  if (found === undefined) return doing !== undefined && isRetry(doing) ? answered(tail) : undefined
  const told = withLimitEnd(found.doing, limits, wallAt)
  return isSame(told, doing) ? undefined : { ...found, doing: told }
}

function retryOf(tail: Tail): Objection | undefined {
  const { asked, refused } = tail
  const isRefused = refused !== undefined && refused.wallAt >= askedWallAt(tail) - SETTLE_MS
  if (isRefused && refused.status === LIMITED) {
    const until = refused.untilWallAt === undefined ? {} : { untilWallAt: refused.untilWallAt }
    return { witness: 'transcript', doing: { kind: 'limited', waits: true, ...until }, wallAt: refused.wallAt }
  }
  const { times, wallAt } = asked ?? { times: 0, wallAt: 0 }
  if (times > 1) return unanswered(`the request was sent ${times} times`, wallAt)
  if (!isRefused) return undefined
  return unanswered(
    `it tries again${refused.status === undefined ? '' : ` after status ${refused.status}`}`,
    refused.wallAt,
  )
}

/** When the request was first sent that it waits for; of older clients, when there was last anything but refusals. */
function askedWallAt({ asked, promptWallAt = 0, answerWallAt = 0, failed }: Tail): number {
  if (asked !== undefined) return asked.firstWallAt ?? asked.wallAt
  return Math.max(promptWallAt, answerWallAt, failed === undefined ? 0 : failed.wallAt + SETTLE_MS)
}

const LIMITED = 429
const UNANSWERED = "no answer from the model's service"

function unanswered(how: string, wallAt: number): Objection {
  return { witness: 'transcript', doing: { kind: 'api_error', what: `${UNANSWERED}; ${how}` }, wallAt }
}

/** It waits for an answer by itself; its turn is not over. */
function isRetry(doing: Doing): boolean {
  return doing.kind === 'limited'
    ? doing.waits === true
    : doing.kind === 'api_error' && doing.what.startsWith(UNANSWERED)
}

/** It waits for nothing any more, or for the answer to another request. */
function answered({ asked, answerWallAt }: Tail): Objection | undefined {
  const wallAt = asked?.wallAt ?? answerWallAt
  return wallAt === undefined ? undefined : { witness: 'transcript', doing: { kind: 'thinking' }, wallAt }
}

function isSame(a: Doing, b: Doing | undefined): boolean {
  if (a.kind === 'api_error' && b?.kind === 'api_error') return a.what === b.what
  return a.kind === 'limited' && b?.kind === 'limited' && a.untilWallAt === b.untilWallAt && a.tooFar === b.tooFar
}

function byStatus(believed: Believed, { status, tail }: Seen): Objection | Doubt | undefined {
  if (status === undefined) return undefined
  const doing = READ[status.says](believed, status, tail)
  if (doing === undefined) return undefined
  const { heardWallAt, wallAt } = believed
  const saidWallAt = past(status.wallAt, wallAt)
  const certainAt = saidWallAt >= heardWallAt ? saidWallAt + SETTLE_MS : heardWallAt + PERSIST_MS
  if (wallAt < certainAt) return { againMs: certainAt - wallAt }
  return { witness: 'registry', doing, wallAt: status.wallAt }
}

type Kind = Doing['kind']
const WORKING: readonly Kind[] = ['tool', 'thinking', 'compacting', 'looping']
const WAITING: readonly Kind[] = ['permission', 'question']

type Reader = (believed: Believed, status: Status, tail: Tail | undefined) => Doing | undefined

/** What each word means where another thing is believed; undefined where it agrees. */
const READ: Record<Status['says'], Reader> = {
  rest: (believed, _, tail) => {
    if (!isAtWork(believed)) return undefined
    return gaveUp(believed, tail) ?? { kind: 'idle' }
  },
  background: (believed) => {
    const isRest = believed.doing?.kind === 'idle'
    return isAtWork(believed) || isRest ? { kind: 'background', tasks: 1 } : undefined
  },
  work: ({ doing, open }) => {
    if (doing !== undefined && WAITING.includes(doing.kind)) return workBeyondWaits(open)
    const isWork = doing !== undefined && (WORKING.includes(doing.kind) || doing.kind === 'background')
    // Sent again and again: that is work, too.
    const isKnown = doing?.kind === 'api_error' || (doing !== undefined && isRetry(doing))
    return isWork || isKnown ? undefined : { kind: 'thinking' }
  },
  permission: asksItself,
  question: asksItself,
}

function workBeyondWaits(open: OpenWork): Doing {
  const doing = beyondWaits(open)?.doing
  return doing === undefined || !WORKING.includes(doing.kind) ? { kind: 'thinking' } : doing
}

function asksItself({ doing }: Believed, { says, what }: Status): Doing | undefined {
  if (doing !== undefined && WAITING.includes(doing.kind)) return undefined
  return {
    kind: says === 'question' ? 'question' : 'permission',
    what: `it asks in its own terminal (${what ?? 'a dialog'})`,
  }
}

/** Believed to be busy or to wait for somebody. One that starts with a prompt rests for a moment before it. */
function isAtWork({ doing, open }: Believed): boolean {
  if (doing === undefined) return true
  if (doing.kind === 'starting') return open.promptDue !== true
  return isRetry(doing) || WORKING.includes(doing.kind) || WAITING.includes(doing.kind)
}

/** The program ended the turn by itself, with words of its own in place of an answer. */
function gaveUp({ open, limits, wallAt }: Believed, tail: Tail | undefined): Doing | undefined {
  const failed = tail?.failed
  if (failed === undefined || isYetToCome(failed.wallAt, wallAt)) return undefined
  if (failed.wallAt < past(open.promptedWallAt, wallAt) - SETTLE_MS) return undefined
  const isLast = failed.wallAt >= (tail?.answerWallAt ?? 0) && failed.wallAt >= (tail?.promptWallAt ?? 0)
  return isLast ? withLimitEnd(failed.doing, limits, wallAt) : undefined
}

/**
 * Where it does not say when a limit ends: when the one that is used up begins anew. An end that is further away than
 * any limit lasts is not believed.
 */
export function withLimitEnd(doing: Doing, limits: readonly Limit[], wallAt: number): Doing {
  if (doing.kind !== 'limited' || doing.spent === true) return doing
  const isTrue = (at: number | undefined) => at !== undefined && at <= wallAt + LONGEST_LIMIT_MS
  if (isTrue(doing.untilWallAt)) return doing
  const { untilWallAt: told, tooFar, ...plain } = doing
  const ends = limits.flatMap(({ share, resetsWallAt = Infinity }) =>
    share >= 1 && isTrue(resetsWallAt) ? resetsWallAt : [],
  )
  if (ends.length > 0) return { ...plain, untilWallAt: Math.max(...ends) }
  return told === undefined && tooFar === undefined ? plain : { ...plain, tooFar: true }
}

/** The transcript's own note that the turn is over, as the last word of it: a person ended it, or its program gave up. */
function overByTranscript(believed: Believed, tail: Tail | undefined): Objection | undefined {
  const doing: Doing | undefined = isInterrupted(believed.open, believed.wallAt)
    ? { kind: 'idle' }
    : gaveUp(believed, tail)
  const wallAt = doing?.kind === 'idle' ? tail?.interruptWallAt : tail?.failed?.wallAt
  if (doing === undefined || wallAt === undefined) return undefined
  const hasBegun = believed.open.calls.some((call) => call.actor === '' && call.wallAt > wallAt + SETTLE_MS)
  return hasBegun ? undefined : { witness: 'transcript', doing, wallAt }
}

/** Against that note only a word of the registry that is younger counts. */
function isOutdated(status: Status | undefined, over: Objection): boolean {
  return status !== undefined && status.says !== 'rest' && status.wallAt <= over.wallAt + SETTLE_MS
}

/** What was last written of its turn is that somebody ended it; nothing was said to it since, nor by it. */
export function isInterrupted({ seen, promptedWallAt }: OpenWork, wallAt = Infinity): boolean {
  const { interruptWallAt, promptWallAt = 0, answerWallAt = 0 } = seen?.tail ?? {}
  if (interruptWallAt === undefined || answerWallAt > interruptWallAt + SETTLE_MS) return false
  if (isYetToCome(interruptWallAt, wallAt)) return false
  return interruptWallAt >= Math.max(promptWallAt, past(promptedWallAt, wallAt))
}
