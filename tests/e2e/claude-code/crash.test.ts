/** The client killed outright, and the daemon killed in the middle of a tool, of a wait and of a rest. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ProcessTrees } from '../../../src/adapters/process/process-trees.ts'
import { scripted } from '../../model-api/turn.ts'
import { ID, clientFor, killed, type RealClaude } from './real-claude.ts'

const COMMAND = 'touch started && tail -f /dev/null --pid=1'
const ENDLESS = { name: 'Bash', input: { command: COMMAND, description: 'never ends' } }

test('a client that was killed is dead at once, and what its tool left behind is ended with it', async (ctx) => {
  const real = await clientFor(ctx)
  const { live, workspace, spawn, seen, registry } = real
  await spawn('begin', [{ text: 'I look.', tools: [ENDLESS] }])
  await seen('its tool is open', ({ doing }) => doing?.kind === 'tool')
  await live.until(() => existsSync(join(workspace, 'started')), 'its tool runs')
  const trees = new ProcessTrees({ homeId: live.id, home: live.home })
  const run = runOf(real)
  process.kill(Number(registry()?.['pid']), 'SIGKILL')
  const dead = await seen('it is dead', ({ cause }) => cause?.kind === 'dead')
  expect(dead).toMatchObject({ lifecycle: 'active', health: 'stuck' })
  expect(await trees.lookAt(run)).toMatchObject({ alive: true })
  await live.client.post(`/api/agents/${ID}/kill`)
  await seen('it is stopped', ({ lifecycle }) => lifecycle === 'stopped')
  expect(await trees.lookAt(run)).toEqual({ alive: false })
})

test('a client that was killed goes on with its session: its work is saved and what its tool left is ended first', async (ctx) => {
  const real = await clientFor(ctx, { config: 'monitoring:\n  check_interval: 1\n' })
  const { live, workspace, agent, spawn, seen, registry } = real
  await spawn('begin', [{ text: 'I look.', tools: [ENDLESS] }])
  await seen('its tool is open', ({ doing }) => doing?.kind === 'tool')
  await live.until(() => existsSync(join(workspace, 'started')), 'its tool runs')
  const { sessionId } = await agent()
  const trees = new ProcessTrees({ homeId: live.id, home: live.home })
  const run = runOf(real)
  process.kill(Number(registry()?.['pid']), 'SIGKILL')
  const dead = await seen('what it left is known', ({ cause }) => cause?.kind === 'dead' && cause.orphans === true)
  expect(dead.heartbeat).toBeUndefined()
  const resume = () => live.client.post(`/api/agents/${ID}/resume`, { message: 'Go on.' })
  const isTaken = () =>
    resume().then(
      () => true,
      () => false,
    )
  await live.until(isTaken, 'two looks found it dead, and it is resumed')
  await live.event('agent.salvaged', ID)
  const again = await seen('it rests again', ({ lifecycle, generation }) => lifecycle === 'idle' && generation === 2)
  expect(again).toMatchObject({ sessionId })
  expect(await trees.lookAt(run)).toEqual({ alive: false })
})

test('the daemon is killed and comes back: what happened meanwhile is known', async (ctx) => {
  const real = await clientFor(ctx, { settings: { permissions: { allow: ['Bash'], ask: ['Bash(rm:*)'] } } })
  const { live, spawn, seen, type, press, shows } = real
  await spawn('begin', [{ text: 'I look.', tools: [ENDLESS] }])
  await seen('its tool is open', ({ doing }) => doing?.kind === 'tool')
  await killed(real)
  const still = await seen('its tool is still open', ({ doing }) => doing?.kind === 'tool')
  expect(still).toMatchObject({ lifecycle: 'active', doing: { what: 'Bash', witness: 'hook' } })

  await live.crash()
  await press('Escape', 'idle')
  await live.up()
  const rests = await seen('it is known to rest', ({ lifecycle }) => lifecycle === 'idle')
  expect(rests.doing).toMatchObject({ kind: 'idle', witness: 'registry' })

  type(
    scripted('go on', [
      { tools: [{ name: 'Bash', input: { command: 'rm -f x', description: 'x' } }] },
      { text: 'done' },
    ]),
  )
  await seen('it asks', ({ doing }) => doing?.kind === 'permission')
  await shows('Do you want to proceed?')
  await live.crash()
  await press('Enter', 'idle')
  await shows('● done')
  await live.up()
  const done = await seen('it is known to rest again', ({ lifecycle }) => lifecycle === 'idle')
  expect(done.doing).toMatchObject({ kind: 'idle', witness: expect.stringMatching(/^(?:hook|registry)$/) as string })
})

function runOf({ live }: RealClaude): string {
  const spawned = live.events.find((event) => event.type === 'act.decided' && event.act.kind === 'spawn')
  return spawned?.type === 'act.decided' ? (spawned.act.run ?? '') : ''
}
