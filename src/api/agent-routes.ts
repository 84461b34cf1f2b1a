/** One agent, and all of them. */
import * as z from 'zod'
import type { Event } from '../contract/events.ts'
import type { Activity } from '../contract/evidence.ts'
import * as bodies from '../contract/bodies.ts'
import { agentFinishedView } from '../contract/finished.ts'
import * as views from '../contract/views.ts'
import { TEXT_LIMIT } from '../contract/text-limit.ts'
import { accepted, noAgent, ok, refused, type Answer } from './answer.ts'
import { eventsView } from './cloister-routes.ts'
import type { ApiDeps, Readings } from './deps.ts'
import { COMMAND_REFUSALS, get, page, post, read, type ApiRequest } from './route.ts'
import { isKnown, spawnCommand } from './spawn-command.ts'
import { submit } from './submit.ts'

export const agentRoutes = [
  read('/api/agents', {
    summary: 'All agents, by kind.',
    answer: views.agentsView,
    handler: (_, deps) => ok(deps.agents()),
  }),
  post('/api/agents', {
    summary: 'Starts an agent, or starts a known one again.',
    body: bodies.spawnBody,
    answer: views.acceptedView,
    statuses: [202],
    refusals: COMMAND_REFUSALS,
    handler: spawn,
  }),
  read('/api/agents/:id', {
    summary: 'One agent.',
    answer: views.agentView,
    handler: ({ param }, deps) => known(param, deps.agent(param)),
  }),
  read('/api/agents/:id/health', {
    summary: 'How its health changed, oldest first.',
    query: page,
    answer: views.healthView,
    handler: ({ param, query }, deps) => health(param, query, deps),
  }),
  read('/api/agents/:id/activity', {
    summary: 'The last 100 things it did.',
    answer: views.activityView,
    handler: ({ param }, deps) =>
      deps.agent(param) === undefined ? noAgent(param) : ok({ agent: param, activities: [...deps.activities(param)] }),
  }),
  read('/api/agents/:id/explain', {
    summary: 'Why the verdict on it is what it is, what would change it, and what comes next.',
    answer: views.explainView,
    handler: ({ param }, deps) => known(param, deps.explain(param)),
  }),
  read('/api/agents/:id/finished', {
    summary: 'What there is to see of it when it finished, also when somebody has looked.',
    answer: agentFinishedView,
    handler: async ({ param }, deps) => known(param, await deps.finishedOf(param)),
  }),
  read('/api/agents/:id/logs', {
    summary: 'What happened to it, oldest first.',
    query: page,
    answer: views.eventsView,
    handler: async ({ param, query }, deps) =>
      deps.agent(param) === undefined ? noAgent(param) : ok(await eventsView(deps, { ...query, agent: param })),
  }),
  get('/api/agents/:id/attach', {
    summary: 'What a person runs to see its terminal.',
    answer: views.attachView,
    refusals: ['conflict'],
    handler: ({ param }, deps) => attach(param, deps),
  }),
  post('/api/agents/:id/poke', {
    summary: 'Asks it whether it is stuck.',
    answer: views.acceptedView,
    statuses: [202],
    refusals: COMMAND_REFUSALS,
    handler: (request, deps) => submit({ type: 'agent.poke', agent: request.param }, request, deps),
  }),
  post('/api/agents/:id/message', {
    summary: 'Types a message to it.',
    body: z.strictObject({ message: z.string().trim().min(1).max(TEXT_LIMIT) }),
    answer: views.acceptedView,
    statuses: [202],
    refusals: COMMAND_REFUSALS,
    handler: (request, deps) =>
      submit({ type: 'agent.message', agent: request.param, text: request.body.message }, request, deps),
  }),
  post('/api/agents/:id/kill', {
    summary: 'Salvages its work, then ends its whole process tree.',
    body: z.strictObject({ reason: z.string().max(200).optional() }).default({}),
    answer: views.acceptedView,
    statuses: [202],
    refusals: COMMAND_REFUSALS,
    handler: (request, deps) => submit({ type: 'agent.kill', agent: request.param, ...request.body }, request, deps),
  }),
  post('/api/agents/:id/forget', {
    summary: 'Takes an agent that does not run off the list; its work is left alone.',
    answer: views.acceptedView,
    statuses: [202],
    refusals: COMMAND_REFUSALS,
    handler: async (request, deps) => {
      const { param: agent } = request
      return (await deps.lives(agent)) ? stillLives(agent) : submit({ type: 'agent.forget', agent }, request, deps)
    },
  }),
  post('/api/agents/:id/heartbeat', {
    summary: "An agent's own word on what it does, as a hook of its program sends it.",
    callers: ['run', 'owner'],
    body: bodies.heartbeatBody,
    answer: bodies.heartbeatTaken,
    refusals: ['not_found', 'conflict', 'busy'],
    handler: heartbeat,
  }),
] as const

