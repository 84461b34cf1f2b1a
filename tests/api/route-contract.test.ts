/** Every route of the table without a socket: what it answers has its declared shape, and what it refuses the one shape. */
import { expect, test } from 'vitest'
import type * as z from 'zod'
import type { ApiKey } from '../../src/api/api-types.ts'
import { createApp } from '../../src/api/app.ts'
import { refusalsOf } from '../../src/api/openapi.ts'
import { STATUS } from '../../src/api/answer.ts'
import type { Route } from '../../src/api/route.ts'
import { ROUTES } from '../../src/api/routes.ts'
import { apiError, type ApiError } from '../../src/contract/views.ts'
import { homeId } from '../../src/daemon/home-id.ts'
import { runTokens } from '../../src/daemon/run-token.ts'
import type { House } from '../nights/house.ts'
import { depsFor, playedHouse } from './served-house.ts'

interface Row {
  /** What happened before, in the words of the nights; left out, agent-1 works. */
  lines?: readonly string[]
  before?: (house: House, deps: ReturnType<typeof depsFor>) => Promise<object | undefined> | undefined
  /** Left out, agent-1. */
  id?: string | ((house: House) => string)
  search?: string
  body?: object
  /** A body that is JSON and not what the route takes. */
  bad?: object
  answers: number
}

const HEARTBEAT = { state: 'active', tool: 'Bash', action: 'npm test', timestamp: '2026-01-20T21:00:00+01:00' }

const HANDED_OVER = ['agents 1', 'wait 10m', 'handoff agent-1 opus', 'wait 10m']
const PROPOSED = ['agents 1', 'wait 1m', 'propose agent-1 opus']

function handoffOf(house: House): string {
  const { handoff, handoffs } = house.loop.world.agents.get('agent-1') ?? {}
  return (handoff ?? handoffs?.at(-1))?.id ?? 'h-0'
}

