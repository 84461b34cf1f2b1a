/** Folds «needs you» items, which live with their agent, or in the house when they concern none. */
import type { HouseEvent } from '../contract/events.ts'
import type { AgentRecord, NeedsYou } from '../contract/records.ts'
import type { World } from './world.ts'

export function itemOwner(world: World, event: HouseEvent): AgentRecord | undefined {
  if (event.type !== 'needs-you.raised' && event.type !== 'needs-you.settled') return undefined
  return event.item.agent === undefined ? undefined : world.agents.get(event.item.agent)
}

/** What a person settled is not asked again in the same episode. */
export function acknowledged({ episode }: AgentRecord, event: HouseEvent): Partial<AgentRecord> {
  const isSeen = event.type === 'needs-you.settled' && event.item.kind === 'attention' && event.by !== 'cloister'
  return isSeen && episode !== undefined ? { episode: { ...episode, acknowledged: true } } : {}
}

export function foldItems(items: NeedsYou[], event: HouseEvent): NeedsYou[] {
  if (event.type === 'needs-you.raised') return [...items, event.item]
  return event.type === 'needs-you.settled' ? items.filter((item) => item.id !== event.item.id) : items
}
