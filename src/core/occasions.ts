/**
 * The occasions for which an agent's work should pass to other hands, the first one first: facts of its record are put
 * before the triggers (handoffs/triggers), and what they say becomes the wish for a hand-off. Nothing is decided here.
 */
import type { AgentRecord } from '../contract/records.ts'
import type { Settings } from '../contract/settings.ts'
import { MINUTE } from './durations.ts'
import { fingerprint } from './fingerprint.ts'
import { firstTrigger } from './handoffs/triggers/first-trigger.ts'
import { isSameModel, type Trigger, type TriggerFacts, type TriggerRules } from './handoffs/triggers/trigger.ts'
import type { HandoffWish } from './handoffs/hand-offs.ts'
import { currentDoing } from './health/judge.ts'
import { contextFill, cycleThreshold } from './policies/context.ts'
import { tierOf } from './routing/tiers.ts'
import { nextTask } from './tasks/next-task.ts'

export interface Moment {
  now: number
  settings: Pick<Settings, 'handoffs' | 'routing'>
  /** That it is stuck, where that is known by now. */
  health?: TriggerFacts['health']
}

export interface Occasion {
  trigger: Trigger
  wish: HandoffWish
  /** The target is the model that it has: it only has to go on. */
  isItself: boolean
  /** What it has to wait for, in words. */
  waits?: string
}

/** One after the other, so that one that cannot be is left for the next. */
export function* occasionsOf(agent: AgentRecord, moment: Moment): Generator<Occasion> {
  // Asked with every report: of most agents there is nothing to go by.
  if (moment.health === undefined && agent.signals === undefined && agent.gauges === undefined) return
  const rules = rulesOf(moment.settings)
  const skipped = new Set<string>()
  const facts = triggerFacts(agent, moment, skipped)
  for (let found = firstTrigger(facts, rules); found !== undefined; found = firstTrigger(facts, rules)) {
    const isItself = 'model' in found.to && isSameModel(agent.model, found.to.model, rules)
    const wish = wishOf(agent, found, facts)
    const waits = URGENT.includes(found.trigger) ? {} : waitsFor(agent, found)
    if (!wasRefused(agent, wish)) yield { trigger: found, wish, isItself, ...waits }
    skipped.add(found.key)
  }
}

const URGENT: readonly Trigger['trigger'][] = ['context_limit', 'stuck_escalation']

/** Nothing is cut short where nothing is wrong with it; and what it still works on may settle what a specialist is for. */
function waitsFor(agent: AgentRecord, { to }: Trigger): Pick<Occasion, 'waits'> {
  if ('specialist' in to && agent.lifecycle !== 'idle') return { waits: 'it waits until the agent rests' }
  return currentDoing(agent)?.doing.kind === 'tool' ? { waits: 'it waits for the end of a call' } : {}
}

/** Trouble is worth another question. */
const TROUBLE: readonly Trigger['trigger'][] = [
  ...URGENT,
  'test_failure',
  'security_concern',
  'merge_conflict',
  'ci_failed',
]

/** Whoever said no to these hands means it, whatever else would speak for them; of this generation. */
function wasRefused({ handoffs = [], generation, model }: AgentRecord, { trigger, to }: HandoffWish): boolean {
  if (TROUBLE.includes(trigger as Trigger['trigger'])) return false
  return handoffs.some(
    (past) =>
      past.state === 'refused' &&
      past.from.generation === generation &&
      past.to.specialist === to.specialist &&
      past.to.model === (to.model ?? model),
  )
}

export function rulesOf({ handoffs, routing }: Moment['settings']): TriggerRules {
  return { settings: handoffs, tierOf: (model) => tierOf(model, routing.tiers) }
}

