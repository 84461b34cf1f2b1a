/** A generation that lives, or that may live because nobody could tell: from here on it is watched. */
import type { Outcome } from '../contract/effects.ts'
import type { AgentRecord } from '../contract/records.ts'
import { currentDoing } from './health/judge.ts'
import { settle } from './needs-you.ts'
import { agentOf, record, type Turn } from './turn.ts'

export function startAgent(turn: Turn, agent: AgentRecord, { result, sessionId }: Outcome): void {
  const { id, generation } = agent
  const confirmed = result === 'done'
  const session = sessionId === undefined ? {} : { sessionId }
  record(turn, { type: 'agent.started', agent: id, generation, confirmed, ...session })
  const why = confirmed ? 'it was started' : 'it may have been started'
  record(turn, { type: 'agent.lifecycle-changed', agent: id, generation, from: agent.lifecycle, to: 'active', why })
  for (const item of agent.needsYou) if (item.kind === 'handoff') settle(turn, item, 'cloister')
  // After a restart of ours it may have said all that it had to say before anybody knew that it was started.
  if (currentDoing(agentOf(turn, id))?.doing.kind !== 'idle') return
  const done = { from: 'active', to: 'idle', why: 'it finished its turn' } as const
  record(turn, { type: 'agent.lifecycle-changed', agent: id, generation, ...done })
}

/** Unknown is not dead: a start that was cut off is found by its tag if it must be ended. */
export function mayLive(turn: Turn, agent: AgentRecord): void {
  startAgent(turn, agent, { result: 'unknown' })
}
