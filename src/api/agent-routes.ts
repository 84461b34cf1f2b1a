/** One agent, and all of them. */
import * as z from 'zod'
import type { Event } from '../contract/events.ts'
import { spawnBody, type HealthView } from '../contract/views.ts'
import { noAgent, ok, refused, type Answer } from './answer.ts'
import { eventsView } from './cloister-routes.ts'
import type { ApiDeps } from './deps.ts'
import { get, page, post, type Route } from './route.ts'
import { spawnCommand } from './spawn-command.ts'
import { submit } from './submit.ts'

export const agentRoutes: readonly Route[] = [
  get('/api/agents', { handler: (_, deps) => ok(deps.agents()) }),
  post('/api/agents', {
    body: spawnBody,
    handler: (request, deps) => {
      const made = spawnCommand(request.body, deps)
      return 'refusal' in made ? refused(made.refusal) : submit(made.command, request, deps)
    },
  }),
  get('/api/agents/:id', { handler: ({ param }, deps) => known(param, deps.agent(param)) }),
  get('/api/agents/:id/health', { query: page, handler: ({ param, query }, deps) => health(param, query, deps) }),
  get('/api/agents/:id/activity', {
    handler: ({ param }, deps) =>
      deps.agent(param) === undefined ? noAgent(param) : ok({ agent: param, activities: deps.activities(param) }),
  }),
  get('/api/agents/:id/explain', { handler: ({ param }, deps) => known(param, deps.explain(param)) }),
  get('/api/agents/:id/logs', {
    query: page,
    handler: async ({ param, query }, deps) =>
      deps.agent(param) === undefined ? noAgent(param) : ok(await eventsView(deps, { ...query, agent: param })),
  }),
  get('/api/agents/:id/attach', { handler: ({ param }, deps) => attach(param, deps) }),
  post('/api/agents/:id/poke', {
    handler: (request, deps) => submit({ type: 'agent.poke', agent: request.param }, request, deps),
  }),
  post('/api/agents/:id/message', {
    body: z.strictObject({ message: z.string().trim().min(1).max(100_000) }),
    handler: (request, deps) =>
      submit({ type: 'agent.message', agent: request.param, text: request.body.message }, request, deps),
  }),
  post('/api/agents/:id/kill', {
    body: z.strictObject({ reason: z.string().max(200).optional() }).default({}),
    handler: (request, deps) => submit({ type: 'agent.kill', agent: request.param, ...request.body }, request, deps),
  }),
  post('/api/agents/:id/forget', {
    handler: async (request, deps) => {
      const { param: agent } = request
      return (await deps.lives(agent)) ? stillLives(agent) : submit({ type: 'agent.forget', agent }, request, deps)
    },
  }),
]

/** Only the machine knows; the core knows what was last seen. */
function stillLives(agent: string): Answer {
  return refused({
    code: 'conflict',
    sentence: `Processes of ${agent} still live`,
    hint: `End them first with \`pan agents kill ${agent}\`; \`pan cloister emergency-stop\` ends those of all agents.`,
  })
}

function known(id: string, view: object | undefined): Answer {
  return view === undefined ? noAgent(id) : ok(view)
}

async function health(id: string, query: z.infer<typeof page>, deps: ApiDeps): Promise<Answer> {
  if (deps.agent(id) === undefined) return noAgent(id)
  const events = await deps.events({ ...query, agent: id, type: 'agent.health-changed' })
  return ok({ agent: id, history: events.flatMap(historyLine) } satisfies HealthView)
}

function historyLine(event: Event): HealthView['history'] {
  if (event.type !== 'agent.health-changed') return []
  const { seq, at, to, cause, reason, generation } = event
  return [{ seq, timestamp: new Date(at).toISOString(), state: to, cause: cause.kind, reason, generation }]
}

function attach(id: string, deps: ApiDeps): Answer {
  if (deps.agent(id) === undefined) return noAgent(id)
  const command = deps.attach(id)
  return 'code' in command ? refused(command) : ok({ command })
}
