/** Every route without a socket: the door, the checks, and what each answers. */
import { expect, test } from 'vitest'
import { createApp } from '../../src/api/app.ts'
import { BODY_LIMIT } from '../../src/contract/text-limit.ts'
import { ROUTES } from '../../src/api/routes.ts'
import { statusView } from '../../src/contract/status-view.ts'
import * as views from '../../src/contract/views.ts'
import { depsFor, playedHouse, type ServedHouse } from './served-house.ts'

interface Api extends ServedHouse {
  app: ReturnType<typeof createApp>
  get: (path: string) => Promise<{ status: number; body: unknown }>
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<{ status: number; body: unknown }>
}

async function api(...lines: string[]): Promise<Api> {
  const served = await playedHouse(...lines)
  const deps = depsFor(served.options)
  const app = createApp(deps)
  const authorization = `Bearer ${deps.token}`
  const told = async (response: Response) => ({ status: response.status, body: (await response.json()) as unknown })
  return {
    ...served,
    app,
    get: async (path) => told(await app.request(path, { headers: { authorization } })),
    post: async (path, body, headers = {}) => {
      const init = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }
      const type = { 'content-type': 'application/json' }
      return told(await app.request(path, { method: 'POST', headers: { authorization, ...type, ...headers }, ...init }))
    },
  }
}

const UNAUTHORIZED = {
  code: 'unauthorized',
  sentence: 'The token is missing or wrong',
  hint: 'Send `authorization: Bearer …` with the content of the file `token` in the home folder.',
}

test('nothing but the health of the daemon is told without the token', async () => {
  const { app } = await api()
  const closed = ROUTES.filter(({ callers }) => !callers.includes('stranger'))
  expect(ROUTES.filter((route) => !closed.includes(route)).map(({ key }) => key)).toEqual(['POST /api/login'])
  const elsewhere = ['/nowhere', '/metrics', '/', '/index.html'].map((path) => ({ method: 'GET', path }))
  const paths = [...closed.map(({ method, path }) => ({ method, path })), ...elsewhere]
  const wrong = [undefined, 'Bearer', 'Bearer ', `Bearer ${'0'.repeat(64)}`, 'Basic abc', `Bearer ${'x'.repeat(9999)}`]
  for (const { method, path } of paths) {
    for (const authorization of wrong) {
      const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
      const response = await app.request(path.replace(':id', 'agent-1'), { method, headers })
      expect([method, path, response.status, await response.json()]).toEqual([method, path, 401, UNAUTHORIZED])
    }
  }
  const health = await app.request('/healthz')
  expect([health.status, await health.json()]).toEqual([200, { ok: true }])
  expect((await app.request('/healthz', { method: 'POST' })).status).toBe(401)
})

