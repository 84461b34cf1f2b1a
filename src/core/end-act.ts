/** The one place where an act ends, however it ends. */
import type { EventOf } from '../contract/events.ts'
import type { AgentRecord } from '../contract/records.ts'
import { record, type Turn } from './turn.ts'

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
}
