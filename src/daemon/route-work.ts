/** Where a piece of work should go, by all that is known of it: its task where there is one, else its title and prompt. */
import type { ApiDeps, Chosen, Choosing } from '../api/deps.ts'
import type { RoutingSettings } from '../contract/settings.ts'
import type { RouteView, Task } from '../contract/tasks.ts'
import { SECOND } from '../core/durations.ts'
import { countFilesNamedIn } from '../core/routing/files-named.ts'
import { unknownModel, type Known } from '../core/routing/known-models.ts'
import { routeOf } from '../core/routing/route.ts'
import { nextTask, workOf } from '../core/tasks/next-task.ts'
import { ownTasks } from '../core/tasks/own-tasks.ts'
import type { TaskDesk } from './task-desk.ts'

/** Somebody waits for the answer, and tasks seldom change. */
const FRESH_MS = 10 * SECOND

type Desk = Pick<TaskDesk, 'look'>

/** For an agent that is started without a model. */
export async function chooseFor(work: Choosing, routing: RoutingSettings, desk: Desk): Promise<Chosen> {
  const { title = '', prompt = '', issue, agent, specialist, workspace } = work
  const { found } = await desk.look({ workspace, list: issue ?? agent }, FRESH_MS)
  const begun = found.flatMap(({ source, tasks }) => {
    const own = source.shared ? ownTasks(tasks, { id: agent, kind: 'issue', issue }) : [...tasks]
    const task = firstOf(own, routing, issue)
    return task === undefined ? [] : [{ task, own }]
  })[0]
  const known = begun === undefined ? { title, files: countFilesNamedIn(prompt) } : workOf(begun.task, begun.own)
  const { model, runtime, runtimeBy, why, instead } = routeOf(known, routing, specialist)
  const isNamed = runtimeBy === 'route' || runtimeBy === 'specialist'
  const about = begun === undefined ? '' : `by its task ${begun.task.id} «${begun.task.title}», `
  if (instead !== undefined) {
    return { model: instead.model, runtime: instead.runtime, why: `${about}${why} But ${instead.why}.` }
  }
  return { model, ...(isNamed ? { runtime } : {}), why: `${about}${why}` }
}

/** The task of the issue's own name, else the first of its tasks that can be begun, else the group of its name. */
function firstOf(own: readonly Task[], routing: RoutingSettings, issue: string | undefined): Task | undefined {
  const named = own.find(({ id }) => id.toLowerCase() === issue)
  return named?.group === true ? (nextTask(own, routing)?.task ?? named) : (named ?? nextTask(own, routing)?.task)
}

/** For a person who asks. */
export async function explainRoute(
  { task: asked, repo, specialist }: Parameters<ApiDeps['route']>[0],
  routing: RoutingSettings,
  desk: Desk,
): ReturnType<ApiDeps['route']> {
  const looked = repo === undefined ? undefined : await desk.look({ workspace: repo }, FRESH_MS)
  const hit = looked?.found
    .map(({ source, tasks }) => ({ source, tasks, task: taskNamed(tasks, asked) }))
    .find(({ task }) => task !== undefined)
  const about =
    hit?.task === undefined
      ? { kind: 'title' as const, title: asked }
      : { kind: 'task' as const, id: hit.task.id, title: hit.task.title }
  const work = hit?.task === undefined ? { title: asked, files: countFilesNamedIn(asked) } : workOf(hit.task, hit.tasks)
  const whyNone = looked === undefined ? ['no folder was named'] : [...looked.failed, ...looked.missing]
  const noTasks =
    looked !== undefined && looked.found.length > 0 ? 'no task there has this id or title' : whyNone.join('; ')
  return {
    about,
    ...(hit === undefined ? { noTasks } : { source: hit.source.kind }),
    ...(specialist === undefined ? {} : { specialist }),
    ...routeOf(work, routing, specialist),
  }
}

/** What is promised can be had, or it is said why not. */
export function withRefusal(known: Known, route: RouteView): RouteView {
  const { model, runtime } = route.instead ?? route
  const refusal = unknownModel(known, { model, runtime })
  return refusal === undefined ? route : { ...route, refused: `${refusal.sentence}. ${refusal.hint}` }
}

function taskNamed(tasks: readonly Task[], asked: string): Task | undefined {
  const name = asked.trim().toLowerCase()
  return tasks.find(({ id }) => id.toLowerCase() === name) ?? tasks.find(({ title }) => title.toLowerCase() === name)
}