test('what is wrong with a request is said in the one shape', async () => {
  const { app, get, post } = await api('spawn agent-1')
  const noAgent = (id: string) => ({
    status: 404,
    body: { code: 'not_found', sentence: `There is no agent ${id}`, hint: 'List them with `pan agents list`.' },
  })
  for (const path of ['', '/health', '/activity', '/explain', '/logs', '/attach']) {
    expect(await get(`/api/agents/nobody${path}`)).toEqual(noAgent('nobody'))
  }
  expect(await post('/api/agents/nobody/poke')).toEqual(noAgent('nobody'))
  const problems: [Promise<{ status: number; body: unknown }>, number, string][] = [
    [get('/api/nothing'), 404, 'There is nothing at this address'],
    [get('/api/cloister/start'), 405, '/api/cloister/start does not take this method'],
    [post('/api/cloister/status'), 405, '/api/cloister/status does not take this method'],
    [post('/api/agents/agent-1/message', '{"message":'), 400, 'The body is not JSON'],
    [post('/api/agents/agent-1/message', '"text"'), 400, 'The body is not valid: '],
    [post('/api/agents/agent-1/message'), 400, 'The body is not valid: '],
    [post('/api/agents/agent-1/message', { message: '  ' }), 400, 'The body is not valid: message: '],
    [post('/api/agents/agent-1/message', { message: ' \\\\\\ ' }), 400, 'there is nothing to read in it'],
    [post('/api/agents/agent-1/message', { message: '\u200b' }), 400, 'there is nothing to read in it'],
    [post('/api/agents/agent-1/poke', { extra: 1 }), 400, 'The body is not valid: '],
    [post('/api/agents/agent-1/poke', '{}', { 'content-type': 'text/plain' }), 415, 'The body is not declared as JSON'],
    [post('/api/agents/agent-1/poke', {}, { 'x-request-id': '../x' }), 400, 'The header x-request-id is not valid'],
    [post('/api/agents/agent-1/message', 'x'.repeat(BODY_LIMIT + 1)), 413, 'The body is larger than '],
    [post('/api/agents', { id: 'pan-1', workspace: 'here' }), 400, 'The body is not valid: workspace: '],
    [post('/api/agents', {}), 400, 'It is not said who is to be started'],
    [get('/api/events?limit=0'), 400, 'The query is not valid: limit: '],
    [get('/api/events?limit=1e9'), 400, 'The query is not valid: limit: '],
    [get('/api/events?after=-1'), 400, 'The query is not valid: after: '],
    [post('/api/inbox/n-99/settle'), 404, 'There is no open item n-99'],
  ]
  for (const [asked, status, sentence] of problems) {
    const { body, ...rest } = await asked
    expect({ ...rest, error: views.apiError.safeParse(body).error }).toEqual({ status, error: undefined })
    expect((body as views.ApiError).sentence).toContain(sentence)
  }
  expect((await app.request('/api/cloister/status', { method: 'OPTIONS' })).status).toBe(401)
})

test.each([
  '..%2f..%2fetc%2fpasswd',
  'agent-1%00',
  'agent-1%0a',
  '%24%28reboot%29',
  '-t',
  'agent%20one',
  'AGENT-1',
  'a'.repeat(65),
  '%E2%80%AE',
  'agent-1;ls',
])('the hostile id %s gets no further', async (id) => {
  const { get, post, house } = await api('spawn agent-1')
  const before = house.loop.world.house.seq
  expect((await get(`/api/agents/${id}`)).status).toBe(400)
  expect((await post(`/api/agents/${id}/kill`)).status).toBe(400)
  expect((await post(`/api/inbox/${id}/answer`, { answer: 'yes' })).status).toBe(400)
  expect(house.loop.world.house.seq).toBe(before)
})

test('what is shown has the shape of the contract', async () => {
  const { get } = await api('agents 2', 'agent-1 ignores pokes', 'wait 10m', 'agent-1 hangs', 'wait 20m')
  const shapes = {
    '/api/cloister/status': statusView,
    '/api/agents': views.agentsView,
    '/api/agents/agent-1': views.agentView,
    '/api/agents/agent-1/health': views.healthView,
    '/api/agents/agent-1/activity': views.activityView,
    '/api/agents/agent-1/explain': views.explainView,
    '/api/agents/agent-1/logs': views.eventsView,
    '/api/agents/agent-1/attach': views.attachView,
    '/api/inbox': views.inboxView,
    '/api/events': views.eventsView,
  }
  for (const [path, shape] of Object.entries(shapes)) {
    const { status, body } = await get(path)
    expect([path, status, shape.safeParse(body).error]).toEqual([path, 200, undefined])
  }
  expect(await get('/api/agents/agent-1/health')).toMatchObject({
    body: { history: [{ state: 'active' }, { state: 'stale' }, { state: 'warning', cause: 'hung' }] },
  })
})

