/** Looks at the document that an agent writes before its context is cleared: at growing intervals, twice when it is done. */
import type { AgentEffect, Outcome } from '../../contract/effects.ts'
import type { DocumentLook, DocumentReport } from '../../contract/context-cycle.ts'
import type { Handoff } from '../../contract/handoffs.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { MINUTE, SECOND } from '../durations.ts'
import { nextEffectId, record, type Turn } from '../turn.ts'
import { setAgent } from '../world.ts'

/** A document that is the same after this time is written. */
export const STABLE_MS = 5 * SECOND
const FIRST_MS = 10 * SECOND
const LONGEST_MS = MINUTE
/** Each wait is longer than the one before. */
const GROWTH = 1.5

export function lookOf({ documentLook }: AgentRecord, { id }: Pick<Handoff, 'id'>): DocumentLook | undefined {
  return documentLook?.handoff === id ? documentLook : undefined
}

/** When it is looked at next, if nothing else happens. */
export function nextLookAt(look: DocumentLook | undefined, orderedAt: number): number {
  return look === undefined || look.at < orderedAt ? orderedAt + FIRST_MS : look.dueAt
}

export function lookAtDocument(turn: Turn, agent: AgentRecord, { id: handoff }: Handoff): void {
  const { id, generation } = agent
  const effect: AgentEffect = { type: 'handoff.see-document', id: nextEffectId(turn), agent: id, generation, handoff }
  const before = lookOf(agent, { id: handoff }) ?? blank(handoff, turn.now)
  turn.effects.push(effect)
  keepLook(turn, agent, { ...before, effect: effect.id })
}

function blank(handoff: string, at: number): DocumentLook {
  return {
    ...{ handoff, n: 0, at, dueAt: at, isSame: false },
    ...{ isWhole: false, isUsable: false, isFinished: false, findings: [] },
  }
}

/** Level state, as evidence is: what follows from it is recorded. */
function keepLook(turn: Turn, agent: AgentRecord, documentLook: DocumentLook): void {
  setAgent(turn.world, { ...agent, documentLook })
  turn.dirty.add(agent.id)
}

export function endDocumentLook(
  turn: Turn,
  effect: Extract<AgentEffect, { type: 'handoff.see-document' }>,
  outcome: Outcome,
): void {
  const agent = turn.world.agents.get(effect.agent)
  const before = agent?.documentLook
  if (agent === undefined || agent.handoff?.id !== effect.handoff || before?.effect !== effect.id) {
    record(turn, { type: 'outcome.dropped', effect: effect.id, result: outcome.result })
    return
  }
  turn.toJudge.add(agent.id)
  const { effect: _, stamp: __, ...rest } = before
  const { n } = rest
  const seen = outcome.document ?? nothingSeen(outcome)
  keepLook(turn, agent, {
    ...rest,
    ...seen,
    n: n + 1,
    at: turn.now,
    dueAt: turn.now + (seen.isWhole ? STABLE_MS : Math.min(LONGEST_MS, FIRST_MS * GROWTH ** n)),
    // What could not be looked at says nothing.
    isSame: n > 0 && outcome.document !== undefined && before.stamp === seen.stamp,
  })
}

function nothingSeen({ detail, result }: Outcome): DocumentReport {
  const why = `it could not be looked at (${detail ?? result})`
  return { isWhole: false, isUsable: false, isFinished: false, findings: [why.slice(0, 300)] }
}
