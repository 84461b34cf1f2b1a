/** The house as a whole: its status, monitoring, the emergency stop, what happened, and the daemon itself. */
import * as z from 'zod'
import type { EventsView } from '../contract/views.ts'
import { accepted, ok } from './answer.ts'
import type { ApiDeps, EventWish } from './deps.ts'
import { get, page, post, type Route } from './route.ts'
import { submit } from './submit.ts'

export const cloisterRoutes: readonly Route[] = [
  get('/api/cloister/status', { handler: (_, deps) => ok(deps.status()) }),
  post('/api/cloister/start', { handler: (request, deps) => submit({ type: 'cloister.start' }, request, deps) }),
  post('/api/cloister/stop', { handler: (request, deps) => submit({ type: 'cloister.stop' }, request, deps) }),
  post('/api/cloister/emergency-stop', {
    body: z.strictObject({ reason: z.string().max(200).optional() }).default({}),
    handler: (request, deps) => submit({ type: 'cloister.emergency-stop', ...request.body }, request, deps),
  }),
  post('/api/cloister/resume', { handler: (request, deps) => submit({ type: 'cloister.resume' }, request, deps) }),
  get('/api/events', { query: page, handler: async ({ query }, deps) => ok(await eventsView(deps, query)) }),
  post('/api/daemon/stop', {
    handler: (_, deps) => {
      deps.stopDaemon()
      return accepted({ pid: deps.pid })
    },
  }),
]

export async function eventsView(deps: ApiDeps, wish: EventWish): Promise<EventsView> {
  const events = await deps.events(wish)
  return {
    events: events.map((event) => ({ ...event, sentence: deps.describe(event) })),
    lastSeq: events.at(-1)?.seq ?? wish.after ?? deps.lastSeq(),
  }
}
