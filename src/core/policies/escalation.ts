/**
 * An agent that positively hangs or loops for too long is handed to the next dearer tier: haiku after 10 minutes, sonnet
 * after 20, by default. Of the dearest a person is told. Silence alone is never enough: nothing may be open, nothing
 * waited for, and its processes must be seen to rest. At most one proposal for each generation that makes no progress.
 */
import type { AgentRecord } from '../../contract/records.ts'
import type { Settings } from '../../contract/settings.ts'
import { SECOND } from '../durations.ts'
import type { Judgement } from '../health/judge.ts'
import { reasonFor } from '../health/words.ts'
import { nextTier, tierOf } from '../routing/tiers.ts'

/** No act on a verdict younger than this: a common cause must have the time to show. */
const SETTLE_MS = 30 * SECOND

export interface StuckCase {
  agent: AgentRecord
  judgement: Judgement
  now: number
  /** Good looks since the verdict began. */
  looksSince: number
  settings: Pick<Settings, 'handoffs' | 'routing'>
}

export type Escalation =
  | { want: 'nothing'; wakeAt?: number }
  /** To whom; undefined when there is nobody dearer. */
  | { want: 'hand_off'; to: string; reason: string }
  | { want: 'person'; reason: string }

const NOTHING: Escalation = { want: 'nothing' }

export function escalation(given: StuckCase): Escalation {
  const { agent, judgement, now, settings } = given
  const { stuck } = settings.handoffs
  const { tiers } = settings.routing
  const tier = tierOf(agent.model, tiers)
  const stuckMs = stuckFor(agent, judgement)
  if (!stuck.enabled || tier === undefined || stuckMs === undefined) return NOTHING
  const limitMs = { cheap: stuck.haikuMs, haiku: stuck.haikuMs, sonnet: stuck.sonnetMs, opus: stuck.opusMs }[tier]
  const dueAt = now - stuckMs + limitMs
  const settledAt = (agent.verdict?.sinceAt ?? now) + SETTLE_MS
  if (now < dueAt || now < settledAt || given.looksSince < 1) {
    return { want: 'nothing', wakeAt: Math.max(dueAt, settledAt, now + SECOND) }
  }
  const to = nextTier(agent.model, tiers)
  const reason = reasonFor(judgement)
  if (to === undefined) return { want: 'person', reason }
  return wasProposed(agent) ? NOTHING : { want: 'hand_off', to, reason }
}

/** How long it has positively been stuck; undefined when it is not. */
export function stuckFor(
  { evidence }: AgentRecord,
  { cause, silentMs, unprogressedMs }: Judgement,
): number | undefined {
  if (cause.kind === 'looping') return unprogressedMs
  if (cause.kind === 'hung') return silentMs
  return cause.kind === 'thinking' && evidence.process?.busy === false ? silentMs : undefined
}

function wasProposed({ generation, progressedAt, handoffs = [] }: AgentRecord): boolean {
  return handoffs.some(
    ({ trigger, from, to, startedAt }) =>
      trigger === 'stuck_escalation' &&
      to.specialist === undefined &&
      from.generation === generation &&
      startedAt >= progressedAt,
  )
}
