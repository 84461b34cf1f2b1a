/** `pan route`, `--auto` and the tasks of an agent as people see them, against a house on a virtual clock. */
import { expect, onTestFinished, test } from 'vitest'
import { VirtualTasks } from '../fakes/virtual-tasks.ts'
import { configSchema } from '../../src/contract/config/schema.ts'
import { toSettings } from '../../src/contract/config/to-settings.ts'
import type { RouteView } from '../../src/contract/tasks.ts'
import { keptTasks, noTasks } from '../../src/core/tasks/own-tasks.ts'
import { serve } from '../../src/daemon/serve.ts'
import { spawnDefaults } from '../../src/daemon/spawn-defaults.ts'
import { TaskDesk } from '../../src/daemon/task-desk.ts'
import { playedHouse } from '../api/served-house.ts'
import { runPan } from './run-pan.ts'

async function panWithTasks(...lines: string[]) {
  const served = await playedHouse(...lines)
  const source = new VirtualTasks()
  const tasks = new TaskDesk({ sources: [source], clock: served.house.clock })
  const epic = source.add('/repo', 'The door', { group: true, tags: ['pan-18'] })
  source.add('/repo', 'Plan the door', { parent: epic, state: 'closed' })
  source.add('/repo', 'Secure the door', { parent: epic, tags: ['security'], priority: 1 })
  source.add('/repo', 'Document the door', { parent: epic, tags: ['docs'], blockedBy: ['t-3'] })
  const config = configSchema.parse({})
  const defaults = () => ({ ...spawnDefaults(config, tasks), runtimeOf: () => 'virtual' })
  const serving = await serve({ ...served.options, tasks, spawnDefaults: defaults })
  onTestFinished(() => serving.close())
  const pan = (...args: string[]) => runPan(args, { home: served.home, env: { COLUMNS: '100' } })
  return { ...served, pan, source }
}

test('a task is explained by its id, its title, and for a specialist; any other title by itself', async () => {
  const { pan } = await panWithTasks('wait 1m')
  const asked = [
    ['t-3', '--repo', '/repo'],
    ['document', 'the', 'DOOR', '--repo', '/repo'],
    ['Refactor the lock', '--repo', '/elsewhere'],
    ['t-3', '--repo', '/repo', '--specialist', 'test-agent'],
  ]
  const shown: string[] = []
  for (const args of asked) {
    const { out, err, code } = await pan('route', ...args)
    shown.push(`$ pan route ${args.join(' ')}\n${out}${err}[${code}]\n`)
  }
  await expect(shown.join('\n')).toMatchFileSnapshot('golden/route.txt')
  const { out } = await pan('route', 't-3', '--repo', '/repo', '--json')
  expect(JSON.parse(out)).toMatchObject({ about: { kind: 'task', id: 't-3' }, model: 'opus', decidedBy: 'tags' })
})

test('spawn and work choose the model by the task; --model excludes it', async () => {
  const { pan, house } = await panWithTasks('wait 1m')
  const { out, code } = await pan('agents', 'spawn', 'pan-18', '--workspace', '/repo', '--auto', '--no-wait')
  expect(code).toBe(0)
  expect(out).toContain(
    'Its model is opus: by its task t-3 «Secure the door», it is tagged «security», so it is expert',
  )
  expect(house.loop.world.agents.get('agent-pan-18')).toMatchObject({ model: 'opus', runtime: 'virtual' })
  for (const command of [
    ['agents', 'spawn'],
    ['work', 'issue'],
  ]) {
    const both = await pan(...command, 'pan-18', '--auto', '--model', 'opus')
    expect(both).toMatchObject({ code: 2, out: '' })
    expect(both.err).toContain('--auto chooses the model; leave out --model, or --auto.')
  }
})

test('agents show tells how far it is, and what is missing where there is no list', async () => {
  const { pan, house, source } = await panWithTasks('spawn agent-1', 'spawn agent-2', 'wait 1m')
  const found = await source.find({ workspace: '/repo' })
  const list = 'missing' in found ? [] : await found.read()
  const told = { generation: 1, witness: 'tasks' } as const
  await house.loop.report({ ...told, agent: 'agent-1', stamp: 'a', tasks: keptTasks('beads', list) })
  await house.loop.report({ ...told, agent: 'agent-2', tasks: noTasks('bd is not there') })
  const tasksIn = async (id: string) =>
    (await pan('agents', 'show', id)).out
      .match(/^ {2}tasks +(?<words>.+(?:\n {8,}.+)*)/m)
      ?.groups?.['words']?.replaceAll(/\s+/g, ' ')
  expect(await tasksIn('agent-1')).toBe('1 of 3 closed, 1 blocked, by beads; next: Secure the door (t-3, expert, opus)')
  expect(await tasksIn('agent-2')).toBe('none: bd is not there')
})

test('a runtime that is not there yet is said, with what is started instead, and --auto starts that', async () => {
  const served = await playedHouse('wait 1m')
  const tasks = new TaskDesk({ sources: [], clock: served.house.clock })
  const given = { model_selection: { tiers: { cheap: 'deepseek-v3' }, complexity_routing: { simple: 'cheap' } } }
  const config = configSchema.parse(given)
  served.house.loop.world.settings = toSettings(config)
  const serving = await serve({ ...served.options, tasks, spawnDefaults: () => spawnDefaults(config, tasks) })
  onTestFinished(() => serving.close())
  const pan = (...args: string[]) => runPan(args, { home: served.home, env: { COLUMNS: '100' } })
  const { out } = await pan('route', 'Fix a typo', '--repo', '/elsewhere')
  expect(out).toContain('runtime  opencode, by its model\n  instead  haiku in claude-code: opencode is not there yet\n')
  const view = JSON.parse((await pan('route', 'Fix a typo', '--repo', '/elsewhere', '--json')).out) as RouteView
  expect(view.instead).toMatchObject({ model: 'haiku', runtime: 'claude-code' })
  const started = await pan(
    'agents',
    'spawn',
    'pan-18',
    '--workspace',
    '/repo',
    '--auto',
    '--no-wait',
    '--title',
    'Fix a typo',
  )
  // This house has no Claude Code; what matters is what was asked for.
  expect(started.err).toContain('there is no runtime called claude-code')
  const named = await pan('agents', 'spawn', 'pan-18', '--workspace', '/repo', '--model', 'deepseek-v3')
  expect(named.err).toContain('there is no runtime called opencode')
})
