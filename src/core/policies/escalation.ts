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
import { nextTier, tierOf, type Tier } from '../routing/tiers.ts'

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
  const tier = tierOf(agent.model, settings.routing.tiers)
  const stuckMs = stuckFor(agent, judgement)
  if (!stuck.enabled || tier === undefined || stuckMs === undefined) return NOTHING
  const { afterMs, to } = stuckStep(tier, stuck)
  const dueAt = now - stuckMs + afterMs
  const settledAt = (agent.verdict?.sinceAt ?? now) + SETTLE_MS
  if (now < dueAt || now < settledAt || given.looksSince < 1) {
    return { want: 'nothing', wakeAt: Math.max(dueAt, settledAt, now + SECOND) }
  }
  const reason = reasonFor(judgement)
  if (to === undefined) return { want: 'person', reason }
  return wasProposed(agent) ? NOTHING : { want: 'hand_off', to, reason }
}

/** After what time somebody else goes on, and who; undefined when that is a person. */
interface StuckStep {
  afterMs: number
  to: Tier | undefined
}

/** Of a model of no tier nobody knows what is dearer. */
export function stuckStep(tier: Tier | undefined, stuck: Settings['handoffs']['stuck']): StuckStep {
  const { haikuMs, sonnetMs, opusMs } = stuck
  if (tier === undefined) return { afterMs: opusMs, to: undefined }
  const afterMs = { cheap: haikuMs, haiku: haikuMs, sonnet: sonnetMs, opus: opusMs }[tier]
  return { afterMs, to: nextTier(tier) }
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
