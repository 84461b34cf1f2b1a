import { expect, test } from 'vitest'
import { House } from '../../tests/nights/house.ts'
import { perform } from '../../tests/nights/script.ts'
import { agentView as agentViewSchema } from '../contract/views.ts'
import { statusView as statusViewSchema } from '../contract/status-view.ts'
import { agentView, statusView } from './views.ts'

async function played(...lines: string[]): Promise<House> {
  const house = new House()
  await house.boot()
  for (const line of lines) await perform(house, line)
  return house
}

test('a silent agent is shown with its cause, its age and what the witnesses said', async () => {
  const house = await played('spawn agent-1', 'agent-1 ignores pokes', 'wait 10m', 'agent-1 hangs', 'wait 20m')
  const view = agentView(house.loop.world, 'agent-1')
  expect(agentViewSchema.safeParse(view).error).toBeUndefined()
  expect(view).toMatchObject({
    lifecycle: 'active',
    health: 'warning',
    cause: { kind: 'hung' },
    reason: 'hung: its turn is open and nothing moves; no sign of work for 20 min',
    pokes: 1,
    simulated: true,
  })
  expect(view?.citations.map(({ witness }) => witness)).toEqual(['process', 'hook', 'terminal', 'git'])
  expect(agentView(house.loop.world, 'agent-9')).toBeUndefined()
})

test('an agent that is not active has a lifecycle and no health', async () => {
  const house = await played('spawn agent-1', 'wait 2m', 'agent-1 idles', 'wait 5m')
  expect(agentView(house.loop.world, 'agent-1')).toMatchObject({ lifecycle: 'idle' })
  expect(agentView(house.loop.world, 'agent-1')?.health).toBeUndefined()
})

test('a daemon that cannot see says unknown instead of showing old verdicts', async () => {
  const house = await played('agents 2', 'wait 10m', 'terminal down', 'wait 1m')
  const status = statusView(house.loop.world)
  expect(statusViewSchema.safeParse(status).error).toBeUndefined()
  expect(status).toMatchObject({
    running: true,
    degraded: 'Cloister cannot see the agents: no terminal server answers',
    watching: 2,
    summary: { active: 0, unknown: 2 },
  })
  expect(agentView(house.loop.world, 'agent-1')).toMatchObject({ health: 'unknown' })
})

test('a doubt about ourselves makes no agent look better', async () => {
  const house = await played(
    'spawn agent-1',
    'agent-1 ignores pokes',
    'wait 10m',
    'agent-1 hangs',
    'wait 18m',
    'sleep 1h',
    'wait 2m',
  )
  expect(agentView(house.loop.world, 'agent-1')).toMatchObject({ health: 'warning' })
})
