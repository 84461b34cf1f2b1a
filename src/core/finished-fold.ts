/** Folds that an agent finished and was looked at, what every other event means for that, and when it slept and woke. */
import type { ActKind } from '../contract/acts.ts'
import type { AgentEvent, EventOf } from '../contract/events.ts'
import type { AgentRecord } from '../contract/records.ts'
import { REMINDER, remindersOf } from './tasks/open-tasks.ts'

type FinishEvent = Extract<AgentEvent, { type: `agent.finished${string}` }>

export function isOfFinish(event: AgentEvent): event is FinishEvent {
  return event.type === 'agent.finished' || event.type === 'agent.finished-seen'
}

export function foldFinished(agent: AgentRecord, event: FinishEvent): AgentRecord {
  if (event.type === 'agent.finished') {
    return { ...agent, finished: { at: event.restedAt, wallAt: event.restedWallAt } }
  }
  return seen(agent, { by: event.by, wallAt: event.at })
}

function seen(agent: AgentRecord, by: { by: string; wallAt: number }): AgentRecord {
  const { finished } = agent
  return finished === undefined ? agent : { ...agent, finished: { ...finished, seen: by } }
}

/** What any other event means for it: new work takes it off the list, and a reminder counts when it is decided. */
export function afterEvent(agent: AgentRecord, event: AgentEvent): AgentRecord {
  if (event.type === 'agent.lifecycle-changed') return afterLifecycle(agent, event)
  if (event.type !== 'act.decided') return agent
  const { kind, precedence, handoff, by } = event.act
  if (BEGINS_ANEW.includes(kind)) return unfinished(agent)
  // Whoever ends it for good is done with it; that its task was finished is known when it is started again.
  if (kind === 'kill' && precedence === 'human' && handoff === undefined) return seen(agent, { by, wallAt: event.at })
  return kind === 'nudge' && by === REMINDER ? reminded(agent, event) : agent
}

const BEGINS_ANEW: readonly ActKind[] = ['spawn', 'resume']

function afterLifecycle(agent: AgentRecord, { from, to, at }: EventOf<'agent.lifecycle-changed'>): AgentRecord {
  if (to === 'suspended') return { ...agent, suspendedWallAt: at }
  if (to !== 'active') return agent
  return from === 'suspended' ? { ...unfinished(agent), resumedWallAt: at } : unfinished(agent)
}

function unfinished(agent: AgentRecord): AgentRecord {
  if (agent.finished === undefined) return agent
  const { finished: _, ...rest } = agent
  return rest
}

function reminded(agent: AgentRecord, { observedAt }: EventOf<'act.decided'>): AgentRecord {
  const { times, closed } = remindersOf(agent)
  return { ...agent, taskReminders: { times: times + 1, lastAt: observedAt, closed } }
}
