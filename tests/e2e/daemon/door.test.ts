/** A real daemon: its port, the link, and the token that an agent finds in its environment. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LiveHome } from './live-home.ts'

let live: LiveHome

beforeEach(async () => {
  live = new LiveHome()
  await live.up()
})
afterEach(() => live.remove())

function url(): string {
  return (JSON.parse(readFileSync(join(live.home, 'dashboard.json'), 'utf8')) as { url: string }).url
}

async function post(path: string, token: string, body: object): Promise<number> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return (await fetch(`${url()}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).status
}

test('an agent finds a token that reports on itself, until its generation is over', async () => {
  await live.spawn('agent-1', 'steady')
  await live.spawn('agent-2', 'steady')
  const [pid = ''] = live.tmux('list-panes', '-a', '-F', '#{pane_pid} #{session_name}').match(/\d+(?= agent-1@)/) ?? []
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  const token = variables.find((line) => line.startsWith('CLOISTER_TOKEN='))?.slice('CLOISTER_TOKEN='.length) ?? ''
  const beat = { state: 'active', action: 'tests pass' }
  expect(await post('/api/agents/agent-1/heartbeat', token, beat)).toBeLessThan(300)
  expect(await post('/api/agents/agent-2/heartbeat', token, beat)).toBe(403)
  expect(await post('/api/agents/agent-1/kill', token, {})).toBe(403)
  expect(await post('/api/cloister/emergency-stop', token, {})).toBe(403)
  await live.client.post('/api/agents/agent-1/kill')
  await live.until(async () => (await live.agent('agent-1')).lifecycle === 'stopped', 'agent-1 is stopped')
  await live.client.post('/api/agents', { id: 'agent-1' })
  await live.until(async () => (await live.agent('agent-1')).generation > 1, 'agent-1 lives again')
  expect(await post('/api/agents/agent-1/heartbeat', token, beat)).toBe(401)
})

test('after a restart the port is the same and the browser stays signed in', async () => {
  const before = url()
  const link = (await live.client.post<{ url: string }>('/api/login-code')).url
  const headers = { 'content-type': 'application/json', origin: before }
  const body = JSON.stringify({ code: link.split('#login=')[1] })
  const login = await fetch(`${before}/api/login`, { method: 'POST', headers, body })
  const { token } = (await login.json()) as { token: string }
  await live.down()
  await live.up()
  expect(url()).toBe(before)
  const agents = await fetch(`${before}/api/agents`, { headers: { authorization: `Bearer ${token}` } })
  expect(agents.status).toBe(200)
})
