/** PAN-80's testing notes, one test each, over the API and a house on a virtual clock. */
import { expect, test } from 'vitest'
import type { Api, ApiKey } from '../../src/api/api-types.ts'
import { createApp } from '../../src/api/app.ts'
import { ACTIVITY_LIMIT } from '../../src/contract/records.ts'
import { publishedFiles } from '../../src/core/published.ts'
import { agentView } from '../../src/core/views.ts'
import { perform } from '../nights/script.ts'
import { depsFor, playedHouse } from './served-house.ts'

async function api(...lines: string[]) {
  const served = await playedHouse(...lines)
  const deps = depsFor(served.options)
  const app = createApp(deps)
  const ask = async <Key extends ApiKey>(key: Key, body: unknown = {}) => {
    const [method = '', path = ''] = key.split(' ')
    const headers = { authorization: `Bearer ${deps.token}`, 'content-type': 'application/json' }
    const sent = method === 'GET' ? {} : { body: JSON.stringify(body) }
    const response = await app.request(path.replace(':id', 'agent-1'), { method, headers, ...sent })
    return { status: response.status, body: (await response.json()) as Api[Key]['answer'] }
  }
  const play = async (...more: string[]) => {
    for (const line of more) await perform(served.house, line)
  }
  const lifecycle = () => served.house.loop.world.agents.get('agent-1')?.lifecycle
  return { ...served, ask, play, lifecycle }
}

test('state transitions: uninitialized → active → idle → suspended → active', async () => {
  const { house, play } = await api('spawn agent-1', 'wait 1m', 'agent-1 idles', 'wait 11m')
  await play('wake agent-1', 'wait 1m')
  const changes = house.events.flatMap((event) =>
    event.type === 'agent.lifecycle-changed' ? `${event.from} → ${event.to}` : [],
  )
  expect(changes).toEqual(['uninitialized → active', 'active → idle', 'idle → suspended', 'suspended → active'])
})

test('auto-suspend after the idle timeout: the session id is saved and the tree has ended', async () => {
  const { house, play, lifecycle } = await api('spawn agent-1', 'wait 1m', 'agent-1 idles', 'wait 9m')
  expect([lifecycle(), house.fleet.living().length]).toEqual(['idle', 1])
  await play('wait 2m')
  expect([lifecycle(), house.fleet.living().length]).toEqual(['suspended', 0])
  const agent = house.loop.world.agents.get('agent-1')
  expect(agent?.sessionId).toBeDefined()
  expect(agent && publishedFiles(agent)['session.id']).toBe(agent?.sessionId)
})

test('a specialist is suspended after five minutes, another agent after ten', async () => {
  const { house } = await api('specialist merge-agent', 'spawn agent-1', 'wait 1m', 'all idles', 'wait 6m')
  const lifecycles = [...house.loop.world.agents.values()].map(({ id, lifecycle }) => `${id} ${lifecycle}`)
  expect(lifecycles.toSorted()).toEqual(['agent-1 idle', 'merge-agent suspended'])
})

test('auto-resume when work is queued', async () => {
  const { ask, play, lifecycle, house } = await api('spawn agent-1', 'wait 1m', 'agent-1 idles', 'wait 11m')
  expect(lifecycle()).toBe('suspended')
  expect((await ask('POST /api/agents/:id/assign', { what: 'Review PAN-18.' })).status).toBe(202)
  await play('wait 1m')
  expect(lifecycle()).toBe('active')
  expect(house.fleet.agent('agent-1')?.typed.join('\n')).toContain('Review PAN-18.')
})

test('auto-resume when a message comes', async () => {
  const { ask, play, lifecycle } = await api('spawn agent-1', 'wait 1m', 'agent-1 idles', 'wait 11m')
  expect((await ask('POST /api/agents/:id/message', { message: 'Please go on.' })).status).toBe(202)
  await play('wait 1m')
  expect(lifecycle()).toBe('active')
})

test('manual suspend, and manual resume as the dashboard’s button asks for it', async () => {
  const { ask, play, lifecycle } = await api('spawn agent-1', 'wait 1m')
  expect((await ask('POST /api/agents/:id/suspend')).status).toBe(409)
  await play('agent-1 idles')
  expect((await ask('POST /api/agents/:id/suspend')).status).toBe(202)
  await play('wait 1m')
  expect(lifecycle()).toBe('suspended')
  expect((await ask('POST /api/agents/:id/resume', { message: 'Good morning.' })).status).toBe(202)
  await play('wait 1m')
  expect(lifecycle()).toBe('active')
})

test('the activity log stays at 100 entries', async () => {
  const { ask, house } = await api('spawn agent-1', 'wait 1m')
  for (let n = 0; n < ACTIVITY_LIMIT + 20; n += 1) {
    await ask('POST /api/agents/:id/heartbeat', { state: 'active', tool: 'Bash', action: `step ${n}` })
  }
  const { body } = await ask('GET /api/agents/:id/activity')
  expect(body.activities).toHaveLength(ACTIVITY_LIMIT)
  expect(body.activities.at(-1)).toMatchObject({ action: `step ${ACTIVITY_LIMIT + 19}`, state: 'active' })
  const agent = house.loop.world.agents.get('agent-1')
  const lines = agent && publishedFiles(agent)['activity.jsonl']?.trimEnd().split('\n')
  expect(lines).toHaveLength(ACTIVITY_LIMIT)
})

test('a heartbeat shows at once in what the dashboard is told', async () => {
  const { ask, house } = await api('spawn agent-1', 'wait 1m')
  const told: string[] = []
  house.loop.durable.follow((_, agents) => told.push(...agents))
  expect((await ask('POST /api/agents/:id/heartbeat', { state: 'idle' })).status).toBe(200)
  expect(told).toContain('agent-1')
  expect(agentView(house.loop.world, 'agent-1')?.lifecycle).toBe('idle')
})

test('state survives a restart of the daemon: asleep, held, limited, with the work that waits', async () => {
  const { house, play } = await api('spawn agent-1', 'wait 1m', 'agent-1 idles', 'wait 11m', 'hold agent-1 2h quiet')
  await play('spawn agent-2', 'wait 1m', 'agent-2 is limited for 1h', 'assign agent-2 Fix it.', 'wait 1m')
  const kept = () =>
    [...house.loop.world.agents.values()].map(({ id, lifecycle, sessionId, hold, limit, assignment, activities }) => ({
      ...{ id, lifecycle, sessionId, hold, limit, assignment, activities },
    }))
  const before = kept()
  house.crash()
  await house.boot()
  expect(kept()).toEqual(before)
})
