/**
 * What an agent has open, told from the facts that its program reports: calls by their id, waits for a person, and what
 * it does beside them. Nothing that is typed to it closes a call, and whichever of two calls ends first, the other one
 * stays open. Pure, and stored with the agent, so that a restart of ours forgets nothing.
 */
import type { Doing } from '../../contract/evidence.ts'
import { SECOND } from '../durations.ts'
import {
  CALLS_KEPT,
  WAITS_KEPT,
  type Fact,
  type OpenCall,
  type OpenWait,
  type OpenWork,
  type Seen,
} from '../../contract/open-work.ts'

const MAIN = ''

export const NOTHING_OPEN: OpenWork = { calls: [], waits: [] }

/** When a fact was told, by our clock and by the one on the wall. */
export interface Instant {
  at: number
  wallAt: number
}

export interface Shown {
  /** Which call or wait it is; none between calls. */
  key: string | undefined
  doing: Doing
  /** When the call or the wait began. */
  at?: number
}

/** What it does now: a wait for a person comes before all else, then a call, then what it does between them. */
export function shownWork(open: OpenWork): Shown | undefined {
  const wait = open.waits.at(-1)
  if (wait !== undefined) return { key: `wait ${wait.key}`, doing: wait.doing, at: wait.at }
  return beyondWaits(open)
}

/** What it does apart from waiting for a person. */
export function beyondWaits({ calls, rest }: OpenWork): Shown | undefined {
  const call = lastToEnd(calls)
  if (call !== undefined) return { key: `call ${call.id}`, doing: toolOf(call), at: call.at }
  return rest === undefined ? undefined : { key: undefined, doing: rest }
}

/**
 * Of several calls the one that may take longest from now: whoever waits for it is not late, in whichever order the
 * others end. One for which others work counts only where these have nothing open.
 */
function lastToEnd(calls: readonly OpenCall[]): OpenCall | undefined {
  let last: OpenCall | undefined
  for (const call of calls) if (last === undefined || !isBefore(call, last)) last = call
  return last
}

function isBefore(call: OpenCall, last: OpenCall): boolean {
  if (call.delegates !== last.delegates) return call.delegates === true
  return untilOf(call) < untilOf(last)
}

function untilOf({ at, boundMs = Infinity }: OpenCall): number {
  return at + boundMs
}

function toolOf({ tool, boundMs, says }: OpenCall): Doing {
  return {
    kind: 'tool',
    name: tool,
    ...(boundMs === undefined ? {} : { boundMs }),
    ...(says === undefined ? {} : { says }),
  }
}

export function afterFacts(open: OpenWork, facts: readonly Fact[], instant: Instant): OpenWork {
  let next = open
  for (const fact of facts) next = after(next, fact, instant)
  return next
}

function after(open: OpenWork, fact: Fact, instant: Instant): OpenWork {
  switch (fact.fact) {
    case 'call_opened':
      return opened(open, fact, instant)
    case 'call_closed':
      return goesOn(closed(open, fact), fact.actor)
    case 'calls_closed':
      return goesOn(finished(open, fact.actor), fact.actor)
    case 'wait_opened':
      return waiting(open, fact, instant)
    case 'wait_closed':
      return { ...open, waits: open.waits.filter(({ key }) => key !== fact.key) }
    case 'session_began':
      return settled(withoutRested(withoutAsked(open)), { kind: open.promptDue === true ? 'starting' : 'idle' })
    case 'prompt_heard':
      return {
        ...withoutRested(withoutPromptDue(open)),
        rest: { kind: 'thinking' },
        promptedWallAt: instant.wallAt,
      }
    case 'turn_ended':
      return ended(withoutAsked(open), fact.rest)
    case 'between_calls':
      return { ...finished(open, MAIN), rest: fact.rest }
    case 'rest_noticed':
      return restNoticed(open)
  }
}

function opened(open: OpenWork, { fact: _, ...call }: Extract<Fact, { fact: 'call_opened' }>, instant: Instant) {
  if (open.restedWallAt !== undefined && instant.wallAt < open.restedWallAt - SECOND) return open
  const others = open.calls.filter(({ id }) => id !== call.id)
  // Who has begun something is doing it: of too many the one goes that should have ended first.
  const calls = [...(others.length < CALLS_KEPT ? others : withoutFirstToEnd(others)), { ...call, ...instant }]
  return { ...open, calls, waits: withoutUnknown(open.waits, call.actor) }
}

function withoutFirstToEnd(calls: OpenCall[]): OpenCall[] {
  const first = calls.reduce((least, call) => (untilOf(call) < untilOf(least) ? call : least))
  return calls.filter((call) => call !== first)
}

function closed(open: OpenWork, { id, actor }: { id: string; actor: string }): OpenWork {
  return {
    ...open,
    calls: open.calls.filter((call) => call.id !== id),
    waits: withoutUnknown(open.waits, actor).filter(({ call }) => call !== id),
  }
}

