/** What only a person can settle. */
import * as z from 'zod'
import { ok } from './answer.ts'
import { get, post, type Route } from './route.ts'
import { submit } from './submit.ts'

export const inboxRoutes: readonly Route[] = [
  get('/api/inbox', { handler: (_, deps) => ok({ items: deps.status().needsYou }) }),
  post('/api/inbox/:id/settle', {
    handler: (request, deps) => submit({ type: 'needs-you.settle', item: request.param }, request, deps),
  }),
  post('/api/inbox/:id/answer', {
    body: z.strictObject({ answer: z.string().trim().min(1).max(10_000) }),
    handler: (request, deps) =>
      submit({ type: 'needs-you.answer', item: request.param, answer: request.body.answer }, request, deps),
  }),
]
