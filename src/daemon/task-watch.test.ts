import { expect, onTestFinished, test } from 'vitest'
import { quiet } from '../../tests/fakes/virtual-clock.ts'
import { VirtualTasks } from '../../tests/fakes/virtual-tasks.ts'
import { claudeTasks } from '../adapters/claude-tasks/claude-tasks.ts'
import { House } from '../../tests/nights/house.ts'
import { perform } from '../../tests/nights/script.ts'
import type { TaskSource } from '../core/tasks-port.ts'
import { agentView } from '../core/views.ts'
import { TaskDesk } from './task-desk.ts'
import { TaskWatch } from './task-watch.ts'

const SECOND = 1000

/** Two agents at work in one repository, whose tasks are watched. */
async function watched(make?: (source: VirtualTasks) => readonly TaskSource[]) {
  const house = new House()
  await perform(house, 'set trigger nextTask off')
  await house.boot()
  for (const line of ['agents 2', 'wait 1m']) await perform(house, line)
  const source = new VirtualTasks()
  const { clock, loop } = house
  const desk = new TaskDesk({ sources: make?.(source) ?? [source], clock })
  const watch = new TaskWatch({ desk, clock, loop })
  onTestFinished(() => {
    watch.stop()
    loop.stop()
  })
  const agent = (id = 'agent-1') => {
    const record = loop.world.agents.get(id)
    if (record === undefined) throw new Error(`there is no ${id}`)
    return record
  }
  const shown = (id = 'agent-1') => agentView(loop.world, id)?.tasks
  const reported = async (action: string, kind: 'tool' | 'thinking') => {
    const { generation } = agent()
    const ts = new Date(clock.now().wallAt).toISOString()
    await loop.report({
      ...{ agent: 'agent-1', generation, witness: 'hook', stamp: `${action} ${kind} ${clock.now().monoAt}` },
      doing: kind === 'tool' ? { kind, name: 'Bash', boundMs: 1000 } : { kind },
      ...(kind === 'tool' ? { activity: { ts, tool: 'Bash', action, state: 'active' as const } } : {}),
    })
    await quiet()
  }
  return { house, source, desk, watch, agent, shown, reported, workspace: agent().workspace }
}

test('tasks of living agents are seen at once, then every 30 s, and told only when they changed', async () => {
  const { house, source, watch, agent, shown, workspace } = await watched()
  const plan = source.add(workspace, 'Plan', { assignee: 'agent-1' })
  source.add(workspace, 'Fix a typo', { assignee: 'agent-1', blockedBy: [plan] })
  watch.begin()
  await quiet()
  expect(shown()).toMatchObject({ source: 'beads', total: 2, next: { title: 'Plan', model: 'sonnet' } })
  const first = agent().tasks
  await house.wait(29 * SECOND)
  expect(source.reads).toBe(1)
  source.change(workspace, plan, { state: 'closed', changedWallAt: house.clock.now().wallAt })
  await house.wait(2 * SECOND)
  expect(source.reads).toBe(2)
  expect(shown()).toMatchObject({ counts: { closed: 1, open: 1 }, next: { title: 'Fix a typo', model: 'haiku' } })
  const second = agent().tasks
  expect(second).not.toBe(first)
  await house.wait(60 * SECOND)
  expect(agent().tasks).toBe(second)
})

test('a closed task is progress; that there are tasks is not, and no sign of work either', async () => {
  const { house, source, watch, agent, workspace } = await watched()
  const plan = source.add(workspace, 'Plan', { assignee: 'agent-1', changedWallAt: 1 })
  await perform(house, 'agent-1 hangs')
  await house.wait(120 * SECOND)
  const before = agent()
  watch.begin()
  await quiet()
  expect(agent().tasks?.counts.open).toBe(1)
  expect([agent().producedAt, agent().progressedAt]).toEqual([before.producedAt, before.progressedAt])
  const { wallAt } = house.clock.now()
  source.change(workspace, plan, { state: 'closed', changedWallAt: wallAt })
  await house.wait(31 * SECOND)
  expect(agent().progressedAt).toBeGreaterThan(before.progressedAt)
})

