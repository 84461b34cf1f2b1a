/** Hand-offs: what is suggested, what is under way and what became of them; to start, approve, refuse and judge one. */
import * as z from 'zod'
import { handoffEvent, handoffSuggestion, handoffsView } from '../contract/handoff-views.ts'
import { handoffChoices, handoffDocument, handoffTimeline } from '../contract/handoff-panel-views.ts'
import { handoffMethod, handoffState, handoffTarget, handoffTrigger } from '../contract/handoffs.ts'
import { ID_PATTERN } from '../contract/ids.ts'
import { acceptedView } from '../contract/views.ts'
import { noAgent, ok, refused } from './answer.ts'
import { timelineOf } from './handoff-timeline.ts'
import { COMMAND_REFUSALS, get, post, read } from './route.ts'
import { submit } from './submit.ts'

const taken = {
  answer: acceptedView,
  statuses: [202],
  refusals: [...COMMAND_REFUSALS, 'invalid'],
} as const

const startBody = z.strictObject({
  toModel: handoffTarget.shape.model,
  toRuntime: handoffTarget.shape.runtime,
  toSpecialist: handoffTarget.shape.specialist,
  /** Left out: what the target asks for. A context cycle has no target. */
  method: handoffMethod.optional(),
  reason: z.string().trim().min(1).max(400).optional(),
  /** Only proposed: it waits for a yes. */
  ask: z.literal(true).optional(),
})

const listQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).default(50),
  /** A date, or an instant. */
  since: z.iso.datetime({ offset: true }).or(z.iso.date()).optional(),
  agent: z.string().regex(ID_PATTERN).optional(),
  issue: z.string().regex(ID_PATTERN).optional(),
  trigger: handoffTrigger.optional(),
  method: handoffMethod.optional(),
  /** A state, or `open` for all that are not over. */
  state: z.enum([...handoffState.options, 'open']).optional(),
})

export const handoffRoutes = [
  get('/api/agents/:id/handoff/suggestion', {
    summary: 'Whether its work should pass to another model, to which, why, and at what price.',
    answer: handoffSuggestion,
    handler: ({ param }, deps) => {
      const view = deps.handoffSuggestion(param)
      return view === undefined ? noAgent(param) : ok(view)
    },
  }),
  get('/api/agents/:id/handoff/choices', {
    summary: 'Who could take its work over: models with their price, runtimes, the next tier up and down.',
    answer: handoffChoices,
    handler: ({ param }, deps) => {
      const view = deps.handoffChoices(param)
      return view === undefined ? noAgent(param) : ok(view)
    },
  }),
  post('/api/agents/:id/handoff/auto', {
    summary: 'Whether rules may hand its work over; people always may.',
    body: z.strictObject({ on: z.boolean() }),
    ...taken,
    handler: (request, deps) =>
      submit({ type: 'handoff.auto', agent: request.param, on: request.body.on }, request, deps),
  }),
  post('/api/agents/:id/handoff/back', {
    summary: 'Has the specialist that its work is lent to give it back.',
    body: z.strictObject({ reason: z.string().trim().min(1).max(400).optional() }).default({}),
    ...taken,
    handler: (request, deps) =>
      submit({ type: 'handoff.back', agent: request.param, reason: request.body.reason }, request, deps),
  }),
  post('/api/agents/:id/handoff', {
    summary: 'Hands its work to another model: it saves, is ended, and its successor must show that it goes on.',
    body: startBody,
    ...taken,
    handler: async (request, deps) => {
      const { toModel, toRuntime, toSpecialist, method, reason, ask } = request.body
      const to = {
        ...(toModel === undefined ? {} : { model: toModel }),
        ...(toRuntime === undefined ? {} : { runtime: toRuntime }),
        ...(toSpecialist === undefined ? {} : { specialist: toSpecialist }),
      }
      const barred = method === 'context_cycle' ? undefined : await deps.handoffCheck({ agent: request.param, to })
      if (barred !== undefined) return refused(barred)
      return submit({ type: 'handoff.start', agent: request.param, to, method, reason, ask }, request, deps)
    },
  }),
  read('/api/issues/:id/handoffs', {
    summary: 'The hand-offs of an issue, the newest first, with both rates.',
    answer: handoffsView,
    refusals: ['not_found'],
    handler: ({ param }, deps) => {
      if (Object.values(deps.agents()).some((list) => list.some(({ issue }) => issue === param))) {
        return ok(deps.handoffs({ limit: 500, issue: param }))
      }
      const hint = 'List the agents with `pan agents list`.'
      return refused({ code: 'not_found', sentence: `No agent works on the issue ${param}`, hint })
    },
  }),
  read('/api/handoffs', {
    summary: 'The hand-offs of all agents, the newest first: how many were done, and how many helped.',
    query: listQuery,
    answer: handoffsView,
    handler: ({ query: { since, ...wishes } }, deps) =>
      ok(deps.handoffs({ ...wishes, ...(since === undefined ? {} : { sinceWallAt: Date.parse(since) }) })),
  }),
  read('/api/handoffs/:id', {
    summary: 'One hand-off.',
    answer: handoffEvent,
    refusals: ['not_found'],
    handler: ({ param }, deps) => {
      const view = deps.handoff(param)
      return view === undefined ? noHandoff(param) : ok(view)
    },
  }),
  read('/api/handoffs/:id/timeline', {
    summary: 'How a hand-off went on, step by step, oldest first.',
    answer: handoffTimeline,
    refusals: ['not_found'],
    handler: async ({ param }, deps) => {
      const view = deps.handoff(param)
      return view === undefined ? noHandoff(param) : ok(await timelineOf(view, deps))
    },
  }),
  get('/api/handoffs/:id/document', {
    summary: 'What the successor was given to read. It holds words of agents: plain text, to be trusted by nobody.',
    answer: handoffDocument,
    refusals: ['not_found'],
    handler: ({ param }, deps) => {
      const view = deps.handoff(param)
      if (view === undefined) return noHandoff(param)
      const document = deps.handoffDocument(view)
      if (document !== undefined) return ok(document)
      const sentence = `Nothing is there that was written down for the successor of hand-off ${param}`
      return refused({ code: 'not_found', sentence, hint: 'See how far it came with `pan handoff show`.' })
    },
  }),
  post('/api/handoffs/:id/approve', {
    summary: 'Says yes to a hand-off that waits.',
    ...taken,
    handler: (request, deps) => submit({ type: 'handoff.approve', handoff: request.param }, request, deps),
  }),
  post('/api/handoffs/:id/refuse', {
    summary: 'Says no to a hand-off that waits, or that has ended nothing yet: then the agent is told to go on.',
    body: z.strictObject({ reason: z.string().trim().min(1).max(200).optional() }).default({}),
    ...taken,
    handler: (request, deps) =>
      submit({ type: 'handoff.refuse', handoff: request.param, reason: request.body.reason }, request, deps),
  }),
  post('/api/handoffs/:id/judge', {
    summary: 'Says whether a hand-off that was done has helped.',
    body: z.strictObject({ recovered: z.enum(['yes', 'no']), notes: z.string().trim().min(1).max(400).optional() }),
    ...taken,
    handler: (request, deps) =>
      submit({ type: 'handoff.judge', handoff: request.param, ...request.body }, request, deps),
  }),
] as const

function noHandoff(id: string) {
  const hint = 'List them with `pan handoff list`.'
  return refused({ code: 'not_found', sentence: `There is no hand-off ${id}`, hint })
}
