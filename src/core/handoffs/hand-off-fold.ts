/** Folds what happens to an agent's hand-off, and how the acts that it asks for come out. */
import type { AgentEvent, EventOf } from '../../contract/events.ts'
import { HANDOFFS_KEPT, type Errand, type Handoff, type Loan } from '../../contract/handoffs.ts'
import { OCCASIONS_KEPT, type AgentRecord } from '../../contract/records.ts'

type HandoffHappened = Extract<AgentEvent, { type: `handoff.${string}` }>

export function isOfHandoff(event: AgentEvent): event is HandoffHappened {
  return event.type.startsWith('handoff.')
}

export function foldHandoff(agent: AgentRecord, event: HandoffHappened): AgentRecord {
  if (event.type === 'handoff.proposed') {
    return { ...agent, handoff: event.handoff, ...settledBy(agent, event.handoff.key) }
  }
  if (event.type === 'handoff.spared') return { ...agent, ...settledBy(agent, event.key) }
  if (event.type === 'handoff.reckoned') return reckoned(agent, event)
  if (event.type === 'handoff.judged') return judged(agent, event)
  if (event.type === 'handoff.returned') return returned(agent, event)
  if (event.type === 'handoff.auto-changed') return withAuto(agent, event)
  const { handoff } = agent
  if (event.type === 'handoff.recorded' || handoff?.id !== event.handoff) return agent
  switch (event.type) {
    case 'handoff.approved':
      // Whoever says yes wants it like one who asked for it.
      return { ...agent, handoff: { ...handoff, isAsked: true } }
    case 'handoff.captured':
      return { ...agent, handoff: { ...handoff, captured: event.captured } }
    case 'handoff.lent':
      return { ...agent, lent: loanOf(event) }
    case 'handoff.stepped':
      return { ...agent, handoff: { ...stepped(handoff, event), ...restAt(agent, event) } }
    case 'handoff.ended':
      return end(agent, handoff, event)
  }
}

/** Nobody is asked again for the same occasion. */
function settledBy({ occasions = [] }: AgentRecord, key: string | undefined): Pick<AgentRecord, 'occasions'> {
  if (key === undefined) return {}
  return { occasions: [...occasions.filter((each) => each !== key), key].slice(-OCCASIONS_KEPT) }
}

function reckoned(agent: AgentRecord, { handoff: id, savings }: EventOf<'handoff.reckoned'>): AgentRecord {
  return { ...agent, handoffs: (agent.handoffs ?? []).map((each) => (each.id === id ? { ...each, savings } : each)) }
}

/** Only what differs from the usual is kept. */
function withAuto(agent: AgentRecord, { on }: EventOf<'handoff.auto-changed'>): AgentRecord {
  const { autoHandoff: _, ...rest } = agent
  return on ? rest : { ...rest, autoHandoff: 'off' }
}

function stepped(handoff: Handoff, event: EventOf<'handoff.stepped'>): Handoff {
  const { state, deadlineAt, effect, observedAt, detail } = event
  const { act: _, effect: __, ...rest } = handoff
  return {
    ...rest,
    ...{ state, stateAt: observedAt, deadlineAt },
    ...(effect === undefined ? {} : { effect }),
    ...(state === 'rolling_back' && detail !== undefined ? { because: detail } : {}),
    ...(state === 'starting' && ENDING.includes(handoff.method) ? { hasEndedOld: true as const } : {}),
    ...cycleAt(handoff, state, detail),
  }
}

/** One that only lends the work, or clears a context, ends nobody. */
const ENDING: readonly Handoff['method'][] = ['kill_spawn', 'runtime_switch']

/** Known when it is first asked to rest; a cycle asks for that more than once. */
function restAt({ lifecycle, handoff }: AgentRecord, { state }: EventOf<'handoff.stepped'>): Partial<Handoff> {
  const isFirst = handoff?.state === 'proposed' || handoff?.state === 'awaiting_approval'
  return isFirst && state === 'resting' && lifecycle === 'idle' ? { wasAtRest: true } : {}
}

