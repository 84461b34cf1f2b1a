import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ProcessTrees } from '../../../src/adapters/process/process-trees.ts'
import { describe as describeEvent } from '../../../src/core/describe.ts'
import { LiveHome } from './live-home.ts'

let live: LiveHome

beforeEach(() => {
  live = new LiveHome()
})

afterEach(async () => {
  await live.remove()
})

async function treeLives(id: string): Promise<boolean> {
  const trees = new ProcessTrees({ homeId: live.id, home: live.home })
  const started = live.events.findLast(
    (event) => event.type === 'act.decided' && event.agent === id && event.act.kind === 'spawn',
  )
  const run = started?.type === 'act.decided' ? started.act.run : undefined
  return run !== undefined && (await trees.lookAt(run)).alive
}

test('one life: spawned, seen by its hooks, messaged, killed without losing work, and known as stopped', async () => {
  await live.up()
  const workspace = await live.spawn('agent-pan-18', 'steady', 'Begin.')
  await live.until(async () => (await live.agent('agent-pan-18')).lifecycle === 'active', 'it works')
  const heartbeat = join(live.home, 'agents/agent-pan-18/heartbeat.json')
  await live.until(() => existsSync(heartbeat), 'a heartbeat')
  expect(JSON.parse(readFileSync(heartbeat, 'utf8'))).toMatchObject({ agent_id: 'agent-pan-18' })

  await live.client.post('/api/agents/agent-pan-18/message', {
    message: 'Please name your next step; (a "quoted" one)',
  })
  const ended = await live.event(
    'act.ended',
    'agent-pan-18',
    live.events.findIndex(({ type }) => type === 'agent.started') + 1,
  )
  expect(ended).toMatchObject({ act: 'message', result: 'done', detail: 'the agent took it' })

  writeFileSync(join(workspace, 'untracked.txt'), 'half of a thought\n')
  await live.client.post('/api/agents/agent-pan-18/kill')
  const salvaged = await live.event('agent.salvaged', 'agent-pan-18')
  expect(salvaged.ref).toMatch(/^refs\/cloister\/agent-pan-18\/1-\d+$/)
  await live.until(async () => (await live.agent('agent-pan-18')).lifecycle === 'stopped', 'it is stopped')
  expect(await treeLives('agent-pan-18')).toBe(false)
  const state = join(live.home, 'agents/agent-pan-18/state.json')
  await live.until(() => readFileSync(state, 'utf8').includes('"stopped"'), 'the state is published')
  expect(await live.down()).toBe(0)
})

test('a model that it could not be started with is refused before anything is done to it', async () => {
  await live.up()
  await live.spawn('agent-pan-18', 'steady', 'Begin.')
  const before = live.events.length
  await expect(live.client.post('/api/agents/agent-pan-18/switch-model', { model: 'nosuch' })).rejects.toThrow(
    'agent-pan-18 cannot go on with nosuch in understudy: There is no understudy script «nosuch»',
  )
  expect(live.events.slice(before).filter(({ type }) => type === 'act.decided')).toEqual([])
  expect(await treeLives('agent-pan-18')).toBe(true)
})

test('a worktree has one owner: by no name and from no folder in it is another agent started there', async () => {
  await live.up()
  const workspace = await live.spawn('agent-pan-18', 'steady', 'Begin.')
  const [nested, linked] = [join(workspace, 'deep'), join(live.root, 'linked')]
  mkdirSync(nested)
  symlinkSync(workspace, linked)
  const spawn = (place: string) =>
    live.client.post('/api/agents', { id: 'agent-pan-19', project: 'live', workspace: place, runtime: 'understudy' })
  for (const place of [workspace, nested, linked]) {
    await expect(spawn(place)).rejects.toThrow('agent-pan-19 is not started: agent-pan-18 owns the worktree')
  }
  await live.client.post('/api/agents/agent-pan-18/kill')
  await live.until(async () => (await live.agent('agent-pan-18')).lifecycle === 'stopped', 'its owner is gone')
  await live.client.post('/api/agents', {
    id: 'agent-pan-19',
    project: 'live',
    workspace: nested,
    runtime: 'understudy',
    model: 'steady',
  })
  await live.event('agent.started', 'agent-pan-19')
})

test('a workspace without git: the spawn says how it is saved, and the kill saves it as plain files', async () => {
  await live.up()
  const workspace = join(live.root, 'plain')
  mkdirSync(workspace)
  writeFileSync(join(workspace, 'thought.txt'), 'half of a thought\n')
  await live.client.post('/api/agents', {
    id: 'agent-1',
    project: 'live',
    workspace,
    runtime: 'understudy',
    model: 'steady',
  })
  expect(await live.event('act.ended', 'agent-1')).toMatchObject({
    act: 'spawn',
    result: 'done',
    detail: `its work is saved as plain files, 1 GB at most, since its workspace is in no git repository: ${workspace}`,
  })
  await live.client.post('/api/agents/agent-1/kill')
  const salvaged = await live.event('agent.salvaged', 'agent-1')
  expect(describeEvent(salvaged)).toBe(
    `The work of agent-1 was saved as salvage/agent-1/1-1, as plain files: ${workspace} is in no git repository.`,
  )
  await live.until(async () => (await live.agent('agent-1')).lifecycle === 'stopped', 'it is stopped')
  for (const folder of [workspace, join(live.home, 'salvage/agent-1/1-1/files')]) {
    expect(readFileSync(join(folder, 'thought.txt'), 'utf8')).toBe('half of a thought\n')
  }
})

