/** What single routes mean by their answers, beyond the shape: who was killed, what was restored, which settings count. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Api, ApiKey } from '../../src/api/api-types.ts'
import { createApp } from '../../src/api/app.ts'
import { openApi } from '../../src/api/openapi.ts'
import { homeId } from '../../src/daemon/home-id.ts'
import { runTokens } from '../../src/daemon/run-token.ts'
import { depsFor, playedHouse } from './served-house.ts'

interface Asked<View> {
  status: number
  body: View
}

async function api(...lines: string[]) {
  const served = await playedHouse(...lines)
  const deps = depsFor(served.options)
  const app = createApp(deps)
  const ask = async <Key extends ApiKey>(
    key: Key,
    { id = 'agent-1', body, token = deps.token }: { id?: string; body?: unknown; token?: string } = {},
  ): Promise<Asked<Api[Key]['answer']>> => {
    const [method = '', path = ''] = key.split(' ')
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }
    const response = await app.request(path.replace(':id', id), { method, headers, ...sent })
    return { status: response.status, body: (await response.json()) as Api[Key]['answer'] }
  }
  const file = join(served.home, 'cloister.yaml')
  return { ...served, deps, ask, file }
}

test('an emergency stop answers with those whom it killed, not with who was dead before', async () => {
  const { ask, house } = await api('agents 3', 'wait 1m', 'kill agent-2', 'wait 1m')
  const { status, body } = await ask('POST /api/cloister/emergency-stop')
  expect({ status, ...body, seq: 0 }).toEqual({
    ...{ status: 200, seq: 0, killed: ['agent-1', 'agent-3'], leftAlone: [], survivors: [], ended: true },
  })
  expect(house.loop.world.house.emergency.state).toBe('stopped')
})

test('an emergency stop that does not end in time is answered with what is known', async () => {
  const { ask, house } = await api('agents 2', 'agent-2 will not die', 'wait 1m')
  house.fleet.faults.outcomesLost = true
  const asked = ask('POST /api/cloister/emergency-stop')
  let isAnswered = false
  void asked.then(() => (isAnswered = true))
  while (!isAnswered) await house.wait(1_000)
  const { status, body } = await asked
  expect({ status, ...body, seq: 0 }).toEqual({
    status: 202,
    seq: 0,
    killed: [],
    leftAlone: [],
    survivors: [],
    ended: false,
  })
})

test('a restore brings the work of a killed agent back, and its outcome is verified', async () => {
  const { ask, house } = await api('agents 1', 'wait 1m')
  const workspace = '/workspaces/agent-1'
  house.fleet.git.edit(workspace, 'cart.ts', 'half done')
  const early = await ask('POST /api/agents/:id/restore', { body: { ref: 'latest' } })
  expect(early).toMatchObject({ status: 404, body: { hint: 'There is none of it.' } })
  await house.submit({ type: 'agent.kill', agent: 'agent-1' })
  await house.wait(60_000)
  const { body: found } = await ask('GET /api/agents/:id/salvages')
  expect(found).toMatchObject({ agent: 'agent-1', workspace, salvages: [{ name: '1-1', generation: 1 }] })
  house.fleet.git.edit(workspace, 'cart.ts', 'overwritten')
  const lost = await ask('POST /api/agents/:id/restore', { body: { ref: '1-1' } })
  expect(lost.status).toBe(202)
  await house.wait(1_000)
  expect(house.events.at(-1)).toMatchObject({ type: 'act.ended', act: 'restore', result: 'not_done' })
  const forced = await ask('POST /api/agents/:id/restore', { body: { ref: '1-1', force: true } })
  expect(forced.status).toBe(202)
  await house.wait(1_000)
  expect(house.events.slice(-2)).toMatchObject([
    { type: 'agent.salvaged', ref: 'refs/cloister/agent-1/1-2' },
    { type: 'act.ended', act: 'restore', result: 'done' },
  ])
  const { body: git } = await ask('GET /api/agents/:id/git')
  expect(git).toMatchObject({
    repository: true,
    branch: 'main',
    dirty: expect.arrayContaining([{ path: 'cart.ts', state: 'untracked', staged: false }]) as object,
    salvages: [{ name: '1-1' }, { name: '1-2' }],
  })
  const other = await ask('POST /api/agents/:id/restore', { body: { ref: 'refs/cloister/agent-9/1-1' } })
  expect(other.status).toBe(404)
})

test('nothing is restored under the hands of an agent that works', async () => {
  const { ask, house } = await api('agents 1', 'wait 1m')
  house.fleet.git.edit('/workspaces/agent-1', 'cart.ts', 'half done')
  await house.submit({ type: 'agent.kill', agent: 'agent-1' })
  await house.wait(60_000)
  const restore = () => ask('POST /api/agents/:id/restore', { body: { ref: 'latest' } })
  const there = { kind: 'issue', workspace: '/workspaces/agent-1', runtime: 'virtual', model: 'sonnet' } as const
  await house.submit({ type: 'agent.spawn', agent: 'agent-2', ...there, simulated: true })
  expect(await restore()).toMatchObject({
    status: 409,
    body: { sentence: expect.stringContaining('agent-2') as string },
  })
  await house.submit({ type: 'agent.kill', agent: 'agent-2' })
  await house.wait(60_000)
  await house.spawn('agent-1')
  expect(await restore()).toMatchObject({ status: 409, body: { code: 'conflict' } })
})

test('a heartbeat is evidence of the hook, of the generation that the token was made for', async () => {
  const { ask, house, options, deps } = await api('agents 1', 'wait 1m')
  const tokens = runTokens(deps.token, homeId(options.home))
  const { run = '', sessionId = '' } = house.loop.world.agents.get('agent-1') ?? {}
  const token = tokens.tokenOf({ agent: 'agent-1', generation: 1, run })
  const beat = { state: 'active', tool: 'Bash', summary: 'npm   test', sessionId }
  expect(await ask('POST /api/agents/:id/heartbeat', { body: beat, token })).toEqual({
    status: 200,
    body: { agent: 'agent-1', generation: 1, taken: true },
  })
  const agent = house.loop.world.agents.get('agent-1')
  expect([agent?.evidence.hook?.doing, agent?.sessionId, agent?.activities.at(-1)]).toEqual([
    { kind: 'tool', name: 'Bash', boundMs: 600_000 },
    sessionId,
    { ts: new Date(house.clock.now().wallAt).toISOString(), tool: 'Bash', action: 'npm test', state: 'active' },
  ])
  expect((await ask('GET /api/agents/:id')).body).toMatchObject({
    branch: 'main',
    lastAction: { what: 'npm test' },
    lastActive: new Date(house.clock.now().wallAt).toISOString(),
  })
  await ask('POST /api/agents/:id/heartbeat', { body: { state: 'idle' } })
  expect(house.loop.world.agents.get('agent-1')?.lifecycle).toBe('idle')
  // What was answered is durable: another daemon on the same journal knows it.
  house.crash()
  await house.boot()
  expect(house.loop.world.agents.get('agent-1')?.lifecycle).toBe('idle')
})

test('a heartbeat loses its secrets before it is cut', async () => {
  const { ask, house } = await api('agents 1', 'wait 1m')
  const summary = `git clone https://me:${'h'.repeat(300)}@example.com/x.git`
  await ask('POST /api/agents/:id/heartbeat', { body: { state: 'active', tool: 'sk-ant-api03-abcdef', summary } })
  expect(house.loop.world.agents.get('agent-1')?.activities.at(-1)).toMatchObject({
    tool: '«secret»',
    action: 'git clone https://«secret»@example.com/x.git',
  })
})

test('a heartbeat of an agent that does not run is refused', async () => {
  const { ask, house } = await api('agents 1', 'wait 1m', 'kill agent-1', 'wait 1m')
  const before = house.loop.world.agents.get('agent-1')
  expect(before?.lifecycle).toBe('stopped')
  expect(await ask('POST /api/agents/:id/heartbeat', { body: { state: 'active' } })).toEqual({
    status: 409,
    body: {
      code: 'conflict',
      sentence: 'agent-1 is not running',
      hint: 'Start it with `pan agents spawn agent-1`.',
    },
  })
  expect(house.loop.world.agents.get('agent-1')).toEqual(before)
})

test('a heartbeat from before says so, and of a time to come counts as of now', async () => {
  const { ask, house } = await api('agents 1', 'wait 10m')
  const now = house.clock.now().wallAt
  const beat = (at: number) => ({ state: 'active', timestamp: new Date(at).toISOString() })
  await ask('POST /api/agents/:id/heartbeat', { body: beat(now + 3_600_000) })
  expect(house.loop.world.agents.get('agent-1')?.activities.at(-1)?.ts).toBe(new Date(now).toISOString())
})

test('a heartbeat that is older than what the hooks said changes nothing', async () => {
  const { ask, house } = await api('agents 1', 'wait 10m')
  const before = house.loop.world.agents.get('agent-1')
  for (const state of ['idle', 'active']) {
    const beat = { state, timestamp: '2020-01-01T00:00:00Z' }
    expect(await ask('POST /api/agents/:id/heartbeat', { body: beat })).toMatchObject({ body: { taken: false } })
  }
  expect(house.loop.world.agents.get('agent-1')).toEqual(before)
})

test('a heartbeat against what the hooks know is refused: another session, or rest while a call is open', async () => {
  const { ask, house } = await api('agents 1', 'wait 1m', 'agent-1 runs Bash for 20m bound 30m', 'wait 1m')
  const before = house.loop.world.agents.get('agent-1')
  expect(before?.evidence.hook?.doing?.kind).toBe('tool')
  const beat = (body: object) => ask('POST /api/agents/:id/heartbeat', { body })
  expect(await beat({ state: 'active', sessionId: 'other' })).toMatchObject({
    status: 409,
    body: { sentence: `agent-1 is in session ${before?.sessionId}, not in other` },
  })
  expect(await beat({ state: 'idle' })).toMatchObject({
    status: 409,
    body: { sentence: 'agent-1 is not idle: its call of Bash has not ended' },
  })
  expect(house.loop.world.agents.get('agent-1')).toEqual(before)
})

test('the health history tells what the agent did at the time', async () => {
  const { ask } = await api(
    'set stuck_escalation off',
    ...['agents 1', 'agent-1 ignores pokes', 'wait 10m', 'agent-1 hangs', 'wait 1h'],
  )
  const { body } = await ask('GET /api/agents/:id/health')
  expect(body.history.at(-1)).toMatchObject({ state: 'stuck', activity: expect.any(String) as string })
})

test('settings are shown with their help, and changed with comments kept', async () => {
  const { ask, file } = await api()
  writeFileSync(file, '# mine\nthresholds:\n  stuck_minutes: 40 # long\n')
  const { body: before } = await ask('GET /api/cloister/config')
  const stuck = before.keys.find(({ path }) => path === 'thresholds.stuck')
  expect([before.autoStart, before.problems, stuck]).toEqual([
    true,
    [],
    {
      path: 'thresholds.stuck',
      help: 'Minutes without activity until an agent is stuck (red).',
      kind: 'number',
      value: 40,
      default: 30,
      isSet: true,
      inEffect: true,
      note: 'It is written as thresholds.stuck_minutes in the file.',
    },
  ])
  const { status, body } = await ask('PUT /api/cloister/config', {
    body: {
      autoStart: false,
      thresholds: { stuck_minutes: 45 },
      set: { 'monitoring.check_interval': 10 },
      etag: before.etag,
    },
  })
  expect([status, body.autoStart, body.etag === before.etag]).toEqual([200, false, false])
  expect(readFileSync(file, 'utf8')).toBe(
    '# mine\nthresholds:\n  stuck_minutes: 45 # long\nstartup:\n  auto_start: false\nmonitoring:\n  check_interval: 10\n',
  )
  const stale = await ask('PUT /api/cloister/config', { body: { autoStart: true, etag: before.etag } })
  expect(stale).toMatchObject({ status: 409, body: { code: 'conflict' } })
  const unset = await ask('PUT /api/cloister/config', { body: { unset: ['thresholds.stuck', 'startup.auto_start'] } })
  expect([unset.status, unset.body.autoStart]).toEqual([200, true])
  expect(readFileSync(file, 'utf8')).toBe(
    '# mine\nthresholds:\n  # long\nstartup:\nmonitoring:\n  check_interval: 10\n',
  )
})

test.each<[string, object, string[]]>([
  ['an unknown key', { set: { 'thresholds.stuk': 45 } }, ['There is no key «thresholds.stuk»']],
  ['an unknown key to take out', { unset: ['nothing'] }, ['There is no key «nothing»']],
  ['an unknown part', { threshold: { stuck: 45 } }, ['threshold']],
  [
    'several wrong values',
    { set: { 'thresholds.stale': -1, 'monitoring.check_interval': 'often' } },
    ['thresholds.stale', 'monitoring.check_interval'],
  ],
  ['values that contradict', { thresholds: { stale: 50 } }, ['thresholds.warning']],
])('%s changes nothing, and every problem is told', async (_, body, problems) => {
  const { ask, file } = await api()
  const text = '# mine\nthresholds:\n  stuck: 40\n'
  writeFileSync(file, text)
  const answer = await ask('PUT /api/cloister/config', { body })
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid' } })
  const told = (answer.body as unknown as { problems: string[] }).problems
  expect(told).toEqual(problems.map((problem) => expect.stringContaining(problem) as string))
  expect(readFileSync(file, 'utf8')).toBe(text)
})

test('the status carries what the documents want beside what it had', async () => {
  const { ask, house } = await api('wait 1m')
  const { body } = await ask('GET /api/cloister/status')
  expect(body).toMatchObject({
    running: true,
    lastCheck: new Date(house.loop.world.observer.lastLookWallAt ?? 0).toISOString(),
    config: { autoStart: true, thresholds: { stale: 5, warning: 15, stuck: 30 } },
  })
})

test('the OpenAPI document names every route and nothing that is not in it', () => {
  const text = JSON.stringify(openApi())
  const refs = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1] ?? '')
  const missing = refs.filter(
    (ref) =>
      ref.split('/').reduce<unknown>((at, part) => (at as Record<string, unknown>)?.[part], openApi()) === undefined,
  )
  expect([refs.length > 100, missing, text.includes('$defs'), text.includes('$schema')]).toEqual([
    true,
    [],
    false,
    false,
  ])
})

test('who finished is told with what was changed, its tests and its cost, until somebody looks', async () => {
  const { ask, house } = await api('agents 2', 'wait 5m', 'agent-1 tests vitest failing', 'agent-1 idles', 'wait 1m')
  house.fleet.git.edit('/workspaces/agent-1', 'src/a.ts', 'one\ntwo\n')
  const { body } = await ask('GET /api/finished')
  expect(body.finished).toEqual([
    {
      agent: 'agent-1',
      wallAt: Date.UTC(2026, 0, 20, 22, 5, 30),
      finishedAt: '2026-01-20T22:05:30.000Z',
      lifecycle: 'idle',
      model: 'sonnet',
      branch: 'main',
      tests: { runner: 'vitest', result: 'failed', why: 'it says that 1 failed' },
      // What it did before counts, too.
      diff: { files: 2, added: 2, removed: 0, commits: 0 },
    },
  ])
  expect((await ask('GET /api/agents/:id/finished')).body).toEqual({ agent: 'agent-1', finished: body.finished[0] })
  const told = { wallAt: Date.UTC(2026, 0, 20, 22, 5, 30), finishedAt: '2026-01-20T22:05:30.000Z' }
  expect((await ask('GET /api/agents/:id')).body).toMatchObject({ finished: told })
  const { needsYou, finished } = (await ask('GET /api/cloister/status')).body
  expect({ needsYou, finished: finished.map(({ agent }) => agent) }).toEqual({ needsYou: [], finished: ['agent-1'] })
  expect((await ask('POST /api/agents/:id/seen')).status).toBe(202)
  // Who has looked may look again.
  expect((await ask('POST /api/agents/:id/seen')).status).toBe(202)
  expect((await ask('POST /api/agents/:id/seen', { id: 'agent-9' })).status).toBe(404)
  expect((await ask('GET /api/finished')).body).toEqual({ finished: [] })
  // Whoever looks sees the same as before.
  const seen = { by: 'you', wallAt: Date.UTC(2026, 0, 20, 22, 6) }
  expect((await ask('GET /api/agents/:id')).body.finished).toEqual({ ...told, seen })
  expect((await ask('GET /api/agents/:id/finished')).body.finished).toEqual({ ...body.finished[0], seen })
  expect((await ask('GET /api/agents/:id/finished', { id: 'agent-2' })).body).toEqual({ agent: 'agent-2' })
  expect((await ask('GET /api/agents/:id/finished', { id: 'agent-9' })).status).toBe(404)
})

test('git is asked again only when something changed, or after a while', async () => {
  const { ask, house } = await api('agents 1', 'wait 5m', 'agent-1 idles', 'wait 1m')
  let asked = 0
  const diffStat = house.fleet.diffStat.bind(house.fleet)
  house.fleet.diffStat = (workspace) => {
    asked += 1
    return diffStat(workspace)
  }
  await ask('GET /api/finished')
  await ask('GET /api/finished')
  expect(asked).toBe(1)
  house.fleet.git.commit('/workspaces/agent-1')
  await ask('GET /api/finished')
  expect(asked).toBe(2)
  await house.wait(31_000)
  await ask('GET /api/finished')
  expect(asked).toBe(3)
})

test('a verdict that was wrong is kept with the words of whoever says so', async () => {
  const { ask, home } = await api('spawn agent-1', 'agent-1 hangs', 'wait 16m')
  const { status, body } = await ask('POST /api/agents/:id/wrong', { body: { words: 'it compiles' } })
  expect([status, body]).toMatchObject([200, { health: 'warning', cause: 'hung', reproduced: true, kept: 1 }])
  expect(body.file.startsWith(join(home, 'wrong/'))).toBe(true)
  expect(readFileSync(body.file, 'utf8')).toContain('"words":"it compiles"')
  expect((await ask('POST /api/agents/:id/wrong', { id: 'agent-9', body: { words: 'x' } })).status).toBe(404)
})
