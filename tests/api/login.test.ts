/** Signing in by the link, what the browser's token opens, and what an agent's token does not. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AuditEntry } from '../../src/api/audit.ts'
import { homeId } from '../../src/daemon/home-id.ts'
import { runTokens } from '../../src/daemon/run-token.ts'
import { serve } from '../../src/daemon/serve.ts'
import { servedPort, type ServedPort } from './served-port.ts'

const JSON_TYPE = 'Content-Type: application/json'

async function signIn({ ask, host, serving }: ServedPort): Promise<{ status: number; token: string; code: string }> {
  const link = new URL(serving.invite() ?? '')
  expect(link.host).toBe(host)
  const code = link.hash.slice('#login='.length)
  const headers = [`Host: ${host}`, `Origin: http://${host}`, JSON_TYPE]
  const { status, body } = await ask('POST /api/login', headers, JSON.stringify({ code }))
  return { status, code, token: (JSON.parse(body) as { token?: string }).token ?? '' }
}

test('a link signs in once; its token reads and acts like the owner until it is given back', async () => {
  const served = await servedPort('spawn agent-1', 'wait 2m')
  const { ask, host, home, serving } = served
  const { status, token, code } = await signIn(served)
  expect([status, token]).toEqual([200, expect.stringMatching(/^[0-9a-f]{64}$/)])
  const own = [`Host: ${host}`, `Origin: http://${host}`, `Authorization: Bearer ${token}`, JSON_TYPE]
  const again = await ask('POST /api/login', own, JSON.stringify({ code }))
  expect([again.status, again.body]).toEqual([401, expect.stringContaining('The link was used before')])
  expect((await ask('GET /api/agents', own)).status).toBe(200)
  expect((await ask('POST /api/agents/agent-1/message', own, '{"message":"hello"}')).status).toBe(202)
  // Who has a browser's token cannot make more of them.
  expect((await ask('POST /api/login-code', own)).status).toBe(403)
  expect((await ask('POST /api/logout', own)).status).toBe(200)
  expect((await ask('GET /api/agents', own)).status).toBe(401)
  await serving.close()
  const lines = readFileSync(join(home, 'logs/audit.jsonl'), 'utf8').trim().split('\n')
  const deeds = lines.map((line) => JSON.parse(line) as AuditEntry)
  expect(deeds.map(({ who, via, what, code: status }) => [who, via, what, status])).toEqual([
    ['you', 'dashboard', 'POST /api/login', 200],
    ['you', 'dashboard', 'POST /api/login', 401],
    ['you', 'dashboard', 'POST /api/agents/:id/message', 202],
    ['you', 'dashboard', 'POST /api/login-code', 403],
    ['you', 'dashboard', 'POST /api/logout', 200],
  ])
  expect([token, code].some((secret) => lines.join().includes(secret))).toBe(false)
})

test('a login outlives the daemon, and the port stays the same; all can be signed out', async () => {
  const served = await servedPort()
  const { ask, host, options, serving, good, token: owner } = served
  const { token } = await signIn(served)
  await serving.close()
  const next = await serve({ ...options, dashboard: { host: '127.0.0.1', port: 0, folder: '/nonexistent' } })
  try {
    expect(next.url).toBe(serving.url)
    const own = [`Host: ${host}`, `Authorization: Bearer ${token}`]
    expect((await ask('GET /api/agents', own)).status).toBe(200)
    const revoked = await ask('POST /api/logins/revoke', good)
    expect([revoked.status, revoked.body]).toEqual([200, '{"revoked":1}'])
    expect((await ask('GET /api/agents', own)).status).toBe(401)
    expect((await ask('GET /api/agents', [`Host: ${host}`, `Authorization: Bearer ${owner}`])).status).toBe(200)
    const page = await ask('GET /', [`Host: ${host}`])
    expect([page.status, page.body]).toEqual([404, expect.stringContaining('The dashboard is not built')])
  } finally {
    await next.close()
  }
})

test('the owner’s token is no login, and too many tries are stopped', async () => {
  const { ask, good, host } = await servedPort()
  expect((await ask('POST /api/logout', good)).status).toBe(409)
  const headers = [`Host: ${host}`, `Origin: http://${host}`, JSON_TYPE]
  const statuses: number[] = []
  for (let n = 0; n < 20; n += 1) statuses.push((await ask('POST /api/login', headers, '{"code":"x"}')).status)
  expect([statuses[0], statuses.includes(429)]).toEqual([401, true])
})

test('an agent’s token reports on its own agent and generation, and on nothing else', async () => {
  const { ask, host, home, house, token } = await servedPort('spawn agent-1', 'spawn agent-2', 'wait 2m')
  const { run = '', generation = 0 } = house.loop.world.agents.get('agent-1') ?? {}
  const { tokenOf } = runTokens(token, homeId(home))
  const as = (given: string) => [`Host: ${host}`, `Authorization: Bearer ${given}`, JSON_TYPE]
  const own = as(tokenOf({ agent: 'agent-1', generation, run }))
  const beat = '{"state":"active"}'
  expect((await ask('POST /api/agents/agent-1/heartbeat', own, beat)).status).toBeLessThan(300)
  for (const line of [
    'POST /api/agents/agent-2/heartbeat',
    'GET /api/agents/agent-1',
    'GET /api/agents',
    'POST /api/agents/agent-1/kill',
    'POST /api/cloister/emergency-stop',
    'POST /api/login-code',
    'POST /api/logins/revoke',
    'PUT /api/cloister/config',
    'GET /api/stream',
    'GET /metrics',
    'GET /api/openapi.json',
    'GET /api/nothing',
  ]) {
    const { status, body } = await ask(line, own, line.startsWith('GET') ? undefined : '{}')
    expect([line, status, body]).toEqual([line, 403, expect.stringContaining('An agent can report on itself')])
  }
  const old = as(tokenOf({ agent: 'agent-1', generation: generation - 1, run }))
  const other = as(tokenOf({ agent: 'agent-1', generation, run: `${run}x` }))
  for (const headers of [old, other]) {
    expect((await ask('POST /api/agents/agent-1/heartbeat', headers, beat)).status).toBe(401)
  }
})

test('the figures are told with the token', async () => {
  const { ask, good } = await servedPort('spawn agent-1', 'wait 2m')
  await ask('GET /api/agents', good)
  const { status, head, body } = await ask('GET /metrics', good)
  expect([status, /content-type: text\/plain/i.test(head)]).toEqual([200, true])
  expect(body).toContain('cloister_agents{health="active"} 1')
  expect(body).toContain('cloister_http_requests_total{method="GET",route="/api/agents",status="200"} 1')
  expect(body).toContain('cloister_connections{listener="tcp",kind="open"} ')
})
