/** An agent that waits at its prompt and is killed from outside: nobody takes it for waiting, and it can be started again. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ExplainView, InboxView } from '../../../src/contract/views.ts'
import { LiveHome } from './live-home.ts'

const ID = 'agent-pan-18'
const WAITS = `name: waits
about: says one thing and waits
steps:
  - say: I am ready.
`

let live: LiveHome
let workspace: string

beforeEach(async () => {
  live = new LiveHome()
  mkdirSync(join(live.home, 'understudies'), { recursive: true, mode: 0o700 })
  writeFileSync(join(live.home, 'cloister.yaml'), 'monitoring:\n  check_interval: 1\n')
  await live.up()
  writeFileSync(join(live.home, 'understudies', `${ID}.yaml`), WAITS)
  workspace = await live.spawn(ID, 'waits', 'Begin.')
  await live.until(async () => (await live.agent(ID)).lifecycle === 'idle', 'it waits at its prompt')
})

afterEach(() => live.remove())

function published(name: string): { lifecycle?: string; pid?: number | null } {
  const file = join(live.home, 'agents', ID, name)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as object) : {}
}

test('its terminal server is killed: it is stopped, its work saved, a person told; then it runs again', async () => {
  await live.until(() => typeof published('heartbeat.json').pid === 'number', 'its pid is published')
  const { pid } = published('heartbeat.json')
  expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toContain(`PANOPTICON_AGENT_ID=${ID}`)
  writeFileSync(join(workspace, 'thought.txt'), 'half a thought\n')

  process.kill(Number(live.tmux('display-message', '-p', '#{pid}')), 'SIGKILL')
  await live.until(async () => (await live.agent(ID)).lifecycle === 'stopped', 'it is stopped')
  await live.event('agent.salvaged', ID)
  await live.until(() => published('state.json').lifecycle === 'stopped', 'that is published')
  expect(published('heartbeat.json').pid).toBe(null)
  const { items } = await live.client.get<InboxView>('/api/inbox')
  expect(items.map(({ kind, agent }) => ({ kind, agent }))).toEqual([{ kind: 'dead', agent: ID }])
  const told = await live.client.get<ExplainView>(`/api/agents/${ID}/explain`)
  expect(told.reason).toBe('stopped: its process is gone')
  expect(told.witnesses.find(({ witness }) => witness === 'process')).toMatchObject({ value: 'gone' })
  await expect(live.client.get(`/api/agents/${ID}/attach`)).rejects.toThrow(`${ID} has no terminal to attach to`)

  const since = live.events.length
  await live.client.post('/api/agents', { id: ID, project: 'live', workspace, runtime: 'understudy', model: 'waits' })
  expect(await live.event('agent.started', ID, since)).toMatchObject({ generation: 2, confirmed: true })
  await live.until(async () => (await live.client.get<InboxView>('/api/inbox')).items.length === 0, 'nothing is open')
})