/** Total by type: a route without a row does not compile. */
const ROWS: Record<ApiKey, Row> = {
  'GET /api/cloister/status': { answers: 200 },
  'POST /api/cloister/start': { answers: 202 },
  'POST /api/cloister/stop': { answers: 202 },
  'POST /api/cloister/emergency-stop': { body: { reason: 'rehearsed' }, bad: { reason: 1 }, answers: 200 },
  'POST /api/cloister/resume': { lines: ['emergency stop', 'wait 1m'], answers: 202 },
  'GET /api/events': { search: '?after=2&limit=3', answers: 200 },
  'POST /api/daemon/stop': { answers: 202 },
  'GET /api/cloister/config': { answers: 200 },
  'PUT /api/cloister/config': { body: { autoStart: false }, bad: { autoStart: 'no' }, answers: 200 },
  'GET /api/doctor': { search: '?folder=/work', answers: 200 },
  'GET /api/agents': { answers: 200 },
  'POST /api/agents': { body: { id: 'pan-18', cwd: '/work' }, bad: { id: 'PAN 18' }, answers: 202 },
  'POST /api/adoptions': { body: { target: 'work:1.0' }, bad: { target: '' }, answers: 202 },
  'GET /api/agents/:id': { answers: 200 },
  'GET /api/agents/:id/health': { lines: ['agents 1', 'wait 10m', 'agent-1 hangs', 'wait 1h'], answers: 200 },
  'GET /api/agents/:id/activity': { lines: ['agents 1', 'agent-1 works', 'wait 5m'], answers: 200 },
  'GET /api/agents/:id/explain': { answers: 200 },
  'GET /api/agents/:id/logs': { search: '?limit=2', answers: 200 },
  'GET /api/agents/:id/attach': { answers: 200 },
  'POST /api/agents/:id/poke': { answers: 202 },
  'POST /api/agents/:id/message': { body: { message: 'hello' }, bad: { message: '' }, answers: 202 },
  'POST /api/agents/:id/kill': { body: { reason: 'enough' }, bad: { reason: 'x'.repeat(201) }, answers: 202 },
  'POST /api/agents/:id/forget': { lines: ['agents 1', 'wait 1m', 'kill agent-1', 'wait 1m'], answers: 202 },
  'POST /api/agents/:id/heartbeat': { body: HEARTBEAT, bad: { state: 'busy' }, answers: 200 },
  'GET /api/agents/:id/cost': { answers: 200 },
  'GET /api/agents/:id/messages': { answers: 200 },
  'POST /api/agents/:id/recall-message': { body: { message: 'm-1' }, bad: { message: '' }, answers: 404 },
  'POST /api/agents/:id/retry-message': { body: { message: 'm-1' }, bad: { message: '' }, answers: 404 },
  'POST /api/agents/:id/resume': { body: { message: 'go on' }, bad: { message: '' }, answers: 409 },
  'POST /api/agents/:id/switch-model': { body: { model: 'opus' }, bad: { model: '' }, answers: 409 },
  'POST /api/agents/:id/suspend': { answers: 409 },
  'POST /api/agents/:id/hold': { body: { reason: 'we look at it' }, bad: { until: 'soon' }, answers: 202 },
  'POST /api/agents/:id/freeze': { bad: { reason: '' }, answers: 202 },
  'POST /api/agents/:id/release': { lines: ['agents 1', 'wait 1m', 'freeze agent-1'], answers: 202 },
  'POST /api/agents/:id/report': {
    body: { about: 'tests', passed: true, from: 'test-agent' },
    bad: { about: 'weather', passed: true, from: 'x' },
    answers: 202,
  },
  'POST /api/agents/:id/assign': { body: { what: 'Fix it.' }, bad: { what: '' }, answers: 202 },
  'GET /api/stats/interventions': { lines: ['agents 1', 'wait 10m', 'agent-1 hangs', 'wait 1h'], answers: 200 },
  'GET /api/agents/:id/handoff/suggestion': { answers: 200 },
  'GET /api/agents/:id/handoff/choices': { answers: 200 },
  'POST /api/agents/:id/handoff/auto': { body: { on: false }, bad: { on: 'no' }, answers: 202 },
  'POST /api/agents/:id/handoff/back': { bad: { reason: '' }, answers: 409 },
  'POST /api/agents/:id/handoff': { body: { toModel: 'opus' }, bad: { toModel: '' }, answers: 202 },
  'GET /api/issues/:id/handoffs': { lines: HANDED_OVER, id: 'pan-1', answers: 404 },
  'GET /api/handoffs': {
    lines: HANDED_OVER,
    search: '?limit=5&since=2026-01-01&state=done&method=kill_spawn',
    answers: 200,
  },
  'GET /api/handoffs/:id': { lines: HANDED_OVER, id: handoffOf, answers: 200 },
  'GET /api/handoffs/:id/timeline': { lines: HANDED_OVER, id: handoffOf, answers: 200 },
  'GET /api/handoffs/:id/document': { lines: HANDED_OVER, id: handoffOf, answers: 404 },
  'POST /api/handoffs/:id/approve': { lines: PROPOSED, id: handoffOf, answers: 202 },
  'POST /api/handoffs/:id/refuse': { lines: PROPOSED, id: handoffOf, bad: { reason: '' }, answers: 202 },
  'POST /api/handoffs/:id/judge': {
    lines: HANDED_OVER,
    id: handoffOf,
    body: { recovered: 'no', notes: 'it began anew' },
    bad: { recovered: 'perhaps' },
    answers: 202,
  },
  'POST /api/agents/:id/interrupt': { answers: 202 },
  'POST /api/agents/:id/rest': { answers: 202 },
  'POST /api/agents/:id/clear': { answers: 409 },
  'GET /api/agents/:id/tasks': { answers: 200 },
  'GET /api/route': { search: '?task=Fix%20a%20typo&repo=/work&specialist=test-agent', answers: 200 },
  'GET /api/agents/:id/git': { answers: 200 },
  'GET /api/agents/:id/salvages': { before: salvaged, answers: 200 },
  'POST /api/agents/:id/restore': { before: salvaged, body: { ref: 'latest' }, bad: { ref: '../x' }, answers: 202 },
  'GET /api/agents/:id/ribbon': { search: '?hours=2', answers: 200 },
  'GET /api/ribbons': { answers: 200 },
  'GET /api/recording': { answers: 200 },
  'POST /api/recording/start': { body: { seconds: 60 }, bad: { seconds: 0 }, answers: 200 },
  'POST /api/recording/stop': { before: recording, answers: 200 },
  'POST /api/agents/:id/wrong': { body: { words: 'it works' }, bad: { words: ' ' }, answers: 200 },
  'GET /api/inbox': { before: asking, answers: 200 },
  'GET /api/agents/:id/finished': { before: resting, answers: 200 },
  'GET /api/finished': { before: resting, answers: 200 },
  'POST /api/agents/:id/seen': { before: resting, answers: 202 },
  'POST /api/inbox/:id/settle': { before: asking, id: itemOf, answers: 202 },
  'POST /api/inbox/:id/answer': {
    before: asking,
    id: itemOf,
    body: { answer: 'yes' },
    bad: { answer: '' },
    answers: 202,
  },
  'POST /api/login': { before: (_, deps) => code(deps), bad: { code: '' }, answers: 200 },
  'POST /api/logout': { answers: 409 },
  'POST /api/login-code': { answers: 200 },
  'POST /api/logins/revoke': { answers: 200 },
  'GET /api/openapi.json': { answers: 200 },
}

