/** What becomes of an agent's record when it is adopted: the session that it is was there before. */
import type { EventOf } from '../contract/events.ts'
import type { AgentRecord } from '../contract/records.ts'

export function foldAdopted(agent: AgentRecord, event: EventOf<'agent.adopted'>): AgentRecord {
  const { generation, run, adopted, sessionId, observedAt } = event
  const { open: _, bounds: __, ...kept } = agent
  return {
    ...kept,
    generation,
    run,
    adopted,
    sessionId,
    startedAt: observedAt,
    pid: adopted.leader.pid,
    evidence: {},
    producedAt: observedAt,
    progressedAt: observedAt,
  }
}
