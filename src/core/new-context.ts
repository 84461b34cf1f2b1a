/**
 * A cleared context is a new generation in the same process. It is known by another session id in the hooks' reports,
 * whoever cleared it; the processes go on reporting with the generation that they were started as.
 */
import type { Outcome } from '../contract/effects.ts'
import type { Sighting } from '../contract/evidence.ts'
import { lives } from '../contract/lives.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { ActKind } from '../contract/acts.ts'
import { dropMessages } from './deliveries.ts'
import { SECOND } from './durations.ts'
import { endAct } from './end-act.ts'
import { transition } from './machine.ts'
import { CLEAR, clearInput, type ClearInput } from './procedures/clear.ts'
import { agentOf, record, type Turn } from './turn.ts'
import type { World } from './world.ts'

const CONFIRM_MS = 30 * SECOND

/** The sighting as of the generation that it is about. */
export function ofGeneration(world: World, sighting: Sighting): Sighting {
  const agent = world.agents.get(sighting.agent)
  if (agent?.bornGeneration === undefined || sighting.generation !== agent.bornGeneration) return sighting
  const isPast = sighting.sessionId !== undefined && sighting.sessionId === agent.pastSession
  return { ...sighting, generation: isPast ? agent.generation - 1 : agent.generation }
}

/** Begins a new generation when the report comes out of another session than the last one did. */
export function noticeNewContext(turn: Turn, sighting: Sighting): Sighting {
  const agent = turn.world.agents.get(sighting.agent)
  const { sessionId, generation, witness } = sighting
  if (agent?.sessionId === undefined || sessionId === undefined || witness !== 'hook') return sighting
  if (!lives(agent) || generation !== agent.generation || sessionId === agent.sessionId) return sighting
  if (agent.act !== undefined && ENDING.includes(agent.act.kind)) {
    const { sessionId: _, ...rest } = sighting
    return rest
  }
  begin(turn, agent, sessionId)
  return { ...sighting, generation: generation + 1 }
}

/** What is being ended is ended as it is; should it live on, its next report is noticed. */
const ENDING: readonly ActKind[] = ['kill', 'suspend', 'switch']

function begin(turn: Turn, agent: AgentRecord, sessionId: string): void {
  const { id, generation, act, episode, sessionId: from = sessionId } = agent
  if (act?.kind === 'clear') walk(turn, agent, { input: 'cleared' })
  if (episode !== undefined) {
    record(turn, { type: 'episode.closed', agent: id, generation, pokes: episode.pokes, why: 'ended' })
  }
  const by = act?.kind === 'clear' ? act.by : 'the agent or somebody at its terminal'
  record(turn, { type: 'agent.cleared', agent: id, generation: generation + 1, from, sessionId, by })
  // What its end still asks for is asked of the new generation.
  if (act !== undefined && act.kind !== 'clear' && act.generation === generation) {
    endAct(turn, agentOf(turn, id), { result: 'cancelled', detail: 'its context was cleared' })
  }
  dropMessages(turn, id, { why: 'its context was cleared before it was heard', keepQueued: true })
}

export function endClearStep(turn: Turn, agent: AgentRecord, outcome: Outcome | 'timed_out'): void {
  if (outcome === 'timed_out') walk(turn, agent, { input: 'timed_out' })
  else walk(turn, agent, { input: clearInput(outcome), detail: outcome.detail })
}

function walk(
  turn: Turn,
  agent: AgentRecord,
  { input, detail }: { input: ClearInput; detail?: string | undefined },
): void {
  const { id, generation, act } = agent
  if (act?.step !== 'doing' && act?.step !== 'confirming') return
  switch (transition(CLEAR, act.step, input).do) {
    case 'await': {
      const { effect, attempts } = act
      const deadlineAt = turn.now + CONFIRM_MS
      record(turn, { type: 'act.stepped', agent: id, generation, effect, step: 'confirming', attempts, deadlineAt })
      return undefined
    }
    case 'finish':
      return endAct(turn, agentOf(turn, id), { result: 'done', detail: 'it reports a new session' })
    case 'give_up': {
      const why = input === 'timed_out' ? 'no new session was reported' : (detail ?? input)
      return endAct(turn, agent, { result: 'not_done', detail: why })
    }
    case 'none':
      return undefined
  }
}