async function salvaged(house: House): Promise<undefined> {
  house.fleet.git.edit('/workspaces/agent-1', 'cart.ts', 'half done')
  await house.submit({ type: 'agent.kill', agent: 'agent-1' })
  await house.wait(60_000)
}

async function asking(house: House): Promise<undefined> {
  const what = { kind: 'permission', what: 'rm -rf build', ask: { id: 'a1', request: '{}' } } as const
  house.fleet.agent('agent-1')?.becomes(what, { busy: false })
  await house.wait(20 * 60_000)
}

async function resting(house: House): Promise<undefined> {
  house.fleet.agent('agent-1')?.becomes({ kind: 'idle' }, { busy: false })
  await house.wait(60_000)
}

function itemOf(house: House): string {
  return house.loop.world.agents.get('agent-1')?.needsYou[0]?.id ?? 'none'
}

function recording(_: House, deps: ReturnType<typeof depsFor>): undefined {
  deps.recording.start(undefined)
}

async function code({ logins }: ReturnType<typeof depsFor>): Promise<object> {
  return { code: logins.invite()?.url.split('#login=')[1] }
}

test('every route has its row', () => {
  expect(ROUTES.map(({ key }) => key).toSorted()).toEqual(Object.keys(ROWS).toSorted())
  expect(new Set(ROUTES.map(({ key }) => key)).size).toBe(ROUTES.length)
})

type Asked = { status: number; body: unknown }
interface Asking {
  method?: string
  id?: string
  search?: string
  body?: object | string | undefined
  token?: string | undefined
}

async function setting(route: Route) {
  const row = ROWS[route.key as ApiKey]
  const { house, options } = await playedHouse(
    ...(row.lines?.[0]?.startsWith('agents') ? [] : ['agents 1']),
    ...(row.lines ?? []),
  )
  if (row.lines === undefined) await house.wait(60_000)
  const deps = depsFor({ ...options, url: () => 'http://127.0.0.1:3011' })
  const app = createApp(deps)
  const made = await row.before?.(house, deps)
  const given = typeof row.id === 'function' ? row.id(house) : (row.id ?? 'agent-1')
  const ask = async (asking: Asking = {}): Promise<Asked> => {
    const { method = route.method, id = given, search = '', token = deps.token } = asking
    const body = 'body' in asking ? asking.body : (made ?? row.body)
    const headers = {
      ...('token' in asking && asking.token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined || method === 'GET' ? {} : { 'content-type': 'application/json' }),
    }
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const sent = body === undefined || method === 'GET' ? {} : { body: text }
    const response = await app.request(route.path.replace(':id', id) + search, { method, headers, ...sent })
    return { status: response.status, body: (await response.json()) as unknown }
  }
  const runToken = (id: string) => {
    const { generation = 0, run = '' } = house.loop.world.agents.get(id) ?? {}
    return runTokens(deps.token, homeId(options.home)).tokenOf({ agent: id, generation, run })
  }
  return { row, house, ask, runToken }
}