/** Nothing of this actor is open any more. */
function finished(open: OpenWork, actor: string): OpenWork {
  return {
    ...open,
    calls: open.calls.filter((call) => call.actor !== actor),
    waits: open.waits.filter((wait) => wait.actor !== actor),
  }
}

/** A subagent's call may end long after the main conversation has come to rest. */
function goesOn(open: OpenWork, actor: string): OpenWork {
  return actor === MAIN || open.rest === undefined ? { ...open, rest: { kind: 'thinking' } } : open
}

/** Where it is not known which call waits, any other word of the same actor tells that the wait is over. */
function withoutUnknown(waits: OpenWait[], actor: string): OpenWait[] {
  const isOver = (wait: OpenWait) => wait.call === undefined && wait.actor === actor
  return waits.some(isOver) ? waits.filter((wait) => !isOver(wait)) : waits
}

function waiting(open: OpenWork, fact: Extract<Fact, { fact: 'wait_opened' }>, { at }: Instant): OpenWork {
  const { key, actor, identity, doing, reminds } = fact
  if (reminds === true && open.waits.length > 0) return open
  const waits = open.waits.filter((wait) => wait.key !== key)
  if (waits.length >= WAITS_KEPT) return open
  const asked = (call: OpenCall) => call.actor === actor && call.identity === identity
  const id = identity === undefined ? undefined : open.calls.findLast(asked)?.id
  return { ...open, waits: [...waits, { key, actor, doing, at, ...(id === undefined ? {} : { call: id }) }] }
}

/** Nothing is open any more. */
function settled(open: OpenWork, rest: Doing): OpenWork {
  return { ...open, calls: [], waits: [], rest }
}

export function atRest(open: OpenWork): OpenWork {
  return settled(open, { kind: 'idle' })
}

/** Subagents go on in the background; where there is none, they are over, too. */
function ended(open: OpenWork, rest: Doing): OpenWork {
  return rest.kind === 'background' ? { ...finished(open, MAIN), rest } : settled(open, rest)
}

/** What it rests for is known better by whoever told of it. */
const EXPLAINED: readonly Doing['kind'][] = ['background', 'limited', 'api_error', 'auth_needed', 'looping']

function restNoticed(open: OpenWork): OpenWork {
  const isExplained = open.rest !== undefined && EXPLAINED.includes(open.rest.kind)
  const isBusy = open.waits.length > 0 || open.calls.some(({ actor }) => actor === MAIN)
  return isExplained || isBusy ? open : settled(open, { kind: 'idle' })
}

/** With its turn the request is over that it waited for. */
function withoutAsked(open: OpenWork): OpenWork {
  const { asked, refused, ...tail } = open.seen?.tail ?? {}
  return asked === undefined && refused === undefined ? open : { ...open, seen: { ...open.seen, tail } }
}

/** What it rested at is over: a clock that was set back since must not make what begins now older than that. */
function withoutRested({ restedWallAt: _, ...open }: OpenWork): OpenWork {
  return open
}

function withoutPromptDue({ promptDue: _, ...open }: OpenWork): OpenWork {
  return open
}

/**
 * An interrupt has no hook: what was open when its program wrote it down is over. One that is yet to come was written
 * before the clock was set back, and says nothing of now.
 */
export function afterSeen(open: OpenWork, seen: Seen, { wallAt: nowWallAt }: Pick<Instant, 'wallAt'>): OpenWork {
  const next = { ...open, seen: { ...open.seen, ...seen } }
  const { interruptWallAt = -Infinity } = seen.tail ?? {}
  if (interruptWallAt > nowWallAt + SECOND) return next
  const isOver = ({ actor, wallAt }: OpenCall) => actor === MAIN && wallAt <= interruptWallAt
  if (!open.calls.some(isOver)) return next
  const over = new Set(open.calls.filter(isOver).map(({ id }) => id))
  return {
    ...next,
    calls: open.calls.filter(({ id }) => !over.has(id)),
    waits: open.waits.filter(({ call = '' }) => !over.has(call)),
  }
}

/** What registry or transcript say against what was believed, and are believed themselves. */
export function afterObjection(open: OpenWork, doing: Doing, { at, wallAt }: Instant): OpenWork {
  switch (doing.kind) {
    case 'permission':
    case 'question':
      return { ...open, waits: [...open.waits.slice(1 - WAITS_KEPT), { key: SEEN, actor: MAIN, doing, at }] }
    case 'thinking':
    case 'tool': {
      const rest = doing.kind === 'thinking' ? doing : (open.rest ?? { kind: 'thinking' as const })
      return { ...open, waits: [], rest }
    }
    default:
      return { ...ended(open, doing), restedWallAt: wallAt }
  }
}

const SEEN = 'seen'
