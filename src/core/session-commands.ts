/** What people ask of an agent's conversation: to sleep, to go on, to run with another model. */
import type { Command, Refusal } from '../contract/commands.ts'
import { lives } from '../contract/lives.ts'
import type { AgentRecord } from '../contract/records.ts'
import { barred } from './adoption.ts'
import { arbitrate } from './arbitrate.ts'
import { messagesOf, queueMessage } from './deliveries.ts'
import { proposalFor } from './deliveries-pump.ts'
import { barredByHandoff } from './handoffs/hand-off-end.ts'
import { isOver } from './health/judge.ts'
import { summaryText } from './prompts.ts'
import type { Proposal } from './proposals.ts'
import { propose } from './propose.ts'
import { unknownModel } from './routing/known-models.ts'
import { taskOf } from './task-list.ts'
import { agentOf, record, type Turn } from './turn.ts'
import { can } from './world.ts'
import { isAtWork } from './worktrees.ts'

type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>

export function resume(turn: Turn, by: string, { agent: id, prompt }: CommandOf<'agent.resume'>): Refusal | undefined {
  const agent = turn.world.agents.get(id)
  if (agent === undefined) return noAgent(id)
  const wanted = again(turn, agent, proposalFor(turn, agent, { kind: 'resume', by }))
  const ruling = arbitrate(turn.world, isLeft(agent) ? { ...agent, lifecycle: 'stopped' } : agent, wanted)
  if (!ruling.go) return ruling.refusal
  if (isLeft(agent)) {
    const again = { resume: true as const, ...(prompt === undefined ? {} : { prompt }) }
    return propose(turn, id, { ...proposalFor(turn, agent, { kind: 'kill', by }), reason: STARTS_AGAIN, again })
  }
  if (prompt === undefined) return propose(turn, id, wanted)
  const refusal = queueMessage(turn, agent, { by, text: prompt })
  if (refusal !== undefined) return refusal
  const queued = agentOf(turn, id)
  const row = messagesOf(queued).at(-1)
  const told = proposalFor(turn, queued, { kind: 'resume', by, ...(row === undefined ? {} : { row }) })
  return propose(turn, id, again(turn, queued, told))
}

/** With its session, else anew with its task, else with nothing. */
export function startProposal(turn: Turn, agent: AgentRecord, by: string): Proposal {
  const wanted = again(turn, agent, proposalFor(turn, agent, { kind: 'resume', by }))
  if (wanted.kind === 'spawn' || (wanted.session !== undefined && can(turn.world, agent, 'resume'))) return wanted
  const { session: _, ...rest } = wanted
  return { ...rest, kind: 'spawn' }
}

/** Without a session to go on with it begins anew, where it is known with what; what it is told is typed afterwards. */
function again({ world }: Turn, agent: AgentRecord, wanted: Proposal): Proposal {
  if ((agent.sessionId !== undefined && can(world, agent, 'resume')) || taskOf(agent).length === 0) return wanted
  const { text: _, message: __, session: ___, ...rest } = wanted
  return { ...rest, kind: 'spawn', text: summaryText(agent), anew: true }
}

/** What one begins with that is started without a word: its task, where that is known and not finished. */
export function beginning(agent: AgentRecord | undefined): Pick<Proposal, 'reason' | 'text' | 'anew'> {
  if (agent === undefined || agent.kind === 'specialist' || agent.finished !== undefined) return { reason: ASKED }
  if (taskOf(agent).length === 0) return { reason: ASKED }
  return { reason: `${ASKED}; it begins anew with its whole task`, text: summaryText(agent), anew: true }
}

export const ASKED = 'a person asked for it'

export const STARTS_AGAIN = 'its process is gone, and a person starts it again'

/** Its own program is dead, and nobody has saved its work or cleared away what is left of it. */
export function isLeft(agent: AgentRecord): boolean {
  return agent.act === undefined && isAtWork(agent) && isOver(agent)
}

/** One that runs is restarted and goes on with its session; one that does not has it from its next start on. */
export function switchModel(
  turn: Turn,
  by: string,
  { agent: id, model }: CommandOf<'agent.switch-model'>,
): Refusal | undefined {
  const agent = turn.world.agents.get(id)
  if (agent === undefined) return noAgent(id)
  const { generation, act } = agent
  const notOurs = barred(agent, { kind: 'switch', precedence: 'human' })
  if (notOurs !== undefined) return notOurs
  const handedOver = barredByHandoff(agent, { isHuman: true })
  if (handedOver !== undefined) return handedOver
  const unknown = unknownModel(turn.world, { runtime: agent.runtime, model })
  if (unknown !== undefined) return unknown
  if (agent.model === model) {
    return { code: 'conflict', sentence: `${id} already has the model ${model}`, hint: 'Nothing needs to be done.' }
  }
  if (lives(agent) || act !== undefined) {
    return propose(turn, id, { ...proposalFor(turn, agent, { kind: 'switch', by }), model })
  }
  if (!can(turn.world, agent, 'resume')) {
    const hint = `Start it with \`pan agents spawn ${id} --model ${model}\`.`
    return { code: 'conflict', sentence: `${agent.runtime} has no switch`, hint }
  }
  record(turn, { type: 'agent.model-changed', agent: id, generation, from: agent.model, to: model, by })
  return undefined
}

export function noAgent(id: string): Refusal {
  return { code: 'not_found', sentence: `There is no agent ${id}`, hint: 'List them with `pan agents list`.' }
}
