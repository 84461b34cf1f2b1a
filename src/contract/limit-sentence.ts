/**
 * A usage limit has two times: its end, and when Cloister tells the agent to go on, which is later. Both are said in one
 * sentence, the same in the CLI and on the dashboard. Free of schemas.
 */
import type { DesiredView } from './standing.ts'
import type { Cause } from './verdict.ts'

/** How an instant of the wall clock is said. */
export type SayClock = (wallAt: number) => string

interface Limited {
  cause: Extract<Cause, { kind: 'rate_limited' }>
  desired: DesiredView | undefined
  now: number
}

/** What is past holds nobody until then: that it is over, and what comes next. */
export function limitSentence({ cause, desired, now }: Limited, clock: SayClock): string {
  const { untilWallAt, tooFar, spent } = cause
  if (spent === true) return 'spend limit: raise it'
  const continuesWallAt = desired?.by === 'limits' ? (desired.untilWallAt ?? 0) : 0
  const next = continuesWallAt > now ? continuesAt(continuesWallAt, clock) : ''
  if (untilWallAt === undefined) {
    const told = tooFar === true ? ' (the end that it told is more than 8 days away and is not believed)' : ''
    return `limit reached${told}${next}`
  }
  if (untilWallAt > now) return `limit until ${clock(untilWallAt)}${next}`
  return `limit over since ${clock(untilWallAt)}${next === '' ? ', should go on now' : next}`
}

interface Held {
  cause?: Cause | undefined
  desired?: DesiredView | undefined
}

/** The sentence of its limit says by itself how long it is held. */
export function isHeldByLimit({ cause, desired }: Held): boolean {
  return cause?.kind === 'rate_limited' && desired?.by === 'limits'
}

/** Until when it is held, or frozen; at the end of a limit something is done. */
export function heldUntil({ by, untilWallAt }: DesiredView, clock: SayClock): string {
  if (untilWallAt === undefined) return ''
  return by === 'limits' ? continuesAt(untilWallAt, clock) : ` until ${clock(untilWallAt)}`
}

function continuesAt(wallAt: number, clock: SayClock): string {
  return `, continues at ${clock(wallAt)}`
}
