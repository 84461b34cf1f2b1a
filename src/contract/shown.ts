/**
 * What an agent is shown as: its health while it is active, else its lifecycle; but one that waits for a person, or that
 * a usage limit holds, is neither ill nor well, and is shown as that from the first second. Every view, ribbon and count says it
 * by this; nobody derives it again.
 */
import type { CauseClass, CauseKind, Health } from './verdict.ts'
import type { AgentRecord } from './records.ts'

/** Of an active agent. */
export const SHOWN_ACTIVE = ['active', 'stale', 'warning', 'stuck', 'unknown', 'waiting', 'limited'] as const
export type ShownActive = (typeof SHOWN_ACTIVE)[number]

export const SHOWN = [...SHOWN_ACTIVE, 'uninitialized', 'idle', 'suspended', 'stopped'] as const
export type Shown = (typeof SHOWN)[number]

interface Seen extends Pick<AgentRecord, 'lifecycle'> {
  health?: Health | undefined
  cause?: { kind: CauseKind } | undefined
}

export function shownOf({ lifecycle, health = 'unknown', cause }: Seen): Shown {
  return lifecycle === 'active' ? shownActive(health, cause?.kind) : lifecycle
}

/** Nobody knows what one that cannot be seen waits for. */
export function shownActive(health: Health, cause: CauseKind | CauseClass | undefined): ShownActive {
  if (health === 'unknown' || cause === undefined) return health
  return INSTEAD[cause] ?? health
}

/** An outage is no limit: it says nothing of the account, nobody knows its end, and its health says how long it lasts. */
const INSTEAD: Partial<Record<CauseKind | CauseClass, 'waiting' | 'limited'>> = {
  waiting_permission: 'waiting',
  waiting_user: 'waiting',
  startup_blocked: 'waiting',
  auth_needed: 'waiting',
  rate_limited: 'limited',
}
