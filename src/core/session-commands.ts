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
import { propose } from './propose.ts'
import { agentOf, record, type Turn } from './turn.ts'
import { can } from './world.ts'
import { isAtWork } from './worktrees.ts'

type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>

export function resume(turn: Turn, by: string, { agent: id, prompt }: CommandOf<'agent.resume'>): Refusal | undefined {
  const agent = turn.world.agents.get(id)
  if (agent === undefined) return noAgent(id)
  const wanted = proposalFor(turn, agent, { kind: 'resume', by })
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
  return propose(turn, id, proposalFor(turn, queued, { kind: 'resume', by, ...(row === undefined ? {} : { row }) }))
}

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
