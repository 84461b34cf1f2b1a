/** Puts an agent that finished on the list, and takes it off when somebody looked. */
import type { Refusal } from '../contract/commands.ts'
import type { AgentId } from '../contract/ids.ts'
import { MINUTE } from './durations.ts'
import { isFinished } from './finished.ts'
import { noAgent } from './session-commands.ts'
import { agentOf, record, type Turn } from './turn.ts'

/** So long after Cloister drove it on it may be about to begin. */
const DRIVEN_MS = 2 * MINUTE

/** Notes that it finished, a look after it came to rest. Returns when to come back for that. */
export function noteFinished(turn: Turn, id: AgentId): number | undefined {
  const agent = agentOf(turn, id)
  const { lifecycleAt, steeredAt = -Infinity, finished, generation } = agent
  if (finished !== undefined || !isFinished(agent)) return undefined
  const dueAt = Math.max(lifecycleAt + turn.world.settings.lookEveryMs, steeredAt + DRIVEN_MS)
  if (turn.now < dueAt) return dueAt
  const restedWallAt = turn.input.wallAt - (turn.now - lifecycleAt)
  record(turn, { type: 'agent.finished', agent: id, generation, restedAt: lifecycleAt, restedWallAt })
  return undefined
}

/** A person looked; who looks at one that is not on the list has looked at it all the same. */
export function markSeen(turn: Turn, by: string, id: AgentId): Refusal | undefined {
  const agent = turn.world.agents.get(id)
  if (agent === undefined) return noAgent(id)
  const { finished, generation } = agent
  if (finished === undefined || finished.seen !== undefined) return undefined
  record(turn, { type: 'agent.finished-seen', agent: id, generation, by })
  return undefined
}
