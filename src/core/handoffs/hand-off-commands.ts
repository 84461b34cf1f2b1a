/** What people say to a hand-off: yes, no, whether it helped; and what their kill means to one that is under way. */
import type { Command, Refusal } from '../../contract/commands.ts'
import type { Handoff } from '../../contract/handoffs.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { NeedsYou } from '../../contract/needs-you.ts'
import { endHandoff, inWords, mayBeRefused, tooLateHint } from './hand-off-end.ts'
import { heldFrom } from './new-cycle.ts'
import { reckon } from './hand-off-reckon.ts'
import { walkHandoff } from './hand-off-steps.ts'
import { noAgent } from '../session-commands.ts'
import { promised } from './specialists.ts'
import { agentOf, record, type Turn } from '../turn.ts'

type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>

export function decideHandoff(
  turn: Turn,
  by: string,
  command: CommandOf<'handoff.approve' | 'handoff.refuse'>,
): Refusal | undefined {
  const { handoff: id } = command
  const found = find(turn, id)
  if (found === undefined) return noHandoff(id)
  const { agent, handoff } = found
  const refusal = undecidable(turn, agent, { handoff, command })
  if (refusal !== undefined) return refusal
  const isToSpecialist = command.type === 'handoff.approve' && handoff.to.specialist !== undefined
  const taken = isToSpecialist ? promised(turn.world, agent, handoff.to) : undefined
  if (taken !== undefined) return taken
  turn.toJudge.add(agent.id)
  if (command.type === 'handoff.refuse') {
    walkHandoff(turn, agent, { input: 'refused', detail: command.reason ?? 'no reason given', by })
    return undefined
  }
  record(turn, { type: 'handoff.approved', agent: agent.id, generation: agent.generation, handoff: id, by })
  walkHandoff(turn, agentOf(turn, agent.id), { input: 'approved', by })
  return undefined
}

/** A yes is for one that waits and may begin; a no, too, for one that has ended nothing yet. */
function undecidable(
  { world }: Turn,
  agent: AgentRecord,
  { handoff, command: { type } }: { handoff: Handoff; command: CommandOf<'handoff.approve' | 'handoff.refuse'> },
): Refusal | undefined {
  const { id, state } = handoff
  if (state === 'awaiting_approval') return type === 'handoff.approve' ? heldFrom(world, agent, true) : undefined
  if (type === 'handoff.refuse' && mayBeRefused(handoff)) return undefined
  const isOpen = agent.handoff?.id === id
  const sentence = `hand-off ${id} waits for nobody: it is ${inWords(state)}`
  const hint =
    isOpen && type === 'handoff.refuse' ? tooLateHint(agent, handoff) : `See it with \`pan handoff show ${id}\`.`
  return { code: 'conflict', sentence, hint }
}

/** The same by an answer in the inbox. */
export function answerApproval(
  turn: Turn,
  by: string,
  { handoff = '', answer }: Pick<NeedsYou, 'handoff'> & { answer: string },
): Refusal | undefined {
  if (answer === 'approve' || answer === 'refuse') {
    return decideHandoff(turn, by, { type: `handoff.${answer}`, handoff })
  }
  return { code: 'invalid', sentence: `«${answer}» is no answer to a proposal`, hint: 'Answer approve or refuse.' }
}

/** Whether rules may hand its work over from now on; what is under way goes on. */
export function setAuto(turn: Turn, by: string, { agent: id, on }: CommandOf<'handoff.auto'>): Refusal | undefined {
  const agent = turn.world.agents.get(id)
  if (agent === undefined) return noAgent(id)
  if (agent.adopted !== undefined) {
    return { code: 'conflict', sentence: `${id} was adopted: its work is never handed over`, hint: 'Do it yourself.' }
  }
  if (on === (agent.autoHandoff !== 'off')) return undefined
  record(turn, { type: 'handoff.auto-changed', agent: id, generation: agent.generation, on, by })
  turn.toJudge.add(id)
  return undefined
}

export function judgeByPerson(turn: Turn, command: CommandOf<'handoff.judge'>): Refusal | undefined {
  const { handoff: id, recovered, notes } = command
  const found = find(turn, id)
  if (found === undefined) return noHandoff(id)
  const { agent, handoff } = found
  if (handoff.state !== 'done') {
    const hint = 'Only one that was done can have helped.'
    return { code: 'conflict', sentence: `hand-off ${id} is ${inWords(handoff.state)}`, hint }
  }
  const said = notes === undefined ? {} : { notes }
  const outcome = { recovered, method: 'manual', wallAt: turn.input.wallAt, ...said } as const
  record(turn, { type: 'handoff.judged', agent: agent.id, generation: agent.generation, handoff: id, outcome })
  reckon(turn, agent, id)
  return undefined
}

/** A person kills an agent whose old generation is just being ended by a hand-off: that end is the one that he wants. */
export function takeOverKill(turn: Turn, agent: AgentRecord, stopped: { by: string; reason: string }): boolean {
  const { act, handoff } = agent
  if (act?.kind !== 'kill' || handoff === undefined || act.handoff !== handoff.id) return false
  endHandoff(turn, agent, { result: 'cancelled', by: stopped.by, detail: 'a person killed it', stopped })
  return true
}

/** People name hand-offs one by one, so that a walk over all agents is in order here. */
function find({ world }: Turn, id: string): { agent: AgentRecord; handoff: Handoff } | undefined {
  for (const agent of world.agents.values()) {
    const { handoff: open, handoffs = [] } = agent
    const handoff = open?.id === id ? open : handoffs.find((each) => each.id === id)
    if (handoff !== undefined) return { agent, handoff }
  }
  return undefined
}

function noHandoff(id: string): Refusal {
  return { code: 'not_found', sentence: `There is no hand-off ${id}`, hint: 'List them with `pan handoff list`.' }
}