export function triggerFacts(
  agent: AgentRecord,
  { now, settings, health }: Moment,
  skipped: ReadonlySet<string> = new Set(),
): TriggerFacts {
  const { id, generation, model, kind, signals = {}, occasions = [], gauges } = agent
  const { tests, conflict, reports = [], closed = [] } = signals
  const ci = reports.findLast(({ about }) => about === 'ci')
  return {
    agent: { id, generation, model, ...(kind === 'specialist' ? { specialist: id } : {}) },
    ...tasksOf(agent, settings),
    closed: closed.map((task) => task.id),
    plan: {
      ...(signals.planFile === undefined ? {} : { file: { path: signals.planFile, isComplete: true } }),
      exitPlanMode: signals.planLeft === true,
    },
    ...(tests === undefined ? {} : { testRuns: tests }),
    reports: reports.filter(({ about }) => about !== 'ci'),
    ...(conflict === undefined ? {} : { conflict: { files: conflict } }),
    ...(ci === undefined || ci.passed ? {} : { ci: { failed: `${ci.says ?? 'it failed'} (${ci.id})` } }),
    ...(health === undefined ? {} : { health }),
    ...contextOf(agent, { now, settings }),
    ...(gauges?.sessionCostUsd === undefined ? {} : { costUsd: gauges.sessionCostUsd }),
    settled: { has: (key) => skipped.has(key) || occasions.includes(fingerprint(key)) },
  }
}

/** The next task is asked for only where one was done and none is under way: it is dear to find. */
function tasksOf(agent: AgentRecord, { routing }: Moment['settings']): Pick<TriggerFacts, 'tasks' | 'nextTask'> {
  const { tasks: kept, signals } = agent
  if (kept?.source === undefined) return {}
  const tasks = kept.tasks
    .filter(({ group }) => group !== true)
    .map(({ id, title, state }) => ({ id, title: title.slice(0, 300), state }))
  const isBetween = (signals?.closed ?? []).length > 0 && !tasks.some(({ state }) => state === 'in_progress')
  const next = isBetween ? nextTask(kept.tasks, routing) : undefined
  if (next === undefined) return { tasks }
  const { task, route } = next
  // Where nobody names a runtime, it stays with the one that it has; so does one that is only simulated.
  const { model, runtime: place } = agent.simulated ? route : (route.instead ?? route)
  const runtime = route.runtimeBy === 'default' || agent.simulated ? {} : { runtime: place }
  const { complexity } = route
  return { tasks, nextTask: { id: task.id, title: task.title, complexity, model, ...runtime } }
}

function contextOf(agent: AgentRecord, { now, settings }: Omit<Moment, 'health'>): Pick<TriggerFacts, 'context'> {
  const fill = contextFill(agent)
  if (fill === undefined) return {}
  return { context: { fill, threshold: cycleThreshold(agent, now, settings.handoffs.cycle).share } }
}

function wishOf(agent: AgentRecord, { trigger, to, reason, evidence, key }: Trigger, facts: TriggerFacts): HandoffWish {
  const stuckMs = trigger === 'stuck_escalation' ? facts.health?.forMs : undefined
  const done = agent.signals?.closed?.at(-1)?.id
  return {
    agent: agent.id,
    to: 'model' in to ? to : 'specialist' in to ? { specialist: to.specialist } : {},
    trigger,
    reason: reason.replace(/\.$/, ''),
    evidence: evidence.slice(0, 12).map(({ what, value }) => `${what}: ${value}`),
    key: fingerprint(key),
    by: trigger === 'stuck_escalation' ? 'escalation' : 'routing',
    isAsked: false,
    ...('fresh' in to ? { method: 'context_cycle' as const } : {}),
    ...(trigger === 'task_complete' && facts.nextTask !== undefined ? { task: facts.nextTask.id } : {}),
    context: {
      ...(stuckMs === undefined ? {} : { stuckMinutes: Math.floor(stuckMs / MINUTE) }),
      ...(done !== undefined && OF_TASKS.includes(trigger) ? { beadsTaskCompleted: done } : {}),
    },
  }
}

const OF_TASKS: readonly Trigger['trigger'][] = ['task_complete', 'planning_complete', 'implementation_complete']
