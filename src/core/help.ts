/**
 * Who will help an agent in trouble: asked of the rules and of the arbitration themselves, so that what is shown as coming
 * comes. Whom no rule will help is a matter for a person, with the reason.
 */
import type { AgentRecord } from '../contract/records.ts'
import { arbitrate } from './arbitrate.ts'
import { desiredOf } from './desired.ts'
import { MINUTE } from './durations.ts'
import { handoffUnderWay } from './handoffs/hand-off-end.ts'
import { comingHandoff } from './handoffs/stuck-ahead.ts'
import { judge, type Judgement } from './health/judge.ts'
import { momentOf } from './moment-of.ts'
import { attention, isPokeable } from './policies/attention.ts'
import type { Advice } from './proposals.ts'
import { can, isTroubled, type World } from './world.ts'

/** Nobody sees anything for so long before it is more than a moment's trouble of our own. */
const BLIND_MS = 2 * MINUTE

/** Why no rule will help it; undefined when one will, when something is under way, or when it is in no trouble. */
export function whyUnhelped(world: World, agent: AgentRecord): string | undefined {
  if (!isTroubled(agent) || isSeenTo(world, agent)) return undefined
  return whyKeptOff(world, agent) ?? whyNoRule(world, agent)
}

/** Something is being done to it, or to everybody. */
function isSeenTo({ house }: World, agent: AgentRecord): boolean {
  return agent.act !== undefined || handoffUnderWay(agent) !== undefined || house.emergency.state !== 'armed'
}

/** Why rules leave it alone, whatever they would do, and until somebody wants otherwise. */
export function whyKeptOff(world: World, agent: AgentRecord): string | undefined {
  const { house, observer } = world
  if (agent.adopted !== undefined) return 'it was adopted, and nothing is done to it by itself'
  const { state, by, reason } = desiredOf(agent, house)
  if (state === 'frozen') return `it is frozen by ${by}: ${reason}`
  if (state === 'stop') return 'a person stopped it'
  if (state === 'hold' && by !== 'limits') return `it is held by ${by}: ${reason}`
  if (house.monitoring === 'paused') return 'monitoring is paused'
  const isBlind = observer.blind !== undefined && house.observedAt - observer.lastLookAt >= BLIND_MS
  if (isBlind) return `Cloister cannot see the agents: ${observer.blind}`
  return house.mass === undefined ? undefined : 'several agents are in trouble at once'
}

/** The rungs that are left, and the hands that would take over. */
function whyNoRule(world: World, agent: AgentRecord): string | undefined {
  const { episode, experiments = [], autoHandoff } = agent
  const now = world.house.observedAt
  if (agent.limit !== undefined) return undefined
  if (experiments.some(({ judgeAt }) => judgeAt > now) || episode?.exhausted === true) return undefined
  const hands = autoHandoff === 'off' ? undefined : comingHandoff(world, agent)
  if (hands?.goesTo !== undefined) return undefined
  // Of one that died, and of one whose service fails, other items tell; and doubt about ourselves gives time.
  if (!isPokeable(judge(agent, momentOf(world)))) return undefined
  if (!world.settings.pokeOnWarning) return 'automatic pokes are off'
  const { proposal } = nextRung(world, agent)
  const ruling = proposal === undefined ? undefined : arbitrate(world, agent, proposal)
  return ruling?.go === false && ruling.refusal.code === 'conflict' ? ruling.refusal.sentence : undefined
}

/** What the ladder does next if nothing moves, and when. */
export function nextRung(world: World, agent: AgentRecord): Pick<Advice, 'proposal' | 'drafts'> & { at: number } {
  const moment = momentOf(world)
  const { now } = moment
  const first = rungAt(world, agent, { judgement: judge(agent, moment), now })
  const at = first.proposal === undefined && first.drafts.length === 0 ? (first.wakeAt ?? now) : now
  const { proposal, drafts } = rungAt(world, agent, { judgement: judge(agent, { ...moment, now: at }), now: at })
  return { at, proposal, drafts }
}

export function rungAt(world: World, agent: AgentRecord, { judgement, now }: { judgement: Judgement; now: number }) {
  const { settings } = world
  return attention({ agent, judgement, now, looksSince: 2, settings, canInterrupt: can(world, agent, 'interrupt') })
}
