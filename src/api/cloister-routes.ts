/** The house as a whole: its status, monitoring, the emergency stop, what happened, and the daemon itself. */
import * as z from 'zod'
import { agentId } from '../contract/ids.ts'
import { lives } from '../contract/lives.ts'
import { statusView } from '../contract/status-view.ts'
import * as views from '../contract/views.ts'
import { accepted, ok, refused } from './answer.ts'
import type { ApiDeps, EventWish, Readings } from './deps.ts'
import { HOUSE_REFUSALS, page, post, read, type ApiRequest } from './route.ts'
import { submit } from './submit.ts'

const stopBody = z
  .strictObject({
    reason: z.string().max(200).optional(),
    /** Adopted agents are ended, too. */
    adopted: z.literal(true).optional(),
  })
  .default({})

const resumeBody = z
  .strictObject({
    /** Who is started again: all that the emergency stop ended, or these of them. */
    start: z.union([z.literal(true), z.array(agentId).min(1).max(1000)]).optional(),
  })
  .default({})

export const cloisterRoutes = [
  read('/api/cloister/status', {
    summary: 'Whether Cloister watches, how many agents are how, and what needs you.',
    answer: statusView,
    handler: (_, deps) => ok(deps.status()),
  }),
  post('/api/cloister/start', {
    summary: 'Starts monitoring.',
    answer: views.acceptedView,
    statuses: [202],
    refusals: HOUSE_REFUSALS,
    handler: (request, deps) => submit({ type: 'cloister.start' }, request, deps),
  }),
  post('/api/cloister/stop', {
    summary: 'Pauses monitoring; agents go on untouched.',
    answer: views.acceptedView,
    statuses: [202],
    refusals: HOUSE_REFUSALS,
    handler: (request, deps) => submit({ type: 'cloister.stop' }, request, deps),
  }),
  post('/api/cloister/emergency-stop', {
    summary:
      'Ends every process tree of every agent at once, without saving work first. 202 when its end is not known yet.',
    body: stopBody,
    answer: views.emergencyView,
    statuses: [200, 202],
    refusals: HOUSE_REFUSALS,
    handler: emergencyStop,
  }),
  post('/api/cloister/resume', {
    summary:
      'After an emergency stop: allows starting and typing again, and starts again whom it ended, where asked to.',
    body: resumeBody,
    answer: views.acceptedView,
    statuses: [202],
    refusals: [...HOUSE_REFUSALS, 'invalid'],
    handler: (request, deps) => submit({ type: 'cloister.resume', ...request.body }, request, deps),
  }),
  read('/api/events', {
    summary: 'What happened, oldest first: everything after a seq, or the newest.',
    query: page,
    answer: views.eventsView,
    handler: async ({ query }, deps) => ok(await eventsView(deps, query)),
  }),
  post('/api/daemon/stop', {
    summary: 'Ends the daemon; agents are left alone.',
    answer: views.stoppingView,
    statuses: [202],
    handler: (_, deps) => {
      deps.stopDaemon()
      return accepted({ pid: deps.pid })
    },
  }),
] as const

/** Who was killed: those who ran when it was asked for and are stopped now. */
async function emergencyStop(request: ApiRequest<unknown, z.output<typeof stopBody>>, deps: ApiDeps) {
  const { specialists, issueAgents, projectAgents } = deps.agents()
  const ran = [...specialists, ...issueAgents, ...projectAgents].filter(lives)
  const taken = await submit({ type: 'cloister.emergency-stop', ...request.body }, request, deps)
  if ('code' in taken.body) return refused(taken.body)
  const { ended, survivors } = await deps.emergencyEnd()
  const killed = ran.map(({ id }) => id).filter((id) => deps.agent(id)?.lifecycle === 'stopped')
  const leftAlone = ran.flatMap(({ id, adopted }) => (adopted === undefined || killed.includes(id) ? [] : id))
  const body = { ...taken.body, killed, leftAlone, survivors: [...survivors], ended }
  return ended ? ok(body) : accepted(body)
}

export async function eventsView(deps: Readings, wish: EventWish): Promise<views.EventsView> {
  const events = await deps.events(wish)
  return {
    events: events.map((event) => ({ ...event, sentence: deps.describe(event) })),
    lastSeq: events.at(-1)?.seq ?? wish.after ?? deps.lastSeq(),
  }
}
