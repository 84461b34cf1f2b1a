/**
 * How soon an agent is started again, and when enough is enough. Waits double from 30 s to 10 min and differ by up to a
 * quarter. It is started again at most five times in a quarter of an hour, in which the waits do not count, and at most
 * ten times in a row without half an hour of life between them.
 */
import type { AgentRecord } from '../contract/records.ts'
import { MINUTE, SECOND } from './durations.ts'
import { RESTART_WINDOW_MS } from './fold-standing.ts'
import type { Draft } from './turn.ts'

export const FIRST_WAIT_MS = 30 * SECOND
export const LONGEST_WAIT_MS = 10 * MINUTE
export const STABLE_MS = 30 * MINUTE
/** Starts, not ends: the one after them is not made. */
export const LOOP_COUNT = 5
export const MAX_IN_A_ROW = 10

export function nextRestart(agent: AgentRecord, given: { now: number; chance: number; why: string }): Draft {
  const { id, generation, startedAt, restarts } = agent
  const { now, chance, why } = given
  const isStable = startedAt !== undefined && now - startedAt >= STABLE_MS
  const inARow = (isStable ? 0 : (restarts?.inARow ?? 0)) + 1
  const recent = (restarts?.recentAt ?? []).filter((at) => at > now - RESTART_WINDOW_MS).length + 1
  if (recent > LOOP_COUNT || inARow > MAX_IN_A_ROW) {
    return { type: 'restart.exhausted', agent: id, generation, inARow, recent }
  }
  const dueAt = now + Math.round(waitMs(inARow) * (0.75 + 0.5 * chance))
  return { type: 'restart.planned', agent: id, generation, dueAt, why, inARow }
}

export function waitMs(inARow: number): number {
  return Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (inARow - 1))
}
