/**
 * At most one act per agent. Precedence: emergency stop > human > budget > context limit > crash > stuck >
 * routing > idle. An act under way yields only to a stronger one, and only if stopping half-way is harmless.
 */
import type { Refusal } from '../contract/commands.ts'
import type { AgentId } from '../contract/ids.ts'
import { lives } from '../contract/lives.ts'
import type { AgentRecord } from '../contract/records.ts'
import { PRECEDENCE, type Act, type ActKind, type Precedence } from '../contract/acts.ts'
import { barred } from './adoption.ts'
import { desiredOf } from './desired.ts'
import { one } from './durations.ts'
import { barredByHandoff } from './handoffs/hand-off-end.ts'
import { deadWitness, isLost, isStarting, openDialog } from './health/judge.ts'
import type { Capabilities } from './runtime-port.ts'
import type { Proposal } from './proposals.ts'
import { can, distrust, type World } from './world.ts'
import { ownerOf, takenBy } from './worktrees.ts'

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
  const notAllowed = barred(agent, proposal)
  if (notAllowed !== undefined) return { go: false, refusal: notAllowed }
  const { state, by, reason } = desiredOf(agent, world.house)
  const isPersonsKill = proposal.kind === 'kill' && proposal.precedence === 'human' && proposal.handoff === undefined
  if (state === 'frozen' && !isPersonsKill) {
    return refuse(
      'conflict',
      `${agent.id} is frozen by ${by}: ${reason}`,
      `Release it: \`pan agents release ${agent.id}\`.`,
    )
  }
  if (proposal.precedence !== 'human') {
    const held = heldBack(world, agent)
    if (held !== undefined) return refuse('busy', held, 'It is tried again when that is over.')
  }
  if (proposal.handoff === undefined || proposal.handoff !== agent.handoff?.id) {
    const refusal = barredByHandoff(agent, { kind: proposal.kind, isHuman: proposal.precedence === 'human' })
    if (refusal !== undefined) return { go: false, refusal }
  }
  if (agent.act !== undefined && !yields(agent.act, proposal)) {
    const { kind, by } = agent.act
    return refuse('busy', `${one(kind)} by ${by} is under way on ${agent.id}`, 'Wait for its outcome and try again.')
  }
  return possible(world, agent, proposal)
}

/** Why no rule may act now on anybody. */
export function houseHeldBack(world: World): string | undefined {
  if (world.house.monitoring === 'paused') return 'monitoring is paused'
  const doubt = distrust(world.observer)
  if (doubt !== undefined) return `Cloister ${doubt}`
  return world.house.mass === undefined ? undefined : 'several agents are in trouble at once'
}

/** Why no rule may act now. */
export function heldBack(world: World, agent: AgentRecord): string | undefined {
  const everybody = houseHeldBack(world)
  if (everybody !== undefined) return everybody
  const { state, by, reason } = desiredOf(agent, world.house)
  if (state === 'stop') return 'a person stopped it'
  if (state === 'hold') return `it is held by ${by}: ${reason}`
  if (world.acting.size >= MAX_AUTOMATIC_ACTS) return `${MAX_AUTOMATIC_ACTS} acts are under way`
  return undefined
}

/** Half a spawn or half a kill would leave the world in doubt; a line of text would not. */
function yields(act: Act, { kind, precedence }: Proposal): boolean {
  if (TYPING.includes(act.kind)) {
    return outranks(precedence, act.precedence) || (kind === 'kill' && precedence === act.precedence)
  }
  // An order that is just being left could come after it was taken back.
  if (act.kind === 'rest' && kind === 'interrupt') return precedence === 'human' && act.step !== 'doing'
  return (act.kind === 'interrupt' || act.kind === 'rest' || act.kind === 'clear') && kind === 'kill'
}

const TYPING: readonly ActKind[] = ['poke', 'message', 'continue', 'nudge']

