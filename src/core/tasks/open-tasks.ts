/** What is left of an issue that its agent could do now, and how often the agent was told so while it rested. */
import type { TaskReminders } from '../../contract/finished.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Task } from '../../contract/tasks.ts'

/** After so many it is a person's turn. */
export const MAX_REMINDERS = 3
/** As the policy signs what it proposes. */
export const REMINDER = 'open tasks'

/**
 * Open, blocked by nothing and given to nobody else. Of an agent of an issue only: the list of a project is everybody's,
 * and a person's own session is told nothing.
 */
export function openTasksOf({ id, kind, adopted, tasks }: AgentRecord): readonly Task[] {
  if (kind !== 'issue' || adopted !== undefined || tasks?.source === undefined) return []
  return tasks.tasks.filter(
    ({ group, state, blockedBy, assignee = id }) =>
      group !== true && (state === 'open' || state === 'in_progress') && blockedBy.length === 0 && assignee === id,
  )
}

/** What counts now: a task that was closed since is progress, and begins it anew. */
export function remindersOf({ taskReminders, tasks }: AgentRecord): TaskReminders {
  const closed = tasks?.counts.closed ?? 0
  return taskReminders === undefined || closed > taskReminders.closed ? { times: 0, closed } : taskReminders
}

/** «Secure the door» (t-3), … */
export function tasksInWords(tasks: readonly Task[], most = 3): string {
  const named = tasks.slice(0, most).map(({ id, title }) => (title === '' ? id : `«${title}» (${id})`))
  const more = tasks.length - named.length
  return more > 0 ? `${named.join(', ')} and ${more} more` : named.join(', ')
}
