/** What people ask of an agent's conversation: to be told something, to sleep, to go on, to run with another model. */
import type { Command, Refusal } from '../contract/commands.ts'
import { lives } from '../contract/lives.ts'
import type { AgentRecord } from '../contract/records.ts'
import { barred } from './adoption.ts'
import { arbitrate } from './arbitrate.ts'
import { hold, keepUndelivered, messagesOf, queueMessage, rowOf } from './deliveries.ts'
import { proposalFor } from './deliveries-pump.ts'
import { barredByHandoff } from './handoffs/hand-off-end.ts'
import { isOver, openDialog } from './health/judge.ts'
import { propose } from './propose.ts'
import { agentOf, record, type Turn } from './turn.ts'
import { can } from './world.ts'
import { isAtWork } from './worktrees.ts'

type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>

/** A dialog, a draft or an act that is under way only makes it wait; an agent that cannot be reached is refused. */
export function message(turn: Turn, by: string, { agent: id, text }: CommandOf<'agent.message'>): Refusal | undefined {
  const agent = turn.world.agents.get(id)
  if (agent === undefined) return noAgent(id)
  return unreachable(turn, agent) ?? queueMessage(turn, agent, { by, text })
}

export function retryMessage(
  turn: Turn,
  by: string,
  { agent: id, message: row }: CommandOf<'agent.retry-message'>,
): Refusal | undefined {
  const agent = turn.world.agents.get(id)
  if (agent === undefined) return noAgent(id)
  const found = rowOf(agent, row)
  const hint = `List what there is with \`pan agents messages ${id}\`.`
  if (found === undefined) return { code: 'not_found', sentence: `There is no message ${row} to ${id}`, hint }
  if (found.state !== 'undelivered') {
    return { code: 'conflict', sentence: `Message ${row} is ${found.state}, not undelivered`, hint }
  }
  if (found.cut === true) {
    return { code: 'conflict', sentence: `Only the beginning of message ${row} is kept`, hint: 'Send it anew.' }
  }
  const refusal = unreachable(turn, agent)
  if (refusal !== undefined) return refusal
  record(turn, { type: 'message.retried', agent: id, generation: agent.generation, message: row, by })
  turn.toJudge.add(id)
  keepUndelivered(turn, id)
  return undefined
}

/** A person no longer types in its terminal: what waited for that is tried now. */
export function giveBack(turn: Turn, { agent: id }: CommandOf<'agent.give-back'>): Refusal | undefined {
  const agent = turn.world.agents.get(id)
  if (agent === undefined) return noAgent(id)
  for (const row of messagesOf(agent)) {
    if (row.state === 'queued' && row.notBeforeAt > turn.now) {
      hold(turn, id, { row, why: 'the terminal was given back just now', notBeforeAt: turn.now })
    }
  }
  turn.toJudge.add(id)
  return undefined
}

function unreachable(turn: Turn, agent: AgentRecord): Refusal | undefined {
  const sleeps = agent.lifecycle === 'suspended'
  const ruling = arbitrate(turn.world, agent, proposalFor(turn, agent, { kind: sleeps ? 'resume' : 'message' }))
  if (ruling.go || ruling.refusal.code === 'busy') return undefined
  return ruling.refusal.code === 'conflict' && !sleeps && openDialog(agent) !== undefined ? undefined : ruling.refusal
}

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
