/**
 * An agent whose context is nearly full begins anew in an empty one, from its own document: at 85 % of what its model can
 * use, by default, or earlier between two tasks when that is forecast within the next one. One that failed is tried again
 * after waits that grow, and so is one that is full again within the hour; several agents never begin at the same moment.
 */
import type { Handoff } from '../../contract/handoffs.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Settings } from '../../contract/settings.ts'
import type { Task } from '../../contract/tasks.ts'
import { HOUR, MINUTE, SECOND } from '../durations.ts'
import {
  earlyCycle,
  forecastCycle,
  thresholdNow,
  usableWindow,
  type Forecast,
  type Threshold,
} from '../handoffs/forecast.ts'

/** Between the beginnings of two cycles, of whichever agents. */
export const STAGGER_MS = 30 * SECOND
/** After one that came to nothing; doubled with each one more in a row. */
const AGAIN_MS = 10 * MINUTE
const LONGEST_MS = 2 * HOUR

type CycleSettings = Settings['handoffs']['cycle']

/** Share of the usable window, 0 to 1 and beyond; undefined where the window is not known. */
export function contextFill({ gauges }: Pick<AgentRecord, 'gauges'>): number | undefined {
  const { tokens, window } = gauges?.context ?? {}
  return tokens === undefined || window === undefined ? undefined : tokens / usableWindow(window)
}

export interface CycleOutlook extends Forecast, Threshold {}

/** How full it is, from when on it cycles, and when that will be. */
export function cycleOutlook(agent: AgentRecord, now: number, settings: CycleSettings): CycleOutlook | undefined {
  const { window, tokens } = agent.gauges?.context ?? {}
  if (window === undefined || tokens === undefined) return undefined
  const threshold = cycleThreshold(agent, now, settings)
  const fills = agent.fills ?? [{ at: now, tokens }]
  const forecast = forecastCycle(fills, { window, threshold: threshold.share, now })
  return forecast === undefined ? undefined : { ...forecast, ...threshold }
}

/** Those that were done of late raise it. */
export function cycleThreshold(agent: AgentRecord, now: number, settings: CycleSettings): Threshold {
  return thresholdNow(settings, cyclesOf(agent).filter(isDone).map(begunAt), now)
}

export interface ContextCase {
  agent: AgentRecord
  now: number
  settings: CycleSettings
  /** When a cycle of any agent last began. */
  lastBegunAt: () => number | undefined
}

export type ContextAdvice = { want: 'nothing'; wakeAt?: number } | { want: 'cycle'; reason: string }

const NOTHING: ContextAdvice = { want: 'nothing' }

export function contextAdvice({ agent, now, settings, lastBegunAt }: ContextCase): ContextAdvice {
  const outlook = settings.enabled ? cycleOutlook(agent, now, settings) : undefined
  if (outlook === undefined || !hasWork(agent)) return NOTHING
  const reason = reasonFor(agent, outlook, now)
  if (reason === undefined) return NOTHING
  const freeAt = Math.max(againAt(agent, now), (lastBegunAt() ?? -Infinity) + STAGGER_MS)
  return now < freeAt ? { want: 'nothing', wakeAt: freeAt } : { want: 'cycle', reason }
}

/** Of one that rests and has nothing left to do, an empty context would only lose what it knows. */
function hasWork({ lifecycle, assignment, tasks }: AgentRecord): boolean {
  if (lifecycle === 'active') return true
  return lifecycle === 'idle' && (assignment !== undefined || (tasks?.tasks ?? []).some(isWaiting))
}

function reasonFor(agent: AgentRecord, outlook: CycleOutlook, now: number): string | undefined {
  const { fill, share } = outlook
  if (fill >= share) return `its context is ${percent(fill)} full, and from ${percent(share)} on it begins a fresh one`
  const tasks = agent.tasks?.tasks ?? []
  const isBetweenTasks = tasks.some(isWaiting) && !tasks.some(({ state }) => state === 'in_progress')
  const taskTimesMs = timesOf(tasks)
  const early = earlyCycle({ forecast: outlook, threshold: share, isBetweenTasks, taskTimesMs, now })
  return early === undefined ? undefined : `its context is ${percent(fill)} full. ${early.replace(/\.$/, '')}`
}

function isWaiting({ state, group, blockedBy }: Task): boolean {
  return state === 'open' && group !== true && blockedBy.length === 0
}

/** From the end of one to the end of the next. */
function timesOf(tasks: readonly Task[]): number[] {
  const ends = tasks
    .flatMap(({ state, changedWallAt }) => (state === 'closed' && changedWallAt !== undefined ? changedWallAt : []))
    .toSorted((a, b) => a - b)
  return ends.slice(1).map((end, k) => end - (ends[k] ?? end))
}

/** When the next one may begin, after those that came to nothing, or that did not last. */
function againAt(agent: AgentRecord, now: number): number {
  const cycles = cyclesOf(agent)
  const failed = cycles.length - 1 - cycles.findLastIndex(isDone)
  // The first one more within an hour only raises the threshold; an agent that is full again at once is not helped by more.
  const brief = cycles.filter((each) => isDone(each) && begunAt(each) > now - HOUR).length - 1
  const last = cycles.at(-1)
  const inVain = Math.max(failed, brief)
  if (inVain <= 0 || last === undefined) return -Infinity
  return (last.endedAt ?? last.startedAt) + Math.min(LONGEST_MS, AGAIN_MS * 2 ** (inVain - 1))
}

function cyclesOf({ handoffs = [] }: AgentRecord): Handoff[] {
  return handoffs.filter(({ cycle }) => cycle !== undefined)
}

function isDone({ state }: Handoff): boolean {
  return state === 'done'
}

function begunAt({ startedAt }: Handoff): number {
  return startedAt
}

/** Never shown as more than it is: 84.96 % are not 85. */
export function percent(share: number): string {
  return `${percentOf(share)} %`
}

export function percentOf(share: number): number {
  return Math.floor(share * 1000 + 1e-9) / 10
}
