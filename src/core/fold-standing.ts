/** Folds what keeps an agent back or drives it on: holds, limits, restarts, work that waits, and acts yet to be judged. */
import type { AgentEvent, Event, EventOf } from '../contract/events.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { HouseRecord } from '../contract/house-record.ts'
import { EXPERIMENTS_KEPT, type Act, type Experiment } from '../contract/acts.ts'
import type { InterventionTally } from '../contract/standing.ts'
import { MINUTE } from './durations.ts'
import { foldSignal } from './signals-fold.ts'

type Standing = Extract<
  AgentEvent,
  {
    type:
      | 'intervention.judged'
      | 'agent.held'
      | 'agent.released'
      | `limit.${string}`
      | `restart.${string}`
      | `work.${string}`
  }
>

const OTHERS: readonly AgentEvent['type'][] = ['intervention.judged', 'agent.held', 'agent.released']

export function isStanding(event: AgentEvent): event is Standing {
  return OTHERS.includes(event.type) || /^(?:limit|restart|work)\./.test(event.type)
}

export function foldStanding(agent: AgentRecord, event: Standing): AgentRecord {
  switch (event.type) {
    case 'intervention.judged':
      return withoutExperiment(agent, event)
    case 'agent.held':
      return { ...agent, hold: event.hold }
    case 'agent.released':
      return without(agent, 'hold')
    case 'limit.began':
      return { ...agent, limit: event.limit }
    case 'limit.ended':
      return without(agent, 'limit')
    case 'restart.planned':
    case 'restart.exhausted':
    case 'restart.dropped':
      return { ...agent, restarts: foldRestarts(agent, event) }
    case 'work.assigned':
      return { ...agent, assignment: event.assignment }
    case 'work.begun':
      return without(agent, 'assignment')
    case 'work.signalled':
      return foldSignal(agent, event)
  }
}

/** Restarts within this time are a crash loop when there are too many. */
export const RESTART_WINDOW_MS = 15 * MINUTE

function foldRestarts(
  agent: AgentRecord,
  event: Extract<Standing, { type: `restart.${string}` }>,
): NonNullable<AgentRecord['restarts']> {
  const { recentAt = [], inARow = 0 } = agent.restarts ?? {}
  switch (event.type) {
    case 'restart.planned': {
      const recent = [...recentAt, event.observedAt].filter((at) => at > event.observedAt - RESTART_WINDOW_MS)
      const { dueAt, why } = event
      return { recentAt: recent.slice(-10), inARow: event.inARow, dueAt, why }
    }
    case 'restart.exhausted':
      return { recentAt, inARow: event.inARow, exhausted: true }
    case 'restart.dropped':
      return { recentAt, inARow }
  }
}

/** Who wanted it and how often it was done before counts for every later decision. */
export function afterDecided(agent: AgentRecord, event: EventOf<'act.decided'>): AgentRecord {
  const { act } = event
  const tried = withExperiment(without(agent, 'heldFor'), event)
  const counted = { ...tried, ...countedAs(tried, event) }
  if (act.handoff !== undefined) return withoutPlan(tried)
  if (act.precedence === 'human' && act.kind === 'kill') {
    const { by, reason } = act
    return { ...withoutPlan(counted), stopped: { by, reason, wallAt: event.at } }
  }
  if (act.kind !== 'spawn' && act.kind !== 'resume') return counted
  if (act.precedence === 'human') return without(without(without(counted, 'hold'), 'stopped'), 'restarts')
  return withoutPlan(withoutWait(counted, event.observedAt))
}

/** Its quarter of an hour does not go by while it is not there. */
function withoutWait(agent: AgentRecord, startedAt: number): AgentRecord {
  const last = agent.restarts?.recentAt.at(-1)
  if (agent.restarts?.dueAt === undefined || last === undefined) return agent
  const shifted = agent.restarts.recentAt.map((at) => at + Math.max(0, startedAt - last))
  return { ...agent, restarts: { ...agent.restarts, recentAt: shifted } }
}

function withoutPlan(agent: AgentRecord): AgentRecord {
  if (agent.restarts === undefined) return agent
  const { dueAt: _, why: __, ...counters } = agent.restarts
  return { ...agent, restarts: counters }
}

