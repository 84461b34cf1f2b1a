/**
 * Agents that a person started and had adopted: how they become known, what may be done to them, and how they end.
 * They are watched like any other. Nothing is done to them by itself, and by a person only what was allowed.
 */
import type { Leader } from '../contract/adopted.ts'
import type { Command, Refusal } from '../contract/commands.ts'
import type { AgentId } from '../contract/ids.ts'
import { lives } from '../contract/lives.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { ActKind } from '../contract/acts.ts'
import { one } from './durations.ts'
import type { Adoptee } from './ports.ts'
import type { Proposal } from './proposals.ts'
import { record, type Turn } from './turn.ts'

type Adoption = Extract<Command, { type: 'agent.adopt' }>

export function adopt(turn: Turn, by: string, command: Adoption): Refusal | undefined {
  const { type: _, agent: id, adopted, sessionId, rests, ...given } = command
  const refusal = taken(turn, command)
  if (refusal !== undefined) return refusal
  record(turn, { type: 'agent.registered', agent: id, generation: 0, ...given })
  const whose = { agent: id, generation: 1 }
  record(turn, { type: 'agent.adopted', ...whose, run: `a-${turn.input.id}`, adopted, sessionId, by })
  const to = rests === true ? 'idle' : 'active'
  const why = 'it was adopted'
  record(turn, { type: 'agent.lifecycle-changed', ...whose, from: 'uninitialized', to, why })
  return undefined
}

function taken({ world }: Turn, { agent: id, adopted, sessionId }: Adoption): Refusal | undefined {
  for (const other of world.agents.values()) {
    if (!lives(other)) continue
    const isSame = other.adopted !== undefined && isSameProcess(other.adopted.leader, adopted.leader)
    if (isSame) {
      const hint = `To allow other things, release it with \`pan agents forget ${other.id}\` and adopt it again.`
      return { code: 'conflict', sentence: `That session is adopted already, as ${other.id}`, hint }
    }
    if (other.adopted === undefined && other.sessionId === sessionId) {
      const hint = `See it with \`pan agents show ${other.id}\`.`
      return { code: 'conflict', sentence: `That session is open in ${other.id}, which Cloister started`, hint }
    }
  }
  if (!world.agents.has(id)) return undefined
  const hint = `Choose another one with --id, or release it with \`pan agents forget ${id}\`.`
  return { code: 'conflict', sentence: `There is an agent ${id} already`, hint }
}

export function isSameProcess(a: Leader, b: Leader): boolean {
  return a.pid === b.pid && a.startTime === b.startTime && a.boot === b.boot
}

/** Why an act on an adopted agent is not done; undefined when nothing stands against it, or it is not adopted. */
export function barred(agent: AgentRecord, { kind, precedence }: Pick<Proposal, 'kind' | 'precedence'>) {
  const { id, adopted } = agent
  if (adopted === undefined) return undefined
  if (precedence !== 'human') {
    return refusal(`${id} was adopted: nothing is done to it by itself`, `See it with \`pan agents show ${id}\`.`)
  }
  if (kind === 'restore') return undefined
  if (kind !== 'message' && kind !== 'kill') return neverDone(agent, kind)
  if (!adopted.allow.includes(kind)) {
    const what = kind === 'kill' ? 'be killed' : 'be sent messages'
    return refusal(`${id} was adopted and may not ${what}`, `Allow it: ${adoptAgain(agent, kind)}.`)
  }
  if (kind === 'message' && adopted.pane === undefined) {
    return refusal(`${id} runs in no tmux pane, so that nothing can be typed to it`, 'Type it in its own terminal.')
  }
  return undefined
}

function neverDone({ id, lifecycle }: AgentRecord, kind: ActKind): Refusal {
  const isStart = kind === 'spawn' || kind === 'resume' || kind === 'switch'
  const hint =
    isStart || lifecycle === 'stopped'
      ? `Start it yourself and adopt it anew; \`pan agents forget ${id}\` makes its id free.`
      : 'Do it in its own terminal; by Cloister it can at most be sent messages and be killed, where that is allowed.'
  return refusal(`${id} was adopted: ${one(kind)} is never done to it`, hint)
}

function adoptAgain({ id, adopted, sessionId }: AgentRecord, kind: 'message' | 'kill'): string {
  const allow = [...(adopted?.allow ?? []), kind].toSorted().toReversed().join(',')
  return `\`pan agents forget ${id}\`, then \`pan agents adopt ${sessionId ?? '<session>'} --id ${id} --allow ${allow}\``
}

function refusal(sentence: string, hint: string): Refusal {
  return { code: 'conflict', sentence, hint }
}

/** Those that an emergency stop leaves alone unless it is told otherwise. */
export function adoptedLiving(agents: Iterable<AgentRecord>): (Adoptee & { id: AgentId })[] {
  return [...agents].flatMap((agent) => {
    const { id, run, adopted } = agent
    return run === undefined || adopted === undefined || !lives(agent) ? [] : { id, run, leader: adopted.leader }
  })
}
