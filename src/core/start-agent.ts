/** A generation that lives, or that may live because nobody could tell: from here on it is watched. */
import type { Outcome } from '../contract/effects.ts'
import type { AgentRecord } from '../contract/records.ts'
import { whyItRestsAtOnce } from './finished.ts'
import { currentDoing } from './health/judge.ts'
import { settleStopped } from './last-stop.ts'
import { settle } from './needs-you.ts'
import { tellNotes } from './notes.ts'
import { ownAfterStart } from './own-repository.ts'
import { agentOf, record, type Turn } from './turn.ts'
import { setAgent } from './world.ts'

export function startAgent(turn: Turn, agent: AgentRecord, outcome: Outcome): void {
  const { result, sessionId, bounds } = outcome
  const { id, generation } = agent
  if (bounds !== undefined) setAgent(turn.world, { ...agentOf(turn, id), bounds })
  const confirmed = result === 'done'
  const session = sessionId === undefined ? {} : { sessionId }
  const own = ownAfterStart(agent, outcome)
  record(turn, { type: 'agent.started', agent: id, generation, confirmed, ...session, ...own })
  const why = confirmed ? 'it was started' : 'it may have been started'
  record(turn, { type: 'agent.lifecycle-changed', agent: id, generation, from: agent.lifecycle, to: 'active', why })
  for (const item of agent.needsYou) {
    if (item.kind === 'handoff' || item.kind === 'no_workspace') settle(turn, item, 'cloister')
  }
  tellNotes(turn, agent)
  settleStopped(turn)
  // After a restart of ours it may have said all that it had to say before anybody knew that it was started.
  if (currentDoing(agentOf(turn, id))?.doing.kind !== 'idle') return
  const done = { from: 'active', to: 'idle', why: whyItRestsAtOnce(agentOf(turn, id)) } as const
  record(turn, { type: 'agent.lifecycle-changed', agent: id, generation, ...done })
}

/** Unknown is not dead: a start that was cut off is found by its tag if it must be ended. */
export function mayLive(turn: Turn, agent: AgentRecord): void {
  startAgent(turn, agent, { result: 'unknown' })
}
