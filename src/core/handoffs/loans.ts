/**
 * Who owns the work of an agent: itself, or the specialist that it is lent to. This is the only place that changes it,
 * and it does so only when the one who had it verifiably rests or has ended. The row has a deadline.
 */
import type { Refusal } from '../../contract/commands.ts'
import type { Handoff } from '../../contract/handoffs.ts'
import type { AgentId } from '../../contract/ids.ts'
import { lives } from '../../contract/lives.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { ActKind } from '../../contract/acts.ts'
import { HOUR } from '../durations.ts'
import { deadWitness } from '../health/judge.ts'
import { leaveNote } from '../notes.ts'
import { agentOf, record, type Turn } from '../turn.ts'
import type { World } from '../world.ts'

/** How long a specialist may have somebody's work before it is asked to give it back. */
const LENT_MS = 4 * HOUR

/** Whose work this specialist has. */
export function lenderTo({ lent, agents }: Pick<World, 'lent' | 'agents'>, id: AgentId): AgentRecord | undefined {
  const lender = lent.get(id)
  return lender === undefined ? undefined : agents.get(lender)
}

/** By its own word, with nothing under way on it; whoever was told something a moment ago may be about to begin. */
export function rests(agent: AgentRecord, now: number): boolean {
  const { lifecycle, act, echoUntilAt = 0 } = agent
  return lifecycle === 'idle' && act === undefined && echoUntilAt <= now && deadWitness(agent) === undefined
}

/** And nothing is on its way to it either. */
export function restsFree(agent: AgentRecord, now: number): boolean {
  const isTold = (agent.messages ?? []).some(({ state }) => state === 'queued' || state === 'typed')
  return rests(agent, now) && !isTold && !isHandedOn(agent)
}

/** It may rest, or be gone, only because its own work changes hands. */
function isHandedOn({ handoff, lent }: AgentRecord): boolean {
  return lent === undefined && handoff !== undefined && handoff.state !== 'awaiting_approval'
}

/** It is not there, and nobody is about to start it. */
export function isAway(agent: AgentRecord): boolean {
  const { act, restarts } = agent
  const isExpected = act !== undefined || restarts?.dueAt !== undefined || isHandedOn(agent)
  return !lives(agent) && !isExpected
}

export function lend(turn: Turn, { id, generation }: AgentRecord, { id: handoff, to }: Handoff): void {
  if (to.specialist === undefined) return
  record(turn, {
    type: 'handoff.lent',
    agent: id,
    generation,
    handoff,
    to: to.specialist,
    deadlineAt: turn.now + LENT_MS,
  })
  turn.toJudge.add(to.specialist)
}

export function takeBack(turn: Turn, id: AgentId, why: string): void {
  const { lent, generation, wanted } = agentOf(turn, id)
  if (lent === undefined) return
  record(turn, { type: 'handoff.returned', agent: id, generation, handoff: lent.handoff, from: lent.to, why })
  // One that goes on now is told of it by whoever wakes it.
  const isStopped = turn.world.house.emergency.state !== 'armed' || wanted === 'stop'
  const note = `${lent.to} had your work and does not have it any more (${why}). It is yours again: do not wait for it.`
  if (isStopped) leaveNote(turn, id, note)
  turn.toJudge.add(id)
}

/** These make nobody work who should rest. */
const OPEN_WHILE_LENT: readonly ActKind[] = ['kill', 'answer', 'interrupt', 'rest']

/** Why the agent is not made to work: somebody else has its work. */
export function barredByLoan(
  { id, lent }: AgentRecord,
  { kind, isHuman }: { kind?: ActKind; isHuman: boolean },
): Refusal | undefined {
  if (lent === undefined || (isHuman && kind !== undefined && OPEN_WHILE_LENT.includes(kind))) return undefined
  return {
    code: 'conflict',
    sentence: `${id} rests: ${lent.to} has its work`,
    hint: `Wait until it is given back, or ask for it: \`pan handoff back ${id}\`.`,
  }
}
