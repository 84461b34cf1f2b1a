/** An agent's tasks as they are shown: how far it is, what comes next, and which model each is for. */
import type { AgentRecord } from '../../contract/records.ts'
import type { RoutingSettings } from '../../contract/settings.ts'
import type { AgentTasks, TaskProgressView, TasksView } from '../../contract/tasks.ts'
import { routeOf } from '../routing/route.ts'
import { currentTask } from './current-task.ts'
import { nextTask, workOf } from './next-task.ts'

/** With the complexity of what it does now, or does next. */
export function ratedTasks(kept: AgentTasks, routing: RoutingSettings): AgentTasks {
  const current = currentTask(kept.tasks)
  const route =
    current === undefined ? nextTask(kept.tasks, routing)?.route : routeOf(workOf(current, kept.tasks), routing)
  return route === undefined ? kept : { ...kept, complexity: route.complexity }
}

export function progressView(kept: AgentTasks, routing: RoutingSettings): TaskProgressView {
  const { source, why, counts, tasks } = kept
  const current = currentTask(kept.tasks)
  const next = nextTask(tasks, routing, current)
  return {
    ...(source === undefined ? {} : { source }),
    ...(why === undefined ? {} : { why }),
    counts,
    total: counts.open + counts.in_progress + counts.blocked + counts.closed,
    ...(current === undefined ? {} : { current: { id: current.id, title: current.title } }),
    ...(next === undefined
      ? {}
      : {
          next: {
            id: next.task.id,
            title: next.task.title,
            complexity: next.route.complexity,
            model: next.route.model,
            runtime: next.route.runtime,
          },
        }),
  }
}

const NOT_LOOKED = 'its tasks have not been looked at yet'

export function tasksView({ id, tasks: kept }: Pick<AgentRecord, 'id' | 'tasks'>, routing: RoutingSettings): TasksView {
  const seen = kept ?? { why: NOT_LOOKED, counts: { open: 0, in_progress: 0, blocked: 0, closed: 0 }, tasks: [] }
  return {
    agent: id,
    ...progressView(seen, routing),
    tasks: seen.tasks.map((task) => {
      const { complexity, decidedBy, model, runtime } = routeOf(workOf(task, seen.tasks), routing)
      return { ...task, route: { complexity, decidedBy, model, runtime } }
    }),
  }
}
