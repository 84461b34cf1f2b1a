/** What is wanted of an agent: that it is held, frozen or released, and what it should work on; and how rules have done. */
import * as z from 'zod'
import { interventionsView } from '../contract/standing.ts'
import * as views from '../contract/views.ts'
import { workReport } from '../contract/work-signals.ts'
import { ok } from './answer.ts'
import { COMMAND_REFUSALS, get, post } from './route.ts'
import { submit } from './submit.ts'

const taken = {
  answer: views.acceptedView,
  statuses: [202],
  refusals: [...COMMAND_REFUSALS, 'invalid'],
} as const

const holdBody = z
  .strictObject({
    reason: z.string().trim().min(1).max(200).optional(),
    /** Left out: a hold ends after 8 hours, a freeze when it is released. */
    until: z.iso.datetime({ offset: true }).optional(),
  })
  .default({})

function held(agent: string, state: 'hold' | 'frozen', { reason, until }: z.output<typeof holdBody>) {
  return {
    type: 'agent.hold',
    ...{ agent, state },
    ...(reason === undefined ? {} : { reason }),
    ...(until === undefined ? {} : { untilWallAt: Date.parse(until) }),
  } as const
}

export const standingRoutes = [
  post('/api/agents/:id/hold', {
    summary: 'Keeps rules away from it until an instant; people can still do what they want with it.',
    body: holdBody,
    ...taken,
    handler: (request, deps) => submit(held(request.param, 'hold', request.body), request, deps),
  }),
  post('/api/agents/:id/freeze', {
    summary: 'Lets nobody start, type to or suspend it, until it is released; only a kill goes through.',
    body: holdBody,
    ...taken,
    handler: (request, deps) => submit(held(request.param, 'frozen', request.body), request, deps),
  }),
  post('/api/agents/:id/release', {
    summary: 'Ends a hold or a freeze; one that a usage limit holds is told to go on now.',
    ...taken,
    handler: (request, deps) => submit({ type: 'agent.release', agent: request.param }, request, deps),
  }),
  post('/api/agents/:id/assign', {
    summary: 'Tells what it should work on: it is reminded while it rests, and woken when it sleeps.',
    body: z.strictObject({ what: z.string().trim().min(1).max(1000) }),
    ...taken,
    handler: (request, deps) =>
      submit({ type: 'agent.assign', agent: request.param, what: request.body.what }, request, deps),
  }),
  post('/api/agents/:id/report', {
    summary:
      'What was found of its work by tests, review or CI, told by a person or a build; hand-offs may follow from it.',
    body: workReport.omit({ id: true }).strict(),
    ...taken,
    handler: (request, deps) => submit({ type: 'work.report', agent: request.param, ...request.body }, request, deps),
  }),
  get('/api/stats/interventions', {
    summary: 'How automatic acts have done, by kind: how many helped.',
    answer: interventionsView,
    handler: (_, deps) => ok(deps.interventions()),
  }),
] as const
