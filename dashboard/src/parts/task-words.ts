/** How far an agent is with its tasks, in a few words. */
import type { Task, TaskProgressView } from '../../../src/contract/tasks.ts'

/** «3 of 7 tasks, next: Write the tests»; without any it says so. */
export function tasksLine(tasks: TaskProgressView | undefined): string {
  if (tasks === undefined) return 'tasks not looked at yet'
  if (tasks.source === undefined) return `no task list: ${tasks.why ?? 'none was found'}`
  if (tasks.total === 0) return 'no tasks of its own'
  const { counts, total, current, next } = tasks
  const done = `${counts.closed} of ${total} ${total === 1 ? 'task' : 'tasks'}`
  if (counts.closed === total) return `${done}, all done`
  if (next !== undefined) return `${done}, next: ${next.title}`
  return current === undefined ? `${done}, the rest is blocked` : `${done}, now: ${current.title}`
}

/** More, for whoever points at it. */
export function tasksTitle(tasks: TaskProgressView | undefined): string | undefined {
  if (tasks === undefined) return undefined
  const { why, source, counts, current, next } = tasks
  if (source === undefined || tasks.total === 0) return why
  return [
    `by ${source}: ${counts.closed} closed, ${counts.in_progress} in progress, ${counts.open} open, ${counts.blocked} blocked`,
    ...(current === undefined ? [] : [`now: ${current.title}`]),
    ...(next === undefined ? [] : [`next: ${next.title}, ${next.complexity}, for ${next.model}`]),
  ].join('; ')
}

export const STATE_WORDS: Readonly<Record<Task['state'], string>> = {
  in_progress: 'in progress',
  open: 'open',
  blocked: 'blocked',
  closed: 'closed',
}
