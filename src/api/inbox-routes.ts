/** What only a person can settle, and who finished and is to be looked at. */
import * as z from 'zod'
import { finishedListView } from '../contract/finished.ts'
import * as views from '../contract/views.ts'
import { ok } from './answer.ts'
import { COMMAND_REFUSALS, post, read } from './route.ts'
import { submit } from './submit.ts'

const taken = { answer: views.acceptedView, statuses: [202], refusals: COMMAND_REFUSALS } as const

export const inboxRoutes = [
  read('/api/finished', {
    summary: 'Who finished and was not looked at since: what was changed, the last tests, what it cost.',
    answer: finishedListView,
    handler: async (_, deps) => ok({ finished: await deps.finished() }),
  }),
  post('/api/agents/:id/seen', {
    summary: 'Takes it off the list of those who finished: somebody has looked.',
    ...taken,
    handler: (request, deps) => submit({ type: 'agent.seen', agent: request.param }, request, deps),
  }),
  read('/api/inbox', {
    summary: 'What only a person can settle.',
    answer: views.inboxView,
    handler: (_, deps) => ok({ items: deps.status().needsYou }),
  }),
  post('/api/inbox/:id/settle', {
    summary: 'Puts an item away.',
    answer: views.acceptedView,
    statuses: [202],
    refusals: COMMAND_REFUSALS,
    handler: (request, deps) => submit({ type: 'needs-you.settle', item: request.param }, request, deps),
  }),
  post('/api/inbox/:id/answer', {
    summary: "Answers an agent's question: one of its options, or a text of one's own.",
    body: z.strictObject({ answer: z.string().trim().min(1).max(10_000) }),
    answer: views.acceptedView,
    statuses: [202],
    refusals: COMMAND_REFUSALS,
    handler: (request, deps) =>
      submit({ type: 'needs-you.answer', item: request.param, answer: request.body.answer }, request, deps),
  }),
] as const