/** It counts when it is decided: one that may have happened is never repeated. */
function countedAs(agent: AgentRecord, { act, observedAt }: EventOf<'act.decided'>): Partial<AgentRecord> {
  const { limit, assignment, episode } = agent
  if (act.precedence === 'human') return {}
  if (act.kind === 'continue' && limit !== undefined) {
    return { limit: { ...limit, continuedAt: observedAt, tries: limit.tries + 1 } }
  }
  if (assignment !== undefined && tellsOfWork(act)) {
    return { assignment: { ...assignment, nudges: assignment.nudges + 1, lastNudgeAt: observedAt } }
  }
  if (act.precedence !== 'stuck' || episode === undefined) return {}
  if (act.kind === 'interrupt') return { episode: { ...episode, interruptedAt: observedAt } }
  if (act.kind === 'nudge') return { episode: { ...episode, toldAt: observedAt } }
  return act.kind === 'kill' ? { episode: { ...episode, killedAt: observedAt } } : {}
}

/** A restart of a session names what waits, too. */
function tellsOfWork({ kind, precedence }: EventOf<'act.decided'>['act']): boolean {
  return (
    (precedence === 'routing' && (kind === 'nudge' || kind === 'resume')) ||
    (precedence === 'crash' && kind === 'resume')
  )
}

/** When a limit whose continuation could not be typed is tried again, and how often. */
const AGAIN_MS = MINUTE
const MAX_CONTINUES = 3

/** What verifiably was not typed is no experiment, and may be tried again. */
export function afterEnded(agent: AgentRecord, event: EventOf<'act.ended'>): AgentRecord {
  const { act } = agent
  if (act === undefined || event.result !== 'not_done' || !TEXTS.includes(act.kind)) return agent
  const rest = withoutExperiment(agent, { act: act.kind, decidedAt: act.decidedAt })
  const { limit } = rest
  if (act.kind !== 'continue' || limit === undefined || limit.tries >= MAX_CONTINUES) return rest
  const { continuedAt: _, ...held } = limit
  return { ...rest, limit: { ...held, untilAt: event.observedAt + AGAIN_MS, untilWallAt: event.at + AGAIN_MS } }
}

const TEXTS: readonly Act['kind'][] = ['poke', 'continue', 'nudge']

function withExperiment(agent: AgentRecord, { act, n, judgeAt, observedAt }: EventOf<'act.decided'>): AgentRecord {
  if (judgeAt === undefined) return agent
  const row = { act: act.kind, ...(n === undefined ? {} : { n }), decidedAt: observedAt, judgeAt }
  return { ...agent, experiments: [...(agent.experiments ?? []), row].slice(-EXPERIMENTS_KEPT) }
}

function withoutExperiment(agent: AgentRecord, over: Pick<Experiment, 'act' | 'decidedAt'>): AgentRecord {
  const left = (agent.experiments ?? []).filter(
    ({ act, decidedAt }) => act !== over.act || decidedAt !== over.decidedAt,
  )
  return left.length === 0 ? without(agent, 'experiments') : { ...agent, experiments: left }
}

/** All automatic acts by kind, and what came of them. */
export function countIntervention(house: HouseRecord, event: Event): HouseRecord {
  if (event.type === 'act.decided') {
    return event.judgeAt === undefined ? house : counted(house, event.act.kind, 'tried')
  }
  return event.type === 'intervention.judged' ? counted(house, event.act, RESULTS[event.result]) : house
}

const RESULTS = {
  recovered: 'recovered',
  answered: 'answered',
  not_recovered: 'notRecovered',
  unknown: 'unknown',
} as const

const NONE: InterventionTally = { tried: 0, recovered: 0, answered: 0, notRecovered: 0, unknown: 0 }

function counted(house: HouseRecord, kind: Act['kind'], what: keyof InterventionTally): HouseRecord {
  const before = house.interventions?.[kind] ?? NONE
  return { ...house, interventions: { ...house.interventions, [kind]: { ...before, [what]: before[what] + 1 } } }
}

function without<K extends keyof AgentRecord>(agent: AgentRecord, key: K): Omit<AgentRecord, K> & AgentRecord {
  const { [key]: _, ...rest } = agent
  return rest as Omit<AgentRecord, K> & AgentRecord
}