test('when a call that closes a task is over, its list is looked at a second later, once for several', async () => {
  const { house, source, watch, shown, reported, workspace } = await watched()
  const plan = source.add(workspace, 'Plan', { assignee: 'agent-1' })
  watch.begin()
  await quiet()
  await house.wait(5 * SECOND)
  await reported('Bash: bd close t-1', 'tool')
  expect(source.reads).toBe(1)
  await reported('Bash: bd close t-1', 'thinking')
  await reported('Bash: bd close t-1', 'tool')
  await house.wait(SECOND / 2)
  source.change(workspace, plan, { state: 'closed' })
  await reported('Bash: bd close t-1', 'thinking')
  await house.wait(2 * SECOND)
  expect(source.reads).toBe(2)
  expect(shown()).toMatchObject({ total: 1, counts: { closed: 1 } })
  await reported('Bash: npm test', 'tool')
  await reported('Bash: npm test', 'thinking')
  await house.wait(5 * SECOND)
  expect(source.reads).toBe(2)
})

test('one list for both agents is read once; those that are not of the agent are not shown as its own', async () => {
  const { source, watch, shown, workspace } = await watched((virtual) => [
    { kind: 'beads', shared: true, find: () => virtual.find({ workspace: '/shared' }) },
  ])
  source.add('/shared', 'Plan', { assignee: 'agent-1' })
  watch.begin()
  await quiet()
  expect(source.reads).toBe(1)
  expect([shown('agent-1')?.total, shown('agent-2')?.total]).toEqual([1, 0])
  expect(shown('agent-2')).toMatchObject({ source: 'beads', why: 'of 1 task there none is of agent-2' })
  expect(workspace).not.toBe('/shared')
})

test('without a list it is said what is missing, once', async () => {
  const { house, watch, agent, shown } = await watched((virtual) => [
    virtual,
    claudeTasks({ env: { CLAUDE_CONFIG_DIR: '/nowhere' } }),
  ])
  watch.begin()
  // The file system answers in its own time.
  await expect
    .poll(() => shown()?.why)
    .toBe(`there is no list for ${agent().workspace}; Claude Code has made no task list for it`)
  expect(shown()).toMatchObject({ total: 0 })
  expect(shown()).not.toHaveProperty('source')
  expect(agent().evidence.tasks).toBe(undefined)
  const first = agent().tasks
  await house.wait(60 * SECOND)
  expect(agent().tasks).toBe(first)
})

test('a list that comes later is found within five minutes', async () => {
  const { house, source, watch, shown, workspace } = await watched()
  watch.begin()
  await quiet()
  expect(shown()).not.toHaveProperty('source')
  source.add(workspace, 'Plan', { assignee: 'agent-1' })
  await house.wait(61 * SECOND)
  expect(shown()).not.toHaveProperty('source')
  await house.wait(5 * 60 * SECOND)
  expect(shown()).toMatchObject({ source: 'beads', total: 1 })
})

test('a list that cannot be read for once changes nothing; one that never could says why', async () => {
  const { house, source, watch, shown, workspace } = await watched()
  source.add(workspace, 'Plan', { assignee: 'agent-1' })
  source.failure = 'bd is not there'
  watch.begin()
  await quiet()
  expect(shown()).toMatchObject({ why: 'bd is not there', total: 0 })
  source.failure = undefined
  await house.wait(31 * SECOND)
  expect(shown()).toMatchObject({ source: 'beads', total: 1 })
  source.failure = 'it is locked'
  await house.wait(31 * SECOND)
  expect(shown()).toMatchObject({ source: 'beads', total: 1 })
})

test('nobody is asked while monitoring is paused, nor about agents that do not live', async () => {
  const { house, source, watch, workspace } = await watched()
  source.add(workspace, 'Plan', { assignee: 'agent-1' })
  await house.submit({ type: 'cloister.stop' })
  watch.begin()
  await house.wait(31 * SECOND)
  expect(source.reads).toBe(0)
  await house.submit({ type: 'cloister.start' })
  await perform(house, 'kill agent-1')
  await house.wait(61 * SECOND)
  expect(source.reads).toBe(0)
})
