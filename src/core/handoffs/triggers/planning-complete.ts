/**
 * The plan is done: its task is closed; without such a task its file is complete or plan mode was left. Where all signals
 * are asked for, every one of them must speak.
 */
import type { HandoffTask } from '../../../contract/handoff-context.ts'
import { tasksWith } from './task-words.ts'
import { fact, isSameModel, title, type Rule, type Trigger, type TriggerFacts } from './trigger.ts'

export const planningComplete: Rule = (facts, rules) => {
  const { enabled, from, to } = rules.settings.planningComplete
  const { agent } = facts
  if (!enabled || agent.specialist !== undefined) return undefined
  if (!isSameModel(agent.model, from, rules) || isSameModel(agent.model, to, rules)) return undefined
  const evidence = signals(facts, rules.settings.planningComplete)
  if (evidence === undefined) return undefined
  return {
    trigger: 'planning_complete',
    to: { model: to },
    reason: `The plan is done (${evidence.map(({ what }) => what).join(', ')}), so ${to} can build it.`,
    evidence,
    key: `planning_complete:${evidence.map(({ value }) => value).join(',')}`.slice(0, 300),
  }
}

type Signals = { taskWords: readonly string[]; planFile: boolean; exitPlanMode: boolean; mode: 'any' | 'all' }

function signals(
  { tasks = [], closed: own = [], plan = {} }: TriggerFacts,
  wanted: Signals,
): Trigger['evidence'] | undefined {
  const planTasks = [...new Set(wanted.taskWords.flatMap((word) => tasksWith(word, tasks)))]
  const isClosed = planTasks.length > 0 && planTasks.every(({ state }) => state === 'closed')
  const byTask = isClosed && planTasks.some(({ id }) => own.includes(id))
  const file = wanted.planFile && plan.file?.isComplete === true ? plan.file.path : undefined
  const isLeft = wanted.exitPlanMode && plan.exitPlanMode === true
  const said = [
    ...(byTask ? planTasks.map(closed) : []),
    ...(file === undefined ? [] : [fact('plan file complete', file)]),
    ...(isLeft ? [fact('plan mode left', 'ExitPlanMode accepted')] : []),
  ]
  if (wanted.mode === 'all') {
    const isMissing =
      (wanted.taskWords.length > 0 && !byTask) ||
      (wanted.planFile && file === undefined) ||
      (wanted.exitPlanMode && !isLeft)
    return isMissing || said.length === 0 ? undefined : said
  }
  // An open plan task says more than a file that is there already.
  return said.length === 0 || (planTasks.length > 0 && !isClosed) ? undefined : said
}

function closed(task: HandoffTask) {
  return fact('plan task closed', `${task.id} ${title(task.title)}`)
}

const ISSUE = /^[a-z0-9][a-z0-9_-]*$/

/** Where the plan of an issue lies in its workspace. */
export function planFilePath(issue: string): string | undefined {
  return ISSUE.test(issue) ? `docs/prds/active/${issue}-plan.md` : undefined
}

/** A plan that can be built from: it has headings and steps, and does not end within a fence or a sentence that begins one. */
export function isWholePlan(text: string): boolean {
  const lines = text.slice(0, 200_000).split(/\r\n?|\n/)
  const count = (pattern: RegExp) => lines.filter((line) => pattern.test(line)).length
  const isOpen = count(/^ {0,3}(?:`{3,}|~{3,})/) % 2 === 1
  const last = lines.findLast((line) => line.trim() !== '') ?? ''
  return count(/^#{1,6} \S/) >= 2 && count(/^\s*(?:[-*+]|\d+[.)]|\|) ?\S/) >= 2 && !isOpen && !/^#{1,6} |:$/.test(last)
}
