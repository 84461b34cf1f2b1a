/** Which task comes next when one is done, and who should do it. Nothing is decided here: a proposal is made elsewhere. */
import type { RoutingSettings } from '../../contract/settings.ts'
import type { Task, WorkRoute } from '../../contract/tasks.ts'
import type { Work } from '../routing/complexity.ts'
import { routeOf } from '../routing/route.ts'
import { ancestorsOf } from './own-tasks.ts'

export interface Suggestion {
  task: Task
  route: WorkRoute
}

/**
 * The most urgent task that is open, that nothing blocks and that is no group; of several the first in the list. After
 * a task the others of the same group come first. Undefined when nothing is left that can be begun.
 */
export function nextTask(
  tasks: readonly Task[],
  settings: RoutingSettings,
  after?: Pick<Task, 'parent'>,
): Suggestion | undefined {
  const ready = tasks.filter((task) => task.state === 'open' && task.group !== true)
  const siblings = ready.filter(({ parent }) => parent !== undefined && parent === after?.parent)
  const [task] = (siblings.length > 0 ? siblings : ready).toSorted((a, b) => urgency(a) - urgency(b))
  return task === undefined ? undefined : { task, route: routeOf(workOf(task, tasks), settings) }
}

const USUAL_PRIORITY = 2

function urgency({ priority }: Task): number {
  return priority ?? USUAL_PRIORITY
}

/** A task with what stands above it in its list. */
export function workOf(task: Task, tasks: readonly Task[]): Work {
  const { title, tags, complexity, files, suggestedModel } = task
  const ancestors = ancestorsOf(task, new Map(tasks.map((each) => [each.id, each])))
  return { title, tags, complexity, files, suggestedModel, ancestors }
}