test('events come in pages, or the newest', async () => {
  const { get, house } = await api('agents 3', 'wait 1m')
  const seqs = async (path: string) => {
    const { body } = await get(path)
    const { events, lastSeq } = body as views.EventsView
    return { seqs: events.map(({ seq }) => seq), lastSeq }
  }
  const { seq } = house.loop.world.house
  expect(await seqs('/api/events?after=0&limit=3')).toEqual({ seqs: [1, 2, 3], lastSeq: 3 })
  expect(await seqs('/api/events?after=3&limit=2')).toEqual({ seqs: [4, 5], lastSeq: 5 })
  expect(await seqs('/api/events?limit=2')).toEqual({ seqs: [seq - 1, seq], lastSeq: seq })
  expect(await seqs(`/api/events?after=${seq}`)).toEqual({ seqs: [], lastSeq: seq })
  const { body } = await get('/api/agents/agent-2/logs?limit=1')
  expect(body).toMatchObject({ events: [{ agent: 'agent-2', sentence: 'agent-2 is active: thinking.' }] })
})

test('commands are carried out and answered with where to look for what became of them', async () => {
  const { post, house } = await api('spawn agent-1', 'wait 2m')
  const accepted = async (path: string, body?: object, code = 202) => {
    const { status, body: view } = await post(path, body)
    expect([path, status, views.acceptedView.safeParse(view).error]).toEqual([path, code, undefined])
  }
  await accepted('/api/agents/agent-1/message', { message: 'hello' })
  await house.wait(60_000)
  await accepted('/api/agents/agent-1/poke')
  await house.wait(60_000)
  await accepted('/api/cloister/stop')
  expect(house.loop.world.house.monitoring).toBe('paused')
  await accepted('/api/cloister/start')
  await accepted('/api/agents/agent-1/kill', { reason: 'enough' })
  await accepted('/api/agents', { id: 'pan-18', cwd: '/work' })
  await house.wait(60_000)
  expect(house.loop.world.agents.get('agent-1')?.lifecycle).toBe('stopped')
  expect(house.loop.world.agents.get('agent-pan-18')).toMatchObject({
    kind: 'issue',
    issue: 'pan-18',
    workspace: '/work',
    simulated: true,
    lifecycle: 'active',
  })
  await accepted('/api/cloister/emergency-stop', { reason: 'rehearsed' }, 200)
  expect(await post('/api/agents', { id: 'pan-19', cwd: '/work' })).toMatchObject({
    status: 423,
    body: { code: 'emergency' },
  })
  await house.wait(60_000)
  await accepted('/api/cloister/resume')
})

test('the same request twice counts once and gets the same answer, a refusal too', async () => {
  const { post, house } = await api('spawn agent-1', 'wait 2m')
  const once = { 'x-request-id': 'once' }
  const first = await post('/api/agents/agent-1/kill', {}, once)
  await house.wait(60_000)
  const { seq } = house.loop.world.house
  expect(await post('/api/agents/agent-1/kill', {}, once)).toEqual(first)
  expect(house.loop.world.house.seq).toBe(seq)
  expect(await post('/api/agents/agent-1/poke', {}, once)).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const refused = await post('/api/agents/nobody/poke', {}, { 'x-request-id': 'refused' })
  expect(refused.status).toBe(404)
  expect(await post('/api/agents/nobody/poke', {}, { 'x-request-id': 'refused' })).toEqual(refused)
})

test('a fault of our own is logged and not told in detail', async () => {
  const { options, problems } = await playedHouse()
  const fault = new Error('secret detail')
  const deps = depsFor({
    ...options,
    journal: { events: () => Promise.reject(fault), ribbons: () => Promise.reject(fault) },
  })
  const response = await createApp(deps).request('/api/events', { headers: { authorization: `Bearer ${deps.token}` } })
  expect([response.status, await response.json(), problems]).toEqual([
    500,
    {
      code: 'failed',
      sentence: 'The daemon could not answer because of a fault of its own',
      hint: 'The reason is in logs/daemon.log of the home folder.',
    },
    [fault],
  ])
})
