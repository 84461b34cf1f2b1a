/**
 * Loops, found without silence: in what an agent did since its last progress and its last task, never by the clock
 * alone. Each actor is looked at by itself, since several subagents may honestly make the same calls. Whatever is new
 * (another call, another result of the same call, a commit, a closed task) empties what is looked at.
 */
import type { Trail } from '../../contract/evidence.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { CallTrace } from '../../contract/trace.ts'
import { HOUR, MINUTE, SECOND } from '../durations.ts'

export interface Loop {
  what: string
  times: number
  /** When time alone ends it. */
  untilAt?: number
}

/** How many calls without news show that so few different ones go round: one, two, three or four. */
const ROUNDS = [7, 8, 10, 14] as const
/** Of the calls looked at, so large a part must belong to the round. */
const SHARE = 0.75
const WINDOW = 20
/** Of any number of different calls: so many without news, each of them made so often again. */
const MANY = 14
const AGAIN = 2
/** The same call failing the same way, beside the first time. */
const FAILURES = 4
/** Different calls, all of them failing in the same way: not the calls are to blame. */
const ALL_FAIL = 12
/** Who waits on purpose between its questions may ask the same for a while, and for longer who waits long. */
const WAITING_SHARE = 1 / 3
const WAIT_GAP_MS = 15 * SECOND
const SHORT_PATIENCE_MS = 10 * MINUTE
const PATIENCE_MS = 2 * HOUR
const COMPACTIONS = 3
/** With so many steps after the last one it works again. */
const CALLS_AFTER = 2
export const COMPACTIONS_WITHIN_MS = 10 * MINUTE
/** One answer that says a piece so often, or so many answers that are the same. */
export const FLOOD = 20
const SAME_TEXTS = 5
export const SPENT_USD = 10

export function loopOf(agent: AgentRecord, now: number): Loop | undefined {
  const { trail } = agent
  if (trail === undefined) return undefined
  return compactionLoop(trail, now) ?? callLoop(agent, trail) ?? textLoop(agent, trail) ?? moneyLoop(agent, trail)
}

/** Too many in a short time, or one right after the other with no call between them; until it works again. */
function compactionLoop({ steps }: Trail, now: number): Loop | undefined {
  if (!steps.slice(-CALLS_AFTER).some(isCompaction)) return undefined
  const recent = steps.filter((step) => isCompaction(step) && step.at > now - COMPACTIONS_WITHIN_MS)
  const nth = recent.at(-COMPACTIONS)
  if (nth !== undefined) {
    return { what: 'compacting', times: recent.length, untilAt: nth.at + COMPACTIONS_WITHIN_MS }
  }
  const [before, last] = recent.slice(-2)
  if (before === undefined || last === undefined || last !== steps.at(-1)) return undefined
  const hasWorked = steps.slice(steps.indexOf(before), -1).some(({ trace }) => trace.kind === 'call')
  return hasWorked ? undefined : { what: 'compacting', times: 2, untilAt: before.at + COMPACTIONS_WITHIN_MS }
}

function isCompaction({ trace }: Step): boolean {
  return trace.kind === 'compaction'
}

function callLoop(agent: AgentRecord, trail: Trail): Loop | undefined {
  const last = trail.steps.at(-1)
  if (last === undefined) return undefined
  const turnAt = trail.turnAt ?? -Infinity
  const since = Math.max(agent.progressedAt, turnAt)
  const stale = callsSince(trail, since)
  if (stale.length >= FAILURES) {
    for (const calls of grouped(stale, ({ actor }) => actor ?? '').values()) {
      const loop = roundOf(agent, calls, last.at - since) ?? wideRound(calls, { trail, sinceMs: last.at - since })
      if (loop !== undefined) return loop
    }
  }
  const { trace } = last
  if (trace.kind !== 'call' || trace.ok) return undefined
  return allFail(callsSince(trail, turnAt).filter(({ actor }) => actor === trace.actor))
}

type Step = Trail['steps'][number]

/** Newest last. Of one that makes progress there are none, and nothing is gone through. */
function callsSince({ steps }: Trail, since: number): CallTrace[] {
  let from = steps.length
  while (from > 0 && (steps[from - 1]?.at ?? -Infinity) > since) from -= 1
  return steps.slice(from).flatMap(({ trace }) => (trace.kind === 'call' ? trace : []))
}

function grouped(calls: readonly CallTrace[], keyOf: (call: CallTrace) => string): Map<string, CallTrace[]> {
  const groups = new Map<string, CallTrace[]>()
  for (const call of calls) {
    const key = keyOf(call)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [call])
    else group.push(call)
  }
  return groups
}

function allFail(calls: readonly CallTrace[]): Loop | undefined {
  const last = calls.at(-1)
  if (last === undefined || last.ok) return undefined
  const other = calls.findLastIndex(({ ok, result }) => ok || result !== last.result)
  // A search that finds nothing fails, and so does a question that is asked too early.
  const same = calls.slice(other + 1).filter(({ like, waits }) => like === undefined && waits === undefined)
  return same.length < ALL_FAIL ? undefined : { what: 'every call fails in the same way', times: same.length }
}

