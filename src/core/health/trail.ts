/**
 * The trail of an agent's newest steps, and what in it is new. A call is novel when it was not made before with that
 * result; a search also has to find something else than the searches like it did. A novel call is progress.
 */
import { TRAIL_LIMIT, type Sighting, type Trace, type Trail } from '../../contract/evidence.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { CallTrace } from '../../contract/trace.ts'
import { MINUTE } from '../durations.ts'

/** What is heard so soon after a poke of ours is the poke: nobody gave it a new task. */
const OWN_WORD_MS = MINUTE

export function isNovel(agent: AgentRecord, sighting: Sighting): boolean {
  const traces = tracesOf(sighting)
  if (traces.length === 0 || wasOpen(agent, sighting)) return false
  const steps = agent.trail?.steps ?? []
  const isMade = (call: CallTrace) => steps.some(({ trace }) => trace.kind === 'call' && isSameStep(trace, call))
  return traces.some((trace) => trace.kind === 'call' && trace.says !== true && !isMade(trace))
}

/** What it did by this sighting, also calls that its program refused. */
function tracesOf({ facts, trace }: Sighting): readonly Trace[] {
  const own = trace === undefined ? NO_TRACES : [trace]
  const closed = facts?.find((each) => each.fact === 'calls_closed' && each.rejected !== undefined)
  return closed?.fact === 'calls_closed' ? [...(closed.rejected ?? []), ...own] : own
}

const NO_TRACES: readonly Trace[] = []

/** Whatever ends now was begun before we last said something: that it ends is no answer to that. */
function wasOpen({ evidence, open, steeredAt = -Infinity }: AgentRecord, { facts }: Sighting): boolean {
  if (facts !== undefined) {
    const closed = facts.flatMap((each) => (each.fact === 'call_closed' ? each.id : []))
    return (open?.calls ?? []).some(({ id, at }) => closed.includes(id) && at <= steeredAt)
  }
  const { doing, doingAt = 0 } = evidence.hook ?? {}
  return doing?.kind === 'tool' && doingAt <= steeredAt
}

function isSameStep(before: CallTrace, now: CallTrace): boolean {
  if (before.result !== now.result) return false
  return before.call === now.call || (now.like !== undefined && before.like === now.like)
}

/** The trail with this sighting in it; undefined when it adds nothing. */
export function grownTrail(agent: AgentRecord, sighting: Sighting, at: number): Trail | undefined {
  const { heard } = sighting
  const news = tracesOf(sighting).filter((trace) => !isKnown(agent.trail, trace))
  const isTold = heard !== undefined && !isOwnWord(agent, heard, at)
  if (news.length === 0 && !isTold) return agent.trail
  const { steps, ...rest } = agent.trail ?? { steps: [] }
  const grown = news.map((trace) => ({ at, trace }))
  return {
    ...rest,
    steps: grown.length === 0 ? steps : [...steps, ...grown].slice(-TRAIL_LIMIT),
    ...(isTold ? { turnAt: at } : {}),
  }
}

/** A report may come twice, when the daemon ended before it could take it away. */
function isKnown(trail: Trail | undefined, trace: Trace): boolean {
  return (trail?.steps ?? []).some(({ trace: before }) => before.wallAt === trace.wallAt && isSameTrace(before, trace))
}

function isSameTrace(before: Trace, now: Trace): boolean {
  if (before.kind !== 'call' || now.kind !== 'call') return before.kind === now.kind
  return before.call === now.call && before.result === now.result && before.actor === now.actor
}

function isOwnWord({ act, episode, ownWords = [] }: AgentRecord, heard: string, at: number): boolean {
  if (ownWords.includes(heard)) return true
  return episode?.lastPokeAt !== undefined && act?.kind !== 'message' && at - episode.lastPokeAt < OWN_WORD_MS
}

interface Spending {
  costUsd: number | undefined
  isProgress: boolean
}

/** What the session had cost at its last progress. One that costs less than before is another session. */
export function spentAtProgress(trail: Trail | undefined, { costUsd, isProgress }: Spending): number | undefined {
  const mark = trail?.progressUsd
  if (costUsd === undefined) return mark
  return isProgress || mark === undefined || costUsd < mark ? costUsd : mark
}