function cycleAt({ cycle }: Handoff, state: Handoff['state'], detail: string | undefined): Partial<Handoff> {
  if (cycle === undefined) return {}
  const tries = { ...cycle.tries, [state]: (cycle.tries[state] ?? 0) + 1 }
  return { cycle: { ...cycle, tries }, ...(detail === undefined ? {} : { detail }) }
}

function end(agent: AgentRecord, handoff: Handoff, event: EventOf<'handoff.ended'>): AgentRecord {
  const { result, detail, observedAt, at, judgeAt, stopped, successor, successorGeneration, untold } = event
  const { handoff: _, handoffs = [], documentLook: ____, ...rest } = agent
  const { act: __, effect: ___, ...kept } = handoff
  const over: Handoff = {
    ...kept,
    state: result,
    stateAt: observedAt,
    endedAt: observedAt,
    endedWallAt: at,
    detail: detail.slice(0, 400),
    ...(judgeAt === undefined ? {} : { judgeAt }),
    ...(successor === undefined ? {} : { successor }),
    ...(successorGeneration === undefined ? {} : { successorGeneration }),
    ...(untold === undefined ? {} : { untold }),
  }
  const wanted = stopped === undefined ? {} : { wanted: 'stop' as const, stopped: { ...stopped, wallAt: at } }
  return { ...rest, ...wanted, handoffs: [...handoffs, over].slice(-HANDOFFS_KEPT) }
}

function loanOf({ to, handoff, deadlineAt, observedAt: at }: EventOf<'handoff.lent'>): Loan {
  return { to, handoff, at, deadlineAt }
}

function returned(agent: AgentRecord, { handoff }: EventOf<'handoff.returned'>): AgentRecord {
  const { lent, ...rest } = agent
  return lent?.handoff === handoff ? rest : agent
}

function judged(agent: AgentRecord, { handoff: id, outcome }: EventOf<'handoff.judged'>): AgentRecord {
  const handoffs = (agent.handoffs ?? []).map((each) => (each.id === id ? withOutcome(each, outcome) : each))
  return { ...agent, handoffs }
}

function withOutcome(handoff: Handoff, outcome: EventOf<'handoff.judged'>['outcome']): Handoff {
  const { judgeAt: _, ...rest } = handoff
  return { ...rest, outcome }
}

type Asked = Pick<AgentRecord, 'handoff' | 'errand'>

/** An act that the hand-off asked for is under way: on its own agent, or on the specialist that is to help. */
export function actBegun({ handoff, errand }: AgentRecord, { act }: EventOf<'act.decided'>): Asked {
  const { kind, decidedAt } = act
  if (act.handoff === undefined) return kept({ handoff, errand })
  if (act.handoff === handoff?.id) return kept({ handoff: { ...handoff, act: { kind, decidedAt } }, errand })
  return kept({ handoff, errand: { handoff: act.handoff, kind, decidedAt } })
}

export function actOver({ handoff, errand, act }: AgentRecord, event: EventOf<'act.ended'>): Asked {
  const { result, detail, observedAt: endedAt } = event
  const ending = { result, endedAt, ...(detail === undefined ? {} : { detail: detail.slice(0, 1200) }) }
  if (act?.handoff === undefined) return kept({ handoff, errand })
  if (act.handoff === handoff?.id && handoff.act !== undefined) {
    return kept({ handoff: { ...handoff, act: { ...handoff.act, ...ending } }, errand })
  }
  const isErrand = errand?.handoff === act.handoff && errand.decidedAt === act.decidedAt
  return kept({ handoff, errand: isErrand ? { ...errand, ...ending } : errand })
}

function kept({ handoff, errand }: { handoff: Handoff | undefined; errand: Errand | undefined }): Asked {
  return { ...(handoff === undefined ? {} : { handoff }), ...(errand === undefined ? {} : { errand }) }
}

/** The snapshot that was taken on the way. */
export function salvagedBy({ handoff }: AgentRecord, ref: string): Pick<AgentRecord, 'handoff'> {
  return handoff === undefined || handoff.state !== 'stopping' ? {} : { handoff: { ...handoff, salvage: ref } }
}
