/** Folds what is judged of an agent. */
import type { EventOf } from '../contract/events.ts'
import type { AgentRecord } from '../contract/records.ts'

/** Whoever gets better and then worse again is asked about anew. */
export function changeHealth(
  { unhelpedSeen, ...agent }: AgentRecord,
  event: EventOf<'agent.health-changed'>,
): AgentRecord {
  const isStill = unhelpedSeen !== undefined && (event.to === 'warning' || event.to === 'stuck')
  return { ...agent, ...(isStill ? { unhelpedSeen } : {}), verdict: changedVerdict(agent, event) }
}

function changedVerdict(agent: AgentRecord, event: EventOf<'agent.health-changed'>): AgentRecord['verdict'] {
  return {
    health: event.to,
    cause: event.cause,
    reason: event.reason,
    citations: event.citations,
    sinceAt: event.observedAt,
    sinceLook: event.look,
    ...healthAt(agent, event),
    judgedAt: event.observedAt,
  }
}

/** A change of the cause alone does not begin the health anew. */
function healthAt({ verdict }: AgentRecord, { to }: EventOf<'agent.health-changed'>): { healthAt?: number } {
  return verdict?.health === to ? { healthAt: verdict.healthAt ?? verdict.sinceAt } : {}
}
