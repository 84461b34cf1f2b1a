/** The task that is under way. */
import type { Task } from '../../contract/tasks.ts'

export function currentTask(tasks: readonly Task[]): Task | undefined {
  return tasks.find(({ state, group }) => state === 'in_progress' && group !== true)
}
