/** An agent's work: its tasks and whom they are for, its cost, the state of its repository, what was salvaged of it, and bringing that back. */
import * as z from 'zod'
import { costView } from '../contract/cost-views.ts'
import { ID_PATTERN } from '../contract/ids.ts'
import { routeView, tasksView } from '../contract/tasks.ts'
import { acceptedView } from '../contract/views.ts'
import { gitView, restoreBody, salvagesView, type RestoreBody, type SalvagesView } from '../contract/work-views.ts'
import { noAgent, ok, refused } from './answer.ts'
import type { ApiDeps } from './deps.ts'
import { COMMAND_REFUSALS, get, post, read, type ApiRequest } from './route.ts'
import { submit } from './submit.ts'

export const workRoutes = [
  get('/api/agents/:id/git', {
    summary: 'Branch, newest commit, dirty files, distance to the upstream, and salvages of its workspace.',
    answer: gitView,
    handler: async ({ param }, deps) => {
      const view = await deps.git(param)
      return view === undefined ? noAgent(param) : ok(view)
    },
  }),
  get('/api/agents/:id/salvages', {
    summary: 'The snapshots of its work, oldest first.',
    answer: salvagesView,
    handler: async ({ param }, deps) => {
      const view = await deps.salvages(param)
      return view === undefined ? noAgent(param) : ok(view)
    },
  }),
  get('/api/agents/:id/cost', {
    summary: "What it used by model and what that costs, held against its program's own total.",
    answer: costView,
    handler: async ({ param }, deps) => {
      const view = await deps.cost(param)
      return view === undefined ? noAgent(param) : ok(view)
    },
  }),
  read('/api/agents/:id/tasks', {
    summary: 'Its tasks by state, whom each is for, and what comes next; or why there are none.',
    answer: tasksView,
    handler: ({ param }, deps) => {
      const view = deps.tasks(param)
      return view === undefined ? noAgent(param) : ok(view)
    },
  }),
  get('/api/route', {
    summary: 'Where a task should go: its complexity by every signal, its model and its runtime.',
    query: z.strictObject({
      task: z.string().trim().min(1).max(500),
      repo: z.string().startsWith('/', 'must be an absolute path').max(4096).optional(),
      specialist: z.string().regex(ID_PATTERN, 'is not the name of a specialist').optional(),
    }),
    answer: routeView,
    handler: async ({ query }, deps) => ok(await deps.route(query)),
  }),
  post('/api/agents/:id/restore', {
    summary: 'Brings work back from a snapshot into its workspace, while nobody works there.',
    body: restoreBody,
    answer: acceptedView,
    statuses: [202],
    refusals: COMMAND_REFUSALS,
    handler: restore,
  }),
] as const

async function restore(request: ApiRequest<unknown, RestoreBody>, deps: ApiDeps) {
  const { param, body } = request
  const found = await deps.salvages(param)
  if (found === undefined) return noAgent(param)
  const one = pick(found, body.ref)
  if (one === undefined) {
    const names = found.salvages.slice(-5).map(({ name }) => name)
    const hint = names.length === 0 ? 'There is none of it.' : `There is ${names.join(', ')}.`
    return refused({ code: 'not_found', sentence: `There is no salvage «${body.ref}» of ${param}`, hint })
  }
  return submit({ type: 'agent.restore', agent: param, ...body, ref: one.ref }, request, deps)
}

/** A short name stands for a ref of the repository, else for plain files. */
function pick({ agent, salvages }: SalvagesView, name: string) {
  if (name === 'latest') return salvages.findLast(({ replaced }) => replaced === undefined)
  const whole = [name, `refs/cloister/${agent}/${name}`, `salvage/${agent}/${name}`]
  return whole.map((each) => salvages.find(({ ref }) => ref === each)).find((found) => found !== undefined)
}
