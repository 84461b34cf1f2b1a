/** What one input leads to: gathered here while the world is folded along. */
import type { Reply } from '../contract/commands.ts'
import type { Effect, Outcome } from '../contract/effects.ts'
import type { Event } from '../contract/events.ts'
import type { AgentId } from '../contract/ids.ts'
import type { AgentRecord } from '../contract/records.ts'
import { fold } from './fold.ts'
import type { Input } from './inputs.ts'
import type { World } from './world.ts'

export interface Turn {
  world: World
  input: Input
  /** Observed time of this input. */
  now: number
  events: Event[]
  effects: Effect[]
  /** Effects that come after all others. */
  late: Effect[]
  settled: { effect: string; outcome: Outcome['result'] }[]
  /** Agents whose record changed, by event or by evidence. */
  dirty: Set<AgentId>
  /** Agents to judge before the turn ends. */
  toJudge: Set<AgentId>
  reply: Reply | undefined
}

type WithoutEnvelope<E> = E extends Event ? Omit<E, 'seq' | 'at' | 'observedAt'> : never
export type Draft = WithoutEnvelope<Event>

/** Makes the draft an event of this turn and folds it into the world. */
export function record(turn: Turn, draft: Draft): Event {
  const { world, input, now } = turn
  const event = { seq: world.house.seq + 1, at: input.wallAt, observedAt: now, ...draft } as Event
  const changed = fold(world, event)
  if (changed !== undefined) turn.dirty.add(changed)
  turn.events.push(event)
  return event
}

export function nextEffectId(turn: Turn): string {
  return `${turn.input.id}-${turn.effects.length}`
}

export function agentOf(turn: Turn, id: AgentId): AgentRecord {
  const agent = turn.world.agents.get(id)
  if (agent === undefined) throw new Error(`${id} is not registered`)
  return agent
}