/** The calls are without news, all of one actor. */
function roundOf(agent: AgentRecord, all: readonly CallTrace[], sinceMs: number): Loop | undefined {
  if (all.length < FAILURES) return undefined
  const calls = all.slice(-WINDOW)
  if (isPatient(calls, sinceMs)) return undefined
  const rounds = tally(calls)
  const [most] = rounds
  if (most !== undefined && !most.first.ok && most.count >= FAILURES) {
    return { what: `${nameOf(agent, most.first)} fails in the same way`, times: timesOf(all, [most]) }
  }
  const loop = repetition(agent, calls, rounds)
  return loop === undefined ? undefined : { what: loop.what, times: timesOf(all, loop.round) }
}

/** What was forgotten when the context was compacted may be asked for once more. */
function wideRound(all: readonly CallTrace[], { trail, sinceMs }: { trail: Trail; sinceMs: number }): Loop | undefined {
  if (all.length < MANY) return undefined
  const forgottenAt = trail.steps.findLast(isCompaction)?.trace.wallAt ?? -Infinity
  const calls = all.filter(({ wallAt }) => wallAt > forgottenAt)
  const different = new Set(calls.map(keyOf)).size
  if (calls.length < Math.max(MANY, AGAIN * different) || isPatient(calls, sinceMs)) return undefined
  return { what: `${different} calls in turns, with the same results`, times: calls.length + different }
}

function keyOf({ call, result }: CallTrace): string {
  return `${call} ${result}`
}

/** All that are remembered, and the first one of each, which was news. */
function timesOf(all: readonly CallTrace[], round: readonly Tally[]): number {
  const keys = new Set(round.map(({ first }) => keyOf(first)))
  return all.filter((call) => keys.has(keyOf(call))).length + keys.size
}

interface Tally {
  first: CallTrace
  count: number
}

/** How often each was made, most often first. */
function tally(calls: readonly CallTrace[]): Tally[] {
  return [...grouped(calls, keyOf).values()]
    .flatMap((same) => (same[0] === undefined ? [] : { first: same[0], count: same.length }))
    .toSorted((a, b) => b.count - a.count)
}

/** It waits on purpose between its calls, and not for longer than what it waits for may take. */
function isPatient(calls: readonly CallTrace[], sinceMs: number): boolean {
  const [first] = calls
  const last = calls.at(-1)
  const waiting = calls.filter(({ waits }) => waits === true).length
  if (first === undefined || last === undefined || waiting < WAITING_SHARE * calls.length) return false
  const isSlow = Math.abs(last.wallAt - first.wallAt) / Math.max(1, calls.length - 1) >= WAIT_GAP_MS
  return sinceMs < (isSlow ? PATIENCE_MS : SHORT_PATIENCE_MS)
}

interface Round {
  what: string
  round: readonly Tally[]
}

function repetition(agent: AgentRecord, calls: readonly CallTrace[], rounds: readonly Tally[]): Round | undefined {
  let count = 0
  for (const [n, need] of ROUNDS.entries()) {
    count += rounds[n]?.count ?? 0
    if (rounds[n] === undefined) return undefined
    if (count < need || count < SHARE * calls.length) continue
    const round = rounds.slice(0, n + 1)
    const names = round.map(({ first }) => nameOf(agent, first))
    const what = names.length === 1 ? names.join() : `${[...new Set(names)].join(', ')} in turns`
    return { what: `${what.slice(0, 300)}, with the same results`, round }
  }
  return undefined
}

/** As people know it: what it was called for, where that is still remembered. */
function nameOf({ activities }: AgentRecord, { tool }: CallTrace): string {
  const last = activities.at(-1)
  return last?.tool === tool && last.action !== undefined ? last.action : tool
}

function textLoop(agent: AgentRecord, { steps, turnAt = -Infinity }: Trail): Loop | undefined {
  const since = Math.max(agent.progressedAt, turnAt)
  if ((steps.at(-1)?.at ?? -Infinity) <= since) return undefined
  const texts = steps.flatMap(({ at, trace }) => (trace.kind === 'text' && at > since ? trace : []))
  const last = texts.at(-1)
  if (last === undefined) return undefined
  if (last.times >= FLOOD) return { what: 'the same words in one answer', times: last.times }
  const same = texts.filter(({ text }) => text === last.text).length
  return same < SAME_TEXTS ? undefined : { what: 'the same answer', times: same }
}

function moneyLoop({ gauges }: AgentRecord, { progressUsd }: Trail): Loop | undefined {
  const spent = (gauges?.sessionCostUsd ?? 0) - (progressUsd ?? Infinity)
  return spent < SPENT_USD ? undefined : { what: `$${spent.toFixed(2)} spent without progress`, times: 1 }
}
