/**
 * When an agent's context will be full: its fill over time, the part of the window that can be used, the threshold that
 * holds for it now, and whether it should begin a fresh one early, between two tasks.
 */
import { duration, HOUR, MINUTE } from '../durations.ts'

/** What the client keeps for itself: it refuses every prompt from there on, or makes the context smaller by itself. */
const RESERVED_TOKENS = 20_000
const COMPACTED_AT = 0.967

/** Before the client's own limit. */
export function usableWindow(window: number): number {
  return Math.max(1, Math.min(window - RESERVED_TOKENS, Math.floor(window * COMPACTED_AT)))
}

export interface Threshold {
  /** Of the usable window, 0 to 1. */
  share: number
  /** So many of late that a person should look why. */
  warning?: string
}

const RAISED_BY = 0.04
const MOST = 0.97

/** More than one cycle in an hour raises it: a context that fills at once is not helped by clearing it at once again. */
export function thresholdNow(
  given: { threshold: number; warnPerHour: number },
  cyclesAt: readonly number[],
  now: number,
): Threshold {
  const recent = cyclesAt.filter((at) => at > now - HOUR).length
  const raised = Math.max(0, recent - 1)
  const share = Math.max(given.threshold, Math.min(MOST, given.threshold + raised * RAISED_BY))
  if (recent < Math.max(1, given.warnPerHour)) return { share: rounded(share) }
  const warning = `Its context was cleared ${recent} times in the last hour: something fills it faster than work should.`
  return { share: rounded(share), warning }
}

export interface Fill {
  at: number
  tokens: number
}

export interface Forecast {
  /** Of the usable window; may be above 1. */
  fill: number
  /** When the threshold is reached, as it goes now; left out when it does not grow or nobody can tell. */
  dueAt?: number
  tokensPerMinute?: number
}

const SAMPLES = 48
/** Older ones say nothing of the pace. */
const PACE_MS = 30 * MINUTE
/** Further ahead than this nobody can tell. */
const HORIZON_MS = 24 * HOUR

/** `fills`: oldest first. */
export function forecastCycle(
  fills: readonly Fill[],
  { window, threshold, now }: { window: number; threshold: number; now: number },
): Forecast | undefined {
  const last = fills.at(-1)
  if (last === undefined) return undefined
  const usable = usableWindow(window)
  const fill = last.tokens / usable
  if (fill >= threshold) return { fill, dueAt: now }
  const slope = paceOf(grown(fills), now)
  if (slope === undefined || slope <= 0) return { fill }
  const dueAt = Math.max(now, last.at + (threshold * usable - last.tokens) / slope)
  return {
    fill,
    tokensPerMinute: Math.round(slope * MINUTE),
    ...(dueAt - now > HORIZON_MS ? {} : { dueAt: Math.ceil(dueAt) }),
  }
}

const SHRUNK = 0.9

/** Since it was last cleared or made smaller. */
function grown(fills: readonly Fill[]): readonly Fill[] {
  const recent = fills.slice(-SAMPLES)
  const from = recent.findLastIndex(({ tokens }, k) => tokens < (recent[k - 1]?.tokens ?? 0) * SHRUNK)
  return recent.slice(Math.max(0, from))
}

/** Tokens in a millisecond: the median of all slopes, so that a single leap or a single pause does not decide. */
function paceOf(fills: readonly Fill[], now: number): number | undefined {
  const recent = fills.filter(({ at }) => at > now - PACE_MS)
  const used = recent.length >= 2 ? recent : fills.slice(-2)
  const slopes = used.flatMap((one, k) =>
    used
      .slice(k + 1)
      .flatMap((other) => (other.at > one.at ? [(other.tokens - one.tokens) / (other.at - one.at)] : [])),
  )
  return medianOf(slopes)
}

export interface Between {
  forecast: Forecast
  threshold: number
  /** No task is under way, and another one waits. */
  isBetweenTasks: boolean
  /** How long its tasks took so far. */
  taskTimesMs: readonly number[]
  now: number
}

const TASK_MS = 15 * MINUTE
/** Below this there is hardly anything to clear. */
const WORTH_IT = 0.5

/** Why a cycle should begin now, before the threshold; undefined when it should not. */
export function earlyCycle({ forecast, threshold, isBetweenTasks, taskTimesMs, now }: Between): string | undefined {
  const { fill, dueAt } = forecast
  if (!isBetweenTasks || dueAt === undefined || fill < threshold * WORTH_IT) return undefined
  const taskMs = medianOf(taskTimesMs) ?? TASK_MS
  if (dueAt > now + taskMs) return undefined
  if (dueAt <= now) return 'The threshold is reached.'
  return `The threshold is forecast in ${duration(dueAt - now)}, and a task takes about ${duration(taskMs)}: it is better now, between two of them.`
}

function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)]
}

/** So that 0.85 + 0.04 is 0.89. */
function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000
}
