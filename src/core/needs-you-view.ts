/** What needs a person, as everybody counts it: each item once, however many agents it is about. */
import type { NeedsYou } from '../contract/needs-you.ts'
import type { AgentRecord } from '../contract/records.ts'
import { isTroubled, type World } from './world.ts'

/** All that is open; every place that shows a number shows how many these are. */
export function openItems({ house, agents }: World): NeedsYou[] {
  return [house, ...agents.values()].flatMap(({ needsYou }) => needsYou)
}

/** Of one agent, with what it shares with others as long as it is in trouble itself. */
export function itemsAbout({ house }: World, agent: AgentRecord): NeedsYou[] {
  const shared = house.needsYou.filter(({ agents = [] }) => isTroubled(agent) && agents.includes(agent.id))
  return [...agent.needsYou, ...shared]
}
