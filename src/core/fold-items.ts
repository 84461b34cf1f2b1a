/** Folds «needs you» items, which live with their agent, or in the house when they concern none. */
import type { HouseEvent } from '../contract/events.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { NeedsYou } from '../contract/needs-you.ts'
import { remindersOf } from './tasks/open-tasks.ts'
import type { World } from './world.ts'

export function itemOwner(world: World, event: HouseEvent): AgentRecord | undefined {
  if (event.type !== 'needs-you.raised' && event.type !== 'needs-you.settled') return undefined
  return event.item.agent === undefined ? undefined : world.agents.get(event.item.agent)
}

/** What a person settled is not asked again in the same episode, or while it is the same, nor of the same tasks. */
export function acknowledged(agent: AgentRecord, event: HouseEvent): Partial<AgentRecord> {
  if (event.type !== 'needs-you.settled' || event.by === 'cloister') return {}
  const { episode } = agent
  if (event.item.kind === 'unhelped') return { unhelpedSeen: event.item.sentence }
  if (event.item.kind === 'tasks_waiting') return { taskReminders: { ...remindersOf(agent), acknowledged: true } }
  return event.item.kind === 'attention' && episode !== undefined ? { episode: { ...episode, acknowledged: true } } : {}
}

export function foldItems(items: NeedsYou[], event: HouseEvent): NeedsYou[] {
  if (event.type === 'needs-you.raised') return [...items, event.item]
  return event.type === 'needs-you.settled' ? items.filter((item) => item.id !== event.item.id) : items
}