/** A worktree that was made for an agent is taken away again when the agent is refused. */
async function spawn(request: ApiRequest<unknown, bodies.SpawnBody>, deps: ApiDeps) {
  const { repo, ...body } = request.body
  const isNew = repo !== undefined && body.workspace === undefined && !isKnown(body, deps)
  const place = isNew ? await deps.newWorktree(repo, body) : undefined
  if (place !== undefined && 'code' in place) return refused(place)
  const made = await spawnCommand(place === undefined ? body : { ...body, workspace: place.workspace }, deps)
  const answer =
    'refusal' in made
      ? refused(made.refusal)
      : await submit({ ...made.command, ...(await deps.locate(made.command.workspace)) }, request, deps)
  if ('code' in answer.body) {
    await place?.undo()
    // What the settings chose was not asked for wrongly.
    const isChosen = 'chosen' in made && made.chosen !== undefined && answer.body.code === 'invalid'
    return refused(isChosen ? { ...answer.body, code: 'conflict' } : answer.body)
  }
  if ('refusal' in made || made.chosen === undefined) return accepted(answer.body)
  const { model, why } = made.chosen
  return accepted({ ...answer.body, chosen: { model, why } })
}

/** Only the machine knows; the core knows what was last seen. */
function stillLives(agent: string): Answer<views.ApiError> {
  return refused({
    code: 'conflict',
    sentence: `Processes of ${agent} still live`,
    hint: `End them first with \`pan agents kill ${agent}\`; \`pan cloister emergency-stop\` ends those of all agents.`,
  })
}

/** A run's token speaks for its own generation; that it is of this agent the door has seen. */
async function heartbeat(request: ApiRequest<unknown, bodies.HeartbeatBody>, deps: ApiDeps) {
  const { param, caller, body: said, requestId: id } = request
  const of = caller.kind === 'run' ? { generation: caller.generation } : {}
  const told = await deps.heartbeat({ agent: param, ...of, id, said })
  return 'code' in told ? refused(told) : ok(told)
}

function known<View extends object>(id: string, view: View | undefined): Answer<View> | Answer<views.ApiError> {
  return view === undefined ? noAgent(id) : ok(view)
}

async function health(id: string, query: z.infer<typeof page>, deps: Readings) {
  if (deps.agent(id) === undefined) return noAgent(id)
  const events = await deps.events({ ...query, agent: id, type: 'agent.health-changed' })
  const activities = deps.activities(id)
  const history = events.flatMap((event) => historyLine(event, activities, deps))
  return ok({ agent: id, history } satisfies views.HealthView)
}

function historyLine(event: Event, activities: readonly Activity[], deps: Readings): views.HealthView['history'] {
  if (event.type !== 'agent.health-changed') return []
  const last = activities.findLast(({ ts }) => Date.parse(ts) <= event.at)
  const activity = last === undefined ? {} : { activity: last.action ?? last.tool ?? last.state }
  return [{ ...deps.healthLine(event), ...activity }]
}

async function attach(id: string, deps: ApiDeps) {
  if (deps.agent(id) === undefined) return noAgent(id)
  const command = await deps.attach(id)
  return 'code' in command ? refused(command) : ok({ command: [...command] })
}
