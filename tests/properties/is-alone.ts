/** Whether an agent in trouble is left to itself. */
import type { NeedsYouKind } from '../../src/contract/needs-you.ts'
import type { AgentRecord } from '../../src/contract/records.ts'
import { itemsAbout } from '../../src/core/needs-you-view.ts'
import { COOLDOWN_MS } from '../../src/core/policies/attention.ts'
import { distrust, isTroubled, type World } from '../../src/core/world.ts'

/** Items that tell of other things than its trouble. */
const OTHERS: readonly NeedsYouKind[] = ['undelivered', 'work_waiting', 'context']

/** In trouble, and neither a rule nor a person is on the way; told by what is there, not by what is said to come. */
export function isAlone(world: World, agent: AgentRecord): boolean {
  const { act, handoff, experiments = [], restarts, limit, episode, unhelpedSeen } = agent
  const { house, observer } = world
  const isTrusted = house.monitoring === 'paused' || distrust(observer) === undefined
  if (!isTroubled(agent) || !isTrusted || house.emergency.state !== 'armed') return false
  const now = house.observedAt
  // A poke that verifiably was not typed is tried again, at the same distance.
  const isOnTrial =
    experiments.some(({ judgeAt }) => judgeAt > now) || (episode?.lastPokeAt ?? -Infinity) > now - COOLDOWN_MS
  // Doubt about the observer gives everybody the full time again.
  if (house.monitoring === 'running' && now < observer.graceAt + world.settings.thresholds.warningMs) return false
  const isHelped = [act, handoff, restarts?.dueAt, limit].some((each) => each !== undefined) || isOnTrial
  const isSeen = episode?.acknowledged === true || unhelpedSeen !== undefined
  return !isHelped && !isSeen && itemsAbout(world, agent).every(({ kind }) => OTHERS.includes(kind))
}