test('a question is answered through its hook, without typing', async () => {
  await live.up()
  await live.spawn('agent-asks', 'asks', 'Begin.')
  const first = await live.event('needs-you.raised')
  expect(first.item).toMatchObject({ kind: 'waiting', answerable: true, options: ['allow', 'deny'] })
  const since = live.events.length
  await live.client.post(`/api/inbox/${first.item.id}/answer`, { answer: 'allow' })
  await live.until(
    () => live.events.slice(since).some((event) => event.type === 'needs-you.raised'),
    'the second question',
  )
  const second = live.events.slice(since).find((event) => event.type === 'needs-you.raised')
  expect(second?.type === 'needs-you.raised' && second.item.options).toEqual(['SQLite', 'Postgres'])
  if (second?.type !== 'needs-you.raised') return
  await live.client.post(`/api/inbox/${second.item.id}/answer`, { answer: 'SQLite' })
  await live.until(
    async () => (await live.client.get<{ items: unknown[] }>('/api/inbox')).items.length === 0,
    'the inbox is empty',
  )
  const answers = () =>
    live.events.flatMap((event) => (event.type === 'act.ended' && event.act === 'answer' ? event.result : []))
  await live.until(() => answers().length === 2, 'both answers are told of')
  expect(answers()).toEqual(['done', 'done'])
})

test('look-alike names: what is done to one is not done to the other', async () => {
  await live.up()
  await live.spawn('agent-pan-1', 'steady', 'Begin.')
  await live.spawn('agent-pan-18', 'steady', 'Begin.')
  await live.client.post('/api/agents/agent-pan-1/kill')
  await live.until(async () => (await live.agent('agent-pan-1')).lifecycle === 'stopped', 'the one is stopped')
  expect(await treeLives('agent-pan-18')).toBe(true)
  expect((await live.agent('agent-pan-18')).lifecycle).toBe('active')
})

test("an issue's name stands for its agent", async () => {
  await live.up()
  await live.spawn('agent-pan-18', 'steady', 'Begin.')
  expect((await live.agent('pan-18')).id).toBe('agent-pan-18')
  await expect(live.agent('pan-1')).rejects.toThrow('no agent')
})

test("text goes to the agent's own program or nowhere", async () => {
  await live.up()
  const workspace = await live.spawn('agent-1', 'steady')
  await live.until(async () => (await live.agent('agent-1')).lifecycle === 'idle', 'it is up')
  const [pane] = live
    .tmux('list-panes', '-a', '-F', '#{pane_id} #{@cloister_agent}')
    .split('\n')
    .filter((line) => line.endsWith('agent-1'))
  live.tmux('respawn-pane', '-k', '-t', pane?.split(' ')[0] ?? '', 'exec sh')
  await live.client.post('/api/agents/agent-1/message', { message: 'touch typed-into-a-shell' })
  const ended = await live.event(
    'act.ended',
    'agent-1',
    live.events.findIndex(({ type }) => type === 'agent.started') + 1,
  )
  expect(ended).toMatchObject({ act: 'message', result: 'fenced' })
  expect(existsSync(join(workspace, 'typed-into-a-shell'))).toBe(false)
})

test('a crash is seen at once, said once, and the agent is started again with its session', async () => {
  await live.up()
  await live.spawn('agent-1', 'crashes', 'Begin.')
  expect(await live.event('restart.planned')).toMatchObject({ agent: 'agent-1', inARow: 1 })
  const { sessionId } = await live.agent('agent-1')
  await live.until(async () => (await live.agent('agent-1')).generation === 2, 'it is started again')
  await live.until(async () => (await live.agent('agent-1')).sessionId === sessionId, 'with its session')
  const types = live.events.map(({ type }) => type)
  expect(types.indexOf('agent.salvaged')).toBeLessThan(types.lastIndexOf('agent.started'))
  expect(types).not.toContain('needs-you.raised')
})

test('the daemon restarts, and its agents do not notice', async () => {
  await live.up()
  await live.spawn('agent-1', 'steady', 'Begin.')
  const before = (await live.agent('agent-1')).generation
  await live.crash()
  await live.up()
  await live.until(async () => (await live.agent('agent-1')).health === 'active', 'it is judged again')
  expect(await live.agent('agent-1')).toMatchObject({ lifecycle: 'active', generation: before })
  expect(live.events.filter(({ type }) => type === 'agent.started')).toHaveLength(1)
})

test('two homes at once do not see each other', async () => {
  const other = new LiveHome()
  try {
    await Promise.all([live.up(), other.up()])
    await live.spawn('agent-1', 'steady', 'Begin.')
    await other.spawn('agent-1', 'steady', 'Begin.')
    await live.client.post('/api/cloister/emergency-stop')
    await live.event('emergency.ended')
    expect((await other.agent('agent-1')).lifecycle).toBe('active')
    expect((await live.agent('agent-1')).lifecycle).toBe('stopped')
  } finally {
    await other.remove()
  }
})