/** Parsed and found equal: nothing is missing, and nothing is there that the shape does not know. */
function parsed(schema: z.ZodType, body: unknown): unknown {
  const { data, error } = schema.safeParse(body)
  return error ?? data
}

function refusalIn({ status, body }: Asked): { status: number; code: string } {
  expect(parsed(apiError, body)).toEqual(body)
  const { code: said } = body as ApiError
  return { status, code: said }
}

const table = ROUTES.map((route) => [route.key, route] as const)

test.each(table)('%s answers in its declared shape', async (_, route) => {
  const { row, ask } = await setting(route)
  const { status, body } = await ask({ search: row.search ?? '' })
  expect(status).toBe(row.answers)
  if (status < 300) {
    expect(route.statuses).toContain(status)
    expect(parsed(route.answer, body)).toEqual(body)
  } else expect(refusalsOf(route)).toContain(refusalIn({ status, body }).code)
})

test.each(table.filter(([, { path }]) => path.includes(':id')))('%s knows whom it is asked about', async (_, route) => {
  const { ask } = await setting(route)
  const unknown = refusalIn(await ask({ id: 'nobody' }))
  // An answer to a question that nobody asks any more is a conflict.
  expect(['not_found', 'conflict']).toContain(unknown.code)
  expect(refusalsOf(route)).toContain(unknown.code)
  for (const id of ['NOBODY', 'a'.repeat(65), '..%2f..', 'agent-1%00']) {
    expect(refusalIn(await ask({ id }))).toEqual({ status: 400, code: 'invalid' })
  }
})

test.each(table)('%s refuses what it does not take', async (_, route) => {
  const { row, house, ask } = await setting(route)
  const { seq } = house.loop.world.house
  const invalid = { status: 400, code: 'invalid' }
  expect(refusalIn(await ask({ search: '?nonsense=1' }))).toEqual(invalid)
  if (route.method !== 'GET') {
    const taken = Object.keys((row.body ?? {}) as object)
    expect(refusalIn(await ask({ body: row.bad ?? { nonsense: 1 } }))).toEqual(invalid)
    expect(refusalIn(await ask({ body: '{"half":' }))).toEqual(invalid)
    if (row.bad !== undefined && taken.length > 0) expect(refusalIn(await ask({ body: [] }))).toEqual(invalid)
  }
  expect(house.loop.world.house.seq).toBe(seq)
})

test.each(table)('%s takes no other method', async (_, route) => {
  const { ask, house } = await setting(route)
  const { seq } = house.loop.world.house
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    if (ROUTES.some((other) => other.path === route.path && other.method === method)) continue
    const { status, body } = await ask({ method, body: undefined })
    expect([method, status, (body as ApiError).code]).toEqual([method, STATUS.not_allowed, 'not_allowed'])
  }
  expect(house.loop.world.house.seq).toBe(seq)
})

test.each(table)('%s is only for whom it says', async (_, route) => {
  const { ask, house, runToken } = await setting(route)
  await house.spawn('agent-2')
  const { seq } = house.loop.world.house
  if (!route.callers.includes('stranger')) {
    for (const token of [undefined, '0'.repeat(64)]) {
      expect(refusalIn(await ask({ token }))).toEqual({ status: 401, code: 'unauthorized' })
    }
  }
  // Of the other agent's run in any case, and of its own where the route is not for runs.
  const runs = route.callers.includes('run') ? ['agent-2'] : ['agent-1', 'agent-2']
  for (const id of runs) {
    // Only of a run that is there: a token of any other opens nothing.
    if (house.loop.world.agents.get(id)?.run === undefined) continue
    expect(refusalIn(await ask({ token: runToken(id) })).status).toBe(403)
  }
  expect(house.loop.world.house.seq).toBe(seq)
})