function possible(world: World, agent: AgentRecord, proposal: Proposal): Ruling {
  const { id, lifecycle } = agent
  const { kind } = proposal
  const unable = cannot(world, agent, kind)
  if (unable !== undefined) return unable
  if (kind === 'restore') {
    if (!lives(agent)) return { go: true }
    return refuse('conflict', `${id} runs and may be changing its files`, `Kill it first: \`pan agents kill ${id}\`.`)
  }
  if (kind === 'spawn' || kind === 'resume') {
    if (!lives(agent)) return kind === 'spawn' ? { go: true } : resumable(world, agent, proposal)
    if (isLost(agent)) return withoutTerminal(id)
    if (deadWitness(agent) !== undefined)
      return refuse('busy', `${id} was seen dead only once so far`, 'Try again in a moment.')
    return refuse('conflict', `${id} already runs`, `See it with \`pan agents show ${id}\`, or kill it first.`)
  }
  if (lifecycle === 'suspended' && kind !== 'kill')
    return refuse('conflict', `${id} is suspended`, `Wake it with \`pan agents resume ${id}\`.`)
  if (!lives(agent)) return refuse('conflict', `${id} is not running`, `Start it with \`pan agents spawn ${id}\`.`)
  if (kind === 'kill' || kind === 'answer') return { go: true }
  if (deadWitness(agent) !== undefined) {
    return refuse(
      'conflict',
      `the process of ${id} has ended`,
      `Start it again with \`pan agents spawn ${id}\`; its work is saved first.`,
    )
  }
  if (isLost(agent)) return withoutTerminal(id)
  if (isStarting(agent, world.house.observedAt)) {
    return refuse('busy', `${id} is starting and cannot be typed to yet`, 'Try again in a moment.')
  }
  const dialog = openDialog(agent)
  if (dialog !== undefined) return refuse('conflict', `${id} shows a dialog (${dialog})`, 'Answer the dialog first.')
  if (kind === 'suspend' || kind === 'switch' || kind === 'clear') return resting(agent, proposal)
  if ((kind === 'interrupt' || kind === 'rest') && lifecycle === 'idle') {
    return refuse('conflict', `${id} rests already`, `Give it work with \`pan agents message ${id} "…"\`.`)
  }
  return { go: true }
}

const NEEDED: Partial<Record<ActKind, keyof Capabilities>> = {
  resume: 'resume',
  suspend: 'resume',
  switch: 'resume',
  interrupt: 'interrupt',
  rest: 'softStop',
  clear: 'clear',
}

/** Asked of what the runtime can do, never of which one it is. */
function cannot(world: World, agent: AgentRecord, kind: ActKind): Ruling | undefined {
  const needed = NEEDED[kind]
  if (needed === undefined || can(world, agent, needed)) return undefined
  return refuse('conflict', `${agent.runtime} has no ${kind}`, `See what ${agent.id} runs in with \`pan agents show\`.`)
}

/** Only what rests, and has nothing waiting for it, is put to sleep or begun anew. */
function resting({ id, lifecycle, messages = [], sessionId }: AgentRecord, { kind, handoff }: Proposal): Ruling {
  if (lifecycle !== 'idle') {
    return refuse(
      'conflict',
      `${id} works`,
      `Wait until it rests, or interrupt it with \`pan agents interrupt ${id}\`.`,
    )
  }
  // What waits during a hand-off is for whoever goes on.
  if (handoff === undefined && messages.some(({ state }) => state === 'queued' || state === 'typed')) {
    return refuse('conflict', `a message waits for ${id}`, `See it with \`pan agents messages ${id}\`.`)
  }
  if (sessionId === undefined) {
    const hint = `It has not reported one. \`pan agents kill ${id}\` ends it, work saved.`
    return refuse('conflict', `no session id of ${id} is known, so that its ${kind} could not be verified`, hint)
  }
  return { go: true }
}

/** Our own lock: programs let two of their kind go on with one session, and both then write into it. */
function resumable(world: World, agent: AgentRecord, { session }: Proposal): Ruling {
  const { id } = agent
  const owner = ownerOf(world, agent)
  if (owner !== undefined) return { go: false, refusal: takenBy(owner, id) }
  if (session === undefined) {
    return refuse('conflict', `no session id of ${id} was saved`, `Start it fresh with \`pan agents spawn ${id}\`.`)
  }
  for (const other of world.agents.values()) {
    if (other.id === id || (other.sessionId !== session.id && other.act?.session !== session.id)) continue
    if (lives(other) || other.act !== undefined)
      return refuse('conflict', `${other.id} has the session of ${id} open`, `End ${other.id} first.`)
  }
  return { go: true }
}

function withoutTerminal(id: AgentId): Ruling {
  const hint = `End it with \`pan agents kill ${id}\`, which saves its work, then spawn it again.`
  return refuse('conflict', `the process of ${id} lives but has no terminal`, hint)
}

function refuse(code: Refusal['code'], sentence: string, hint: string): Ruling {
  return { go: false, refusal: { code, sentence, hint } }
}
