/**
 * At most one act per agent. Precedence: emergency stop > human > budget > context limit > crash > stuck >
 * routing > idle. An act under way yields only to a stronger one, and only if stopping half-way is harmless.
 */
import type { Refusal } from '../contract/commands.ts'
import type { AgentId } from '../contract/ids.ts'
import { PRECEDENCE, type Act, type AgentRecord, type Precedence } from '../contract/records.ts'
import { deadWitness, isLost, isStarting, openDialog } from './health/judge.ts'
import type { Proposal } from './proposals.ts'
import { distrust, type World } from './world.ts'

export type Ruling = { go: true } | { go: false; refusal: Refusal }

/** Automatic acts at once, over all agents. */
export const MAX_AUTOMATIC_ACTS = 32

export function strongest(proposals: readonly (Proposal | undefined)[]): Proposal | undefined {
  let best: Proposal | undefined
  for (const proposal of proposals) {
    if (proposal !== undefined && (best === undefined || outranks(proposal.precedence, best.precedence)))
      best = proposal
  }
  return best
}

export function outranks(a: Precedence, b: Precedence): boolean {
  return PRECEDENCE.indexOf(a) < PRECEDENCE.indexOf(b)
}

export function arbitrate(world: World, agent: AgentRecord, proposal: Proposal): Ruling {
  if (world.house.emergency.state !== 'armed') {
    return refuse('emergency', 'an emergency stop is in force', 'Re-arm with `pan cloister resume` when it is safe.')
  }
  if (proposal.precedence !== 'human') {
    const held = heldBack(world, agent)
    if (held !== undefined) return refuse('busy', held, 'It is tried again when that is over.')
  }
  if (agent.act !== undefined && !yields(agent.act, proposal.precedence)) {
    const { kind, by } = agent.act
    return refuse('busy', `a ${kind} by ${by} is under way on ${agent.id}`, 'Wait for its outcome and try again.')
  }
  return possible(agent, proposal, world.house.observedAt)
}

/** Why no rule may act now. */
function heldBack(world: World, agent: AgentRecord): string | undefined {
  if (world.house.monitoring === 'paused') return 'monitoring is paused'
  const doubt = distrust(world.observer)
  if (doubt !== undefined) return `Cloister ${doubt}`
  if (world.house.mass !== undefined) return 'several agents are in trouble at once'
  if (agent.wanted === 'stop') return 'a person stopped it'
  if (world.acting.size >= MAX_AUTOMATIC_ACTS) return `${MAX_AUTOMATIC_ACTS} acts are under way`
  return undefined
}

/** Half a spawn or half a kill would leave the world in doubt; a line of text would not. */
function yields(act: Act, to: Precedence): boolean {
  return (act.kind === 'poke' || act.kind === 'message') && outranks(to, act.precedence)
}

function possible(agent: AgentRecord, { kind }: Proposal, now: number): Ruling {
  const { id, lifecycle } = agent
  const lives = lifecycle === 'active' || lifecycle === 'idle'
  if (kind === 'restore') {
    if (!lives) return { go: true }
    return refuse('conflict', `${id} runs and may be changing its files`, `Kill it first: \`pan agents kill ${id}\`.`)
  }
  if (kind === 'spawn') {
    if (!lives) return { go: true }
    if (isLost(agent)) return withoutTerminal(id)
    if (deadWitness(agent) !== undefined)
      return refuse('busy', `${id} was seen dead only once so far`, 'Try again in a moment.')
    return refuse('conflict', `${id} already runs`, `See it with \`pan agents show ${id}\`, or kill it first.`)
  }
  if (!lives) return refuse('conflict', `${id} is not running`, `Start it with \`pan agents spawn ${id}\`.`)
  if (kind === 'kill' || kind === 'answer') return { go: true }
  if (deadWitness(agent) !== undefined) {
    return refuse(
      'conflict',
      `the process of ${id} has ended`,
      `Start it again with \`pan agents spawn ${id}\`; its work is saved first.`,
    )
  }
  if (isLost(agent)) return withoutTerminal(id)
  if (isStarting(agent, now)) {
    return refuse('busy', `${id} is starting and cannot be typed to yet`, 'Try again in a moment.')
  }
  const dialog = openDialog(agent)
  if (dialog !== undefined) return refuse('conflict', `${id} shows a dialog (${dialog})`, 'Answer the dialog first.')
  return { go: true }
}

function withoutTerminal(id: AgentId): Ruling {
  const hint = `End it with \`pan agents kill ${id}\`, which saves its work, then spawn it again.`
  return refuse('conflict', `the process of ${id} lives but has no terminal`, hint)
}

function refuse(code: Refusal['code'], sentence: string, hint: string): Ruling {
  return { go: false, refusal: { code, sentence, hint } }
}
