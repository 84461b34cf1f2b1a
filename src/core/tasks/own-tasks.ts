/** Which tasks of a list are an agent's, and what is kept of them: bounded, with what is left to do first. */
import type { AgentRecord } from '../../contract/records.ts'
import {
  TASK_STATES,
  TASKS_KEPT,
  type AgentTasks,
  type Task,
  type TaskCounts,
  type TaskSourceKind,
} from '../../contract/tasks.ts'

type Whose = Pick<AgentRecord, 'id' | 'kind' | 'issue'>

/** The name of the list that an agent's own program keeps: that of the issue, so that it outlives a hand-off. */
export function taskListOf({ id, issue }: Pick<AgentRecord, 'id' | 'issue'>): string {
  return issue ?? id
}

/**
 * In a list that many share: the task named like the issue and all below it, what carries the issue's name as a tag, and
 * what was given to the agent by name. An agent of a project works for the whole list, a specialist for nobody's.
 */
export function ownTasks(tasks: readonly Task[], { id, kind, issue }: Whose): Task[] {
  if (kind === 'project') return [...tasks]
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const own = new Set(
    tasks.filter(
      (task) =>
        task.assignee === id ||
        (issue !== undefined && [task, ...ancestorsOf(task, byId)].some((each) => isOfIssue(each, issue))),
    ),
  )
  // What is stated of the groups above them counts for their complexity.
  const above = [...own].flatMap((task) => ancestorsOf(task, byId)).filter(({ group }) => group === true)
  const wanted = new Set([...own, ...above])
  return tasks.filter((task) => wanted.has(task))
}

function isOfIssue({ id, tags }: Task, issue: string): boolean {
  const names = [issue, `issue:${issue}`]
  return id.toLowerCase() === issue || tags.some((tag) => names.includes(tag.toLowerCase()))
}

const DEEPEST = 10

/** The nearest first; a circle of parents ends by its depth. */
export function ancestorsOf(task: Task, byId: ReadonlyMap<string, Task>): Task[] {
  const above: Task[] = []
  let parent = task.parent === undefined ? undefined : byId.get(task.parent)
  while (parent !== undefined && above.length < DEEPEST && !above.includes(parent) && parent !== task) {
    above.push(parent)
    parent = parent.parent === undefined ? undefined : byId.get(parent.parent)
  }
  return above
}

/** As it is kept with the agent. */
export function keptTasks(source: TaskSourceKind, own: readonly Task[]): AgentTasks {
  const rank = (task: Task) => (task.group === true ? 0 : 1 + KEPT_ORDER.indexOf(task.state))
  const newestClosed = (a: Task, b: Task) =>
    a.state === 'closed' && b.state === 'closed' ? (b.changedWallAt ?? 0) - (a.changedWallAt ?? 0) : 0
  const tasks = own.toSorted((a, b) => rank(a) - rank(b) || newestClosed(a, b)).slice(0, TASKS_KEPT)
  return { source, counts: countsOf(own), tasks }
}

const KEPT_ORDER: readonly Task['state'][] = ['in_progress', 'open', 'blocked', 'closed']

export function noTasks(why: string): AgentTasks {
  return { why: why.slice(0, 400), counts: countsOf([]), tasks: [] }
}

function countsOf(tasks: readonly Task[]): TaskCounts {
  const count = (state: Task['state']) => tasks.filter((task) => task.state === state && task.group !== true).length
  return Object.fromEntries(TASK_STATES.map((state) => [state, count(state)])) as TaskCounts
}
