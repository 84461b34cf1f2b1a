/** A hand-off as PAN-31 shapes it, with what is known beyond that: the line of the log, and what is shown. */
import { HANDOFF_RESULTS, type Handoff } from '../../contract/handoffs.ts'
import type { OpenHandoffView } from '../../contract/handoff-panel-views.ts'
import type { HandoffEvent } from '../../contract/handoff-views.ts'
import type { AgentId } from '../../contract/ids.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { isoTime } from '../iso-time.ts'

export function handoffEvent({ id, issue = '' }: Pick<AgentRecord, 'id' | 'issue'>, handoff: Handoff): HandoffEvent {
  const {
    from,
    to,
    trigger,
    method,
    reason,
    evidence,
    savings,
    state,
    estimate,
    successor,
    captured,
    salvage,
    by,
    gate,
    giver,
    context = {},
    cycle,
  } = handoff
  const success = state === 'done'
  const isOver = (HANDOFF_RESULTS as readonly string[]).includes(state)
  const { endedAt, startedAt } = handoff
  return {
    id: handoff.id,
    timestamp: isoTime(handoff.startedWallAt),
    agentId: id,
    issueId: issue,
    from: party({ ...from, specialist: giver }, from.sessionId),
    to: party(to, successor),
    ...{ trigger, method, reason, context: contextOf(context, cycle), state, success, by },
    ...(evidence === undefined ? {} : { evidence }),
    ...(isOver && !success ? failureOf(handoff) : {}),
    ...outcomeOf(handoff),
    ...(estimate === undefined ? {} : { estimate, estimatedSavings: estimate.from - estimate.to }),
    ...(savings === undefined ? {} : { savings }),
    ...(endedAt === undefined ? {} : { durationMs: endedAt - startedAt }),
    ...(gate === undefined ? {} : { gate }),
    ...(captured === undefined ? {} : { captured }),
    ...(salvage === undefined ? {} : { salvage }),
    ...(cycle === undefined ? {} : { document: cycle.document }),
  }
}

/** What made it fail, and what became of it then. */
function failureOf({ because, detail }: Handoff): Pick<HandoffEvent, 'errorMessage'> {
  if (detail === undefined) return {}
  const isSaid = because === undefined || detail.startsWith(because)
  return { errorMessage: isSaid ? detail : `${because}; ${detail}` }
}

function contextOf(context: HandoffEvent['context'], cycle: Handoff['cycle']): HandoffEvent['context'] {
  return cycle?.percent === undefined ? context : { ...context, contextPercent: cycle.percent }
}

/** The one that is open now, as it is shown with its agent. */
export function openHandoff({ handoff }: AgentRecord, now: number): OpenHandoffView | undefined {
  if (handoff === undefined) return undefined
  const { id, state, trigger, method, to, giver, stateAt, deadlineAt } = handoff
  const by = giver === undefined ? {} : { giver }
  return {
    id,
    state,
    trigger,
    method,
    to,
    ...by,
    forMs: Math.max(0, now - stateAt),
    leftMs: Math.max(0, deadlineAt - now),
  }
}

interface Party {
  model: string
  runtime: string
  specialist?: AgentId | undefined
}

function party({ model, runtime, specialist }: Party, sessionId: string | undefined): HandoffEvent['from'] {
  return {
    ...{ model, runtime },
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(specialist === undefined ? {} : { specialist }),
  }
}

/** Only one that was done can have helped. */
function outcomeOf({ state, outcome }: Handoff): Pick<HandoffEvent, 'outcome'> {
  if (state !== 'done') return {}
  if (outcome === undefined) return { outcome: { verified: false, agentRecovered: false } }
  const { recovered, method, wallAt, notes } = outcome
  return {
    outcome: {
      verified: recovered !== 'unknown',
      agentRecovered: recovered === 'yes',
      verifiedAt: isoTime(wallAt),
      verificationMethod: method,
      ...(notes === undefined ? {} : { notes }),
    },
  }
}
