/** Who goes on with the work: from its next start on an agent is another model, or another program. */
import { identity } from '../../contract/identity.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { record, type Turn } from '../turn.ts'

export function changeHands(turn: Turn, agent: AgentRecord, to: { model: string; runtime: string }): void {
  const { id, generation, model, runtime } = agent
  if (to.runtime !== runtime) {
    const given = identity.parse({ ...agent, model: to.model, runtime: to.runtime })
    record(turn, { type: 'agent.registered', agent: id, generation, ...given })
  } else if (to.model !== model) {
    record(turn, { type: 'agent.model-changed', agent: id, generation, from: model, to: to.model, by: 'hand-off' })
  }
}
