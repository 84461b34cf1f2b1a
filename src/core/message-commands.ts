/** What people ask about messages to an agent: to tell it something, to try that again, to take it back. */
import type { Command, Refusal } from '../contract/commands.ts'
import type { AgentRecord } from '../contract/records.ts'
import { arbitrate } from './arbitrate.ts'
import { hold, keepUndelivered, messagesOf, queueMessage, rowOf } from './deliveries.ts'
import { proposalFor } from './deliveries-pump.ts'
import { openDialog } from './health/judge.ts'
import { noAgent } from './session-commands.ts'
import { record, type Turn } from './turn.ts'

type MessageCommand = Extract<
  Command,
  { type: `agent.${'message' | 'retry-message' | 'recall-message' | 'give-back'}` }
>

export function onMessages(turn: Turn, by: string, command: MessageCommand): Refusal | undefined {
  const agent = turn.world.agents.get(command.agent)
  if (agent === undefined) return noAgent(command.agent)
  switch (command.type) {
    case 'agent.message':
      return send(turn, agent, { by, text: command.text })
    case 'agent.retry-message':
      return retry(turn, agent, { by, message: command.message })
    case 'agent.recall-message':
      return recall(turn, agent, { by, message: command.message })
    case 'agent.give-back':
      return giveBack(turn, agent)
  }
}

/** A dialog, a draft or an act that is under way only makes it wait; an agent that cannot be reached is refused. */
function send(turn: Turn, agent: AgentRecord, given: { by: string; text: string }): Refusal | undefined {
  return unreachable(turn, agent) ?? queueMessage(turn, agent, given)
}

interface Wish {
  by: string
  message: string
}

function retry(turn: Turn, agent: AgentRecord, { by, message }: Wish): Refusal | undefined {
  const { id, generation } = agent
  const found = rowOf(agent, message)
  const hint = listHint(id)
  if (found === undefined) return noMessage(id, message)
  if (found.state !== 'undelivered') {
    return { code: 'conflict', sentence: `Message ${message} is ${found.state}, not undelivered`, hint }
  }
  if (found.cut === true) {
    return { code: 'conflict', sentence: `Only the beginning of message ${message} is kept`, hint: 'Send it anew.' }
  }
  const refusal = unreachable(turn, agent)
  if (refusal !== undefined) return refusal
  record(turn, { type: 'message.retried', agent: id, generation, message, by })
  turn.toJudge.add(id)
  keepUndelivered(turn, id)
  return undefined
}

/** Only one that waits: of what is being typed, or was, nobody could say that it is not there. */
function recall(turn: Turn, agent: AgentRecord, { by, message }: Wish): Refusal | undefined {
  const { id, generation } = agent
  const found = rowOf(agent, message)
  if (found === undefined) return noMessage(id, message)
  const state = agent.act?.message === message ? 'being typed' : found.state
  if (state !== 'queued') {
    const sentence = `Message ${message} is ${state}: only one that waits can be taken back`
    return { code: 'conflict', sentence, hint: listHint(id) }
  }
  record(turn, { type: 'message.recalled', agent: id, generation, message, by })
  turn.toJudge.add(id)
  return undefined
}

function noMessage(agent: string, message: string): Refusal {
  return { code: 'not_found', sentence: `There is no message ${message} to ${agent}`, hint: listHint(agent) }
}

function listHint(agent: string): string {
  return `List what there is with \`pan agents messages ${agent}\`.`
}

/** A person no longer types in its terminal: what waited for that is tried now. */
function giveBack(turn: Turn, agent: AgentRecord): undefined {
  const { id } = agent
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
