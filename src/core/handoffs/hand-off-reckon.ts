/** What a hand-off saved, reckoned from what its successor really used: when it is judged, and when the next one begins. */
import type { AgentEffect, Outcome } from '../../contract/effects.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { nextEffectId, record, type Turn } from '../turn.ts'
import { can } from '../world.ts'

export function reckon(turn: Turn, agent: AgentRecord, handoff: string): void {
  if (!can(turn.world, agent, 'usage')) return
  const { id, generation } = agent
  turn.effects.push({ type: 'handoff.reckon', id: nextEffectId(turn), agent: id, generation, handoff })
}

/** The one that was done last, before its successor hands over in its turn. */
export function reckonLast(turn: Turn, agent: AgentRecord): void {
  const last = agent.handoffs?.findLast(({ state }) => state === 'done')
  if (last !== undefined) reckon(turn, agent, last.id)
}

/** Where nothing could be reckoned, what was known before stays. */
export function endReckon(
  turn: Turn,
  effect: Extract<AgentEffect, { type: 'handoff.reckon' }>,
  { result, savings }: Outcome,
): void {
  const { agent: id, handoff } = effect
  const agent = turn.world.agents.get(id)
  if (result !== 'done' || savings === undefined || agent === undefined) return
  record(turn, { type: 'handoff.reckoned', agent: id, generation: agent.generation, handoff, savings })
}
