/** Tasks of a real client: the list that it keeps itself, and beads that it closes by a command. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { TasksView } from '../../../src/contract/tasks.ts'
import { FAKE } from '../beads/project.ts'
import { scripted } from '../../model-api/turn.ts'
import { ID, clientFor, type RealClaude } from './real-claude.ts'

let bin: string | undefined

afterEach(() => {
  if (bin !== undefined) rmSync(bin, { recursive: true, force: true })
})

const tasksOf = ({ live }: RealClaude) => live.client.get<TasksView>(`/api/agents/${ID}/tasks`)

test('its own list has the name of its issue, is seen, and outlives its session', async (ctx) => {
  const real = await clientFor(ctx)
  const { live, spawn, seen } = real
  const task = (name: string, input: Record<string, unknown>) => ({ tools: [{ name, input }] })
  await spawn('begin', [
    task('TaskCreate', {
      subject: 'Plan the monitor',
      description: 'write it down',
      metadata: { complexity: 'expert' },
    }),
    task('TaskCreate', { subject: 'Fix a typo', description: 'in src/a.ts' }),
    task('TaskUpdate', { taskId: '2', addBlockedBy: ['1'] }),
    task('TaskUpdate', { taskId: '1', status: 'in_progress' }),
    { text: 'I plan.' },
  ])
  const begun = await seen('its tasks', ({ tasks }) => tasks?.current !== undefined && tasks.counts.blocked === 1)
  expect(begun.tasks).toMatchObject({
    source: 'claude-tasks',
    total: 2,
    current: { id: '1', title: 'Plan the monitor' },
  })
  expect(existsSync(join(live.root, '.claude/tasks/pan-18/1.json'))).toBe(true)

  await seen('it rests', ({ lifecycle }) => lifecycle === 'idle')
  await live.client.post(`/api/agents/${ID}/kill`, {})
  await seen('it is stopped', ({ lifecycle }) => lifecycle === 'stopped')
  const since = live.events.length
  const prompt = scripted('go on', [task('TaskUpdate', { taskId: '1', status: 'completed' }), { text: 'Planned.' }])
  await live.client.post('/api/agents', { id: ID, prompt })
  await live.event('agent.started', ID, since)
  const done = await seen('the first is closed', ({ tasks }) => tasks?.counts.closed === 1)
  expect(done.tasks).toMatchObject({
    counts: { open: 1, in_progress: 0, blocked: 0, closed: 1 },
    next: { id: '2', title: 'Fix a typo', complexity: 'simple', model: 'haiku' },
  })
  expect((await tasksOf(real)).tasks.map(({ id, state, route }) => [id, state, route.decidedBy])).toEqual([
    ['2', 'open', 'keywords'],
    ['1', 'closed', 'explicit'],
  ])
})

test('a task of beads that it closes by a command is seen at the end of that command', async (ctx) => {
  bin = mkdtempSync(join(tmpdir(), 'cloister-bd-'))
  const bd = join(bin, 'bd')
  writeFileSync(bd, `#!/bin/sh\nexec ${FAKE.join(' ')} "$@"\n`)
  chmodSync(bd, 0o755)
  const real = await clientFor(ctx, { env: { BD_BIN: bd } })
  const { workspace, spawn, seen } = real
  mkdirSync(join(workspace, '.beads'))
  const row = (id: string, title: string, more: object = {}) => ({
    id,
    title,
    status: 'open',
    labels: ['pan-18'],
    ...more,
  })
  const waits = { dependencies: [{ issue_id: 't-2', depends_on_id: 't-1', type: 'blocks', metadata: '{}' }] }
  const rows = [
    row('t-1', 'Plan the monitor'),
    row('t-2', 'Refactor it', waits),
    row('t-3', 'Of others', { labels: [] }),
  ]
  writeFileSync(join(workspace, '.beads/fake.json'), JSON.stringify({ version: '1.3.0', rows }))

  const command = `PATH=${bin}${delimiter}$PATH bd close t-1 --json && echo "$BEADS_ACTOR" >actor`
  await spawn('begin', [
    { tools: [{ name: 'Bash', input: { command: 'sleep 3', description: 'think' } }] },
    { tools: [{ name: 'Bash', input: { command, description: 'close it' } }] },
    { text: 'Closed.' },
  ])
  const closed = await seen('it is closed', ({ tasks }) => tasks?.counts.closed === 1)
  expect(closed.tasks).toMatchObject({
    source: 'beads',
    total: 2,
    counts: { open: 1, closed: 1 },
    next: { id: 't-2', complexity: 'complex', model: 'sonnet' },
  })
  expect(readFileSync(join(workspace, 'actor'), 'utf8')).toBe(`${ID}\n`)
})
