/**
 * What we type to agents by ourselves, kept so that it is known again. What our own text causes proves nothing: its echo,
 * thinking about it, an answer in words, the end of that turn, and the end of a call that was open before.
 */
import type { Act } from '../contract/acts.ts'
import type { EventOf } from '../contract/events.ts'
import { OWN_WORDS_KEPT, type AgentRecord } from '../contract/records.ts'

const STEERING: readonly Act['kind'][] = ['poke', 'interrupt', 'nudge']

export function steered(
  { ownWords = [] }: AgentRecord,
  { act, observedAt }: EventOf<'act.decided'>,
): Pick<AgentRecord, 'steeredAt' | 'ownWords'> {
  const isOurs = act.precedence !== 'human' && act.message === undefined && act.fingerprint !== undefined
  return {
    ...(act.handoff !== undefined || STEERING.includes(act.kind) ? { steeredAt: observedAt } : {}),
    ...(isOurs ? { ownWords: [...ownWords, act.fingerprint ?? ''].slice(-OWN_WORDS_KEPT) } : {}),
  }
}

/** By itself, since then: a new call with a new result, a commit or another diff, a closed task. */
export function recoveredSince(agent: AgentRecord, since: number): boolean {
  return agent.progressedAt > Math.max(since, begunAt(agent))
}

/** Since when it is who it is now, with all that is in its head. */
export function begunAt({ startedAt = 0, clearedAt = 0 }: AgentRecord): number {
  return Math.max(startedAt, clearedAt)
}

/** A person told it something since then, by us or in its own terminal: what comes of that is between the two. */
export function wasToldSince({ messages = [], trail }: AgentRecord, since: number): boolean {
  return (trail?.turnAt ?? -Infinity) > since || messages.some(({ queuedAt }) => queuedAt > since)
}
