/**
 * Work that is with a specialist comes back: when that one rests, has ended, has had it too long, or when somebody asks
 * for it. That it rests does not say that it helped.
 */
import type { Refusal } from '../../contract/commands.ts'
import type { Errand, Handoff, HandoffOutcome } from '../../contract/handoffs.ts'
import type { AgentId } from '../../contract/ids.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { houseHeldBack } from '../arbitrate.ts'
import { ended, SECOND } from '../durations.ts'
import { walkHandoff } from './hand-off-steps.ts'
import { citationsOf } from '../health/words.ts'
import { isAway, restsFree, takeBack } from './loans.ts'
import { keep, settle } from '../needs-you.ts'
import { newHandoff } from './new-hand-off.ts'
import { propose } from '../propose.ts'
import { agentOf, record, type Turn } from '../turn.ts'

/** What it does after its last word shows by then. */
const SETTLE_MS = 30 * SECOND

/** When to come back. */
export function driveLoan(turn: Turn, id: AgentId): number | undefined {
  const { world, now } = turn
  const { lent, handoff, wanted, needsYou } = agentOf(turn, id)
  if (lent === undefined || handoff !== undefined) return undefined
  const specialist = world.agents.get(lent.to)
  const isOut = specialist === undefined || isAway(specialist)
  const isLatched = world.house.emergency.state !== 'armed'
  if (isLatched || wanted === 'stop') {
    // Nobody is to go on with it now; it only has its owner again.
    const isOver = isOut || (!isLatched && restsFree(specialist, now))
    if (isOver) {
      takeBack(turn, id, isLatched ? 'an emergency stop came' : 'it was stopped meanwhile')
      for (const item of needsYou) if (item.kind === 'handoff') settle(turn, item, 'cloister')
    } else if (!isLatched) recall(turn, agentOf(turn, id), specialist)
    return isOver ? undefined : now + world.settings.lookEveryMs
  }
  if (houseHeldBack(world) !== undefined) return now + world.settings.lookEveryMs
  if (isOut) return giveBack(turn, id, { recovered: 'no', reason: `${lent.to} ended before it gave the work back` })
  if (restsFree(specialist, now)) {
    const dueAt = Math.max(specialist.lifecycleAt, lent.at) + SETTLE_MS
    if (now < dueAt) return dueAt
    return giveBack(turn, id, { recovered: 'unknown', reason: `${lent.to} has done its part` })
  }
  if (now < lent.deadlineAt) return lent.deadlineAt
  const { handoffs = [] } = agentOf(turn, id)
  if (handoffs.some(({ giver, startedAt }) => giver === lent.to && startedAt >= lent.deadlineAt)) return undefined
  return giveBack(turn, id, { recovered: 'no', reason: `${lent.to} has had the work for too long` })
}

/** Nobody works on for one that a person has stopped: the specialist comes to rest, or a person is asked. */
function recall(turn: Turn, lender: AgentRecord, specialist: AgentRecord): void {
  const { id, stopped, act } = lender
  const asked = askedToRest(lender, specialist)
  const isUnderWay = asked !== undefined && asked.result === undefined
  if (specialist.lifecycle !== 'active' || act !== undefined || isUnderWay) return
  // One that rested and was made to work again is asked again; one that would not rest is left to a person.
  const isWilling = asked === undefined || asked.result === 'done' || asked.result === 'cancelled'
  const refusal = isWilling ? orderRest(turn, lender, specialist) : undefined
  if (isWilling && (refusal === undefined || refusal.code === 'busy')) return
  const why = refusal?.sentence ?? asked?.detail ?? 'nothing is known'
  keep(turn, true, {
    kind: 'handoff',
    agent: id,
    sentence: ended(
      `${specialist.id} still has the work of ${id}, which ${stopped?.by ?? 'a person'} stopped, and does not come to rest: ${why}`,
    ),
    hint: `Try again with \`pan handoff back ${id}\`, or end it, work saved: \`pan agents kill ${specialist.id}\`.`,
  })
}

function askedToRest({ lent }: AgentRecord, { errand }: AgentRecord): Errand | undefined {
  return errand?.kind === 'rest' && errand.handoff === lent?.handoff ? errand : undefined
}

/** As the person would who stopped the lender. */
function orderRest(turn: Turn, { id, lent }: AgentRecord, specialist: AgentRecord): Refusal | undefined {
  return propose(turn, specialist.id, {
    kind: 'rest',
    precedence: 'human',
    by: 'hand-off',
    reason: `${id}, whose work it has, was stopped`,
    citations: citationsOf(specialist, turn.now),
    ...(lent === undefined ? {} : { handoff: lent.handoff }),
  })
}

function giveBack(
  turn: Turn,
  id: AgentId,
  { recovered, reason }: { recovered: 'unknown' | 'no'; reason: string },
): undefined {
  judgeLent(turn, agentOf(turn, id), recovered)
  const trigger = recovered === 'no' ? 'help_failed' : 'task_complete'
  startHandBack(turn, agentOf(turn, id), { trigger, reason, by: 'hand-off', isAsked: false })
}

/** Who did not show meanwhile that it helps has not shown it by coming to rest, and nobody looks at it from here on. */
function judgeLent(
  turn: Turn,
  { id, generation, lent, handoffs = [] }: AgentRecord,
  recovered: 'unknown' | 'no',
): void {
  const handoff = handoffs.find((each) => each.id === lent?.handoff)
  if (handoff?.judgeAt === undefined) return
  const outcome: HandoffOutcome = { recovered, method: 'heartbeat', wallAt: turn.input.wallAt }
  record(turn, { type: 'handoff.judged', agent: id, generation, handoff: handoff.id, outcome })
}

export type BackWish = Pick<Handoff, 'trigger' | 'reason' | 'by' | 'isAsked'>

/**
 * The same machine, the other way; it asks nobody for approval and is within every limit. One that was stopped only gets
 * its work back, and does not go on.
 */
export function startHandBack(turn: Turn, agent: AgentRecord, wish: BackWish): Refusal | undefined {
  const { world } = turn
  const { lent, model, runtime, id, generation, handoff: open } = agent
  const specialist = lent === undefined ? undefined : world.agents.get(lent.to)
  if (lent === undefined || specialist === undefined || open !== undefined) {
    const sentence = open === undefined ? `${id} has its work itself` : `hand-off ${open.id} of ${id} is under way`
    return { code: 'conflict', sentence, hint: `See it with \`pan agents show ${id}\`.` }
  }
  if (agent.wanted === 'stop') {
    turn.toJudge.add(id)
    const asked = askedToRest(agent, specialist)
    const isComing = specialist.lifecycle !== 'active' || (asked !== undefined && asked.result === undefined)
    return isComing ? undefined : orderRest(turn, agent, specialist)
  }
  const handoff = newHandoff(turn, specialist, {
    method: 'specialist_wake',
    ...wish,
    to: { model, runtime },
    giver: specialist.id,
    isEscalation: false,
    task: agent.issue ?? id,
  })
  record(turn, { type: 'handoff.proposed', agent: id, generation, handoff })
  walkHandoff(turn, agentOf(turn, id), { input: 'free' })
  turn.toJudge.add(id)
  return undefined
}
