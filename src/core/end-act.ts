/** The one place where an act ends, however it ends, and where one that does something more goes on to that. */
import type { AgentEffect } from '../contract/effects.ts'
import type { EventOf } from '../contract/events.ts'
import type { AgentRecord } from '../contract/records.ts'
import { nextEffectId, record, type Turn } from './turn.ts'

export function endAct(turn: Turn, agent: AgentRecord, ending: Pick<EventOf<'act.ended'>, 'result' | 'detail'>): void {
  if (agent.act === undefined) return
  const { kind, effect, generation } = agent.act
  const { result, detail } = ending
  record(turn, {
    type: 'act.ended',
    agent: agent.id,
    generation,
    act: kind,
    effect,
    result,
    ...(detail === undefined ? {} : { detail }),
  })
  // It may have come to rest without its order, which would stop some later turn that nobody meant.
  if (kind === 'rest') {
    turn.effects.push({ type: 'order.withdraw', id: nextEffectId(turn), agent: agent.id, generation: agent.generation })
  }
}

interface NextStep extends Pick<EventOf<'act.stepped'>, 'act' | 'step'> {
  effect: AgentEffect
  /** Left out, it is the same attempt. */
  attempts?: number
  withinMs: number
}

/** What waits for the effect and the effect itself, which are never one without the other. */
export function stepAct(turn: Turn, agent: AgentRecord, { effect, withinMs, ...next }: NextStep): void {
  record(turn, {
    type: 'act.stepped',
    agent: agent.id,
    generation: agent.generation,
    effect: effect.id,
    attempts: agent.act?.attempts ?? 1,
    deadlineAt: turn.now + withinMs,
    ...next,
  })
  turn.effects.push(effect)
}
