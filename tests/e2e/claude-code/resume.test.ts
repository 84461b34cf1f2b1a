/** Sessions of the real Claude Code: suspended, resumed, cleared, interrupted, switched; never opened twice. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { EventOf } from '../../../src/contract/events.ts'
import type { MessagesView } from '../../../src/contract/views.ts'
import { scripted } from '../../model-api/turn.ts'
import { ID, clients, gateIn, killed, rested, started, type RealClaude } from './real-claude.ts'

/** Asks for an act and gives how it ended. */
async function act({ live }: RealClaude, what: string, body: object = {}): Promise<EventOf<'act.ended'>> {
  const since = live.events.length
  await live.client.post(`/api/agents/${ID}/${what}`, body)
  return live.event('act.ended', ID, since)
}

async function heard({ live }: RealClaude): Promise<string[]> {
  const { messages } = await live.client.get<MessagesView>(`/api/agents/${ID}/messages`)
  return messages.map(({ text, state, attempts }) => `${text}: ${state} ×${attempts}`)
}

test('suspend by exit, wake by a message, resume after the daemon was killed: the same session each time', async (ctx) => {
  const real = await started(ctx)
  const { sessionId } = await real.agent()
  expect(await act(real, 'suspend')).toMatchObject({ act: 'suspend', result: 'done' })
  expect(await real.agent()).toMatchObject({ lifecycle: 'suspended', sessionId, generation: 1 })
  expect(real.registry()).toBeUndefined()

  await real.live.client.post(`/api/agents/${ID}/message`, { message: 'Good morning.' })
  const woken = await rested(real)
  expect(woken).toMatchObject({ sessionId, generation: 2 })
  expect(await heard(real)).toEqual(['Good morning.: heard ×1'])

  expect(await act(real, 'suspend')).toMatchObject({ result: 'done' })
  const since = real.live.events.length
  await real.live.client.post(`/api/agents/${ID}/resume`, { message: 'And again.' })
  await killed(real)
  expect(await rested(real)).toMatchObject({ sessionId })
  await real.live.until(async () => (await heard(real)).at(-1) === 'And again.: heard ×1', 'it was told')
  expect(real.live.events.slice(since).filter(({ type }) => type === 'agent.session-lost')).toEqual([])
  expect(clients(real)).toHaveLength(1)
}, 300_000)

test('a session that is open elsewhere is left alone; one that was deleted is begun anew, and that is said', async (ctx) => {
  const real = await started(ctx)
  const { sessionId = '' } = await real.agent()
  expect(await act(real, 'suspend')).toMatchObject({ result: 'done' })

  const pane = real.live.tmux('display-message', '-p', '#{pid}').trim()
  expect(pane).not.toBe('')
  const claude = `claude --resume ${sessionId} --permission-mode acceptEdits`
  const env = Object.entries(real.live.env).map(([name, value]) => `${name}=${value}`)
  real.live.tmux(
    'new-session',
    '-d',
    '-s',
    'by-hand',
    '-c',
    real.workspace,
    'env',
    '-i',
    'TERM=xterm-256color',
    ...env,
    'sh',
    '-c',
    claude,
  )
  await real.live.until(() => real.registry()?.['sessionId'] === sessionId, 'somebody has the session open', 50)
  const { result, detail = '' } = await act(real, 'resume')
  const open = new RegExp(`^its session ${sessionId} is open in process (\\d+); close that first$`)
  expect({ result, detail }).toEqual({ result: 'not_done', detail: expect.stringMatching(open) as string })
  const pid = open.exec(detail)?.[1] ?? ''
  real.live.tmux('kill-session', '-t', '=by-hand')
  // While it ends, the client may write its entry of the registry once more.
  await real.live.until(() => !existsSync(`/proc/${pid}`), 'it is closed', 50)

  const projects = join(real.live.root, '.claude/projects')
  for (const folder of readdirSync(projects)) rmSync(join(projects, folder, `${sessionId}.jsonl`), { force: true })
  const since = real.live.events.length
  await real.live.client.post(`/api/agents/${ID}/message`, { message: 'Are you there?' })
  expect(await real.live.event('agent.session-lost', ID, since)).toMatchObject({
    sessionId,
    why: 'its transcript was deleted',
  })
  await real.live.until(async () => (await heard(real)).at(-1) === 'Are you there?: heard ×1', 'it was told')
  const fresh = await rested(real)
  expect(fresh.sessionId).not.toBe(sessionId)
}, 300_000)

test('cleared: the same process, a new session, a new generation, which hears; then another model', async (ctx) => {
  const real = await started(ctx)
  const before = await real.agent()
  const pid = real.registry()?.['pid']
  expect(await act(real, 'clear')).toMatchObject({ act: 'clear', result: 'done' })
  const cleared = await rested(real)
  expect(cleared.generation).toBe(2)
  expect(cleared.sessionId).not.toBe(before.sessionId)
  expect(real.registry()?.['pid']).toBe(pid)
  await real.live.client.post(`/api/agents/${ID}/message`, { message: 'Do you hear me?' })
  await real.live.until(async () => (await heard(real)).at(-1) === 'Do you hear me?: heard ×1', 'it hears')
  await rested(real)
  expect(real.live.events.filter(({ type }) => type === 'agent.fenced')).toEqual([])

  const since = real.live.events.length
  await real.live.client.post(`/api/agents/${ID}/switch-model`, { model: 'opus' })
  await real.live.until(
    () => real.live.events.slice(since).some((each) => each.type === 'act.ended' && each.act === 'resume'),
    'it was resumed',
  )
  expect(await rested(real)).toMatchObject({ model: 'opus', sessionId: cleared.sessionId, generation: 3 })
}, 300_000)

test('interrupted in the middle of a tool, and brought to rest by an order: verified, the session stays', async (ctx) => {
  const real = await started(ctx)
  const { sessionId } = await real.agent()
  gateIn(ctx, real)
  const wait = { name: 'Bash', input: { command: 'head -n 1 gate', description: 'wait' } }
  await real.live.client.post(`/api/agents/${ID}/message`, { message: scripted('Wait.', [{ tools: [wait] }]) })
  await real.seen('its tool is open', ({ cause, act: under }) => cause?.kind === 'working_tool' && under === undefined)
  expect(await act(real, 'interrupt')).toMatchObject({ act: 'interrupt', result: 'done' })
  expect(await rested(real)).toMatchObject({ sessionId, generation: 1 })

  const step = (n: number) => ({
    tools: [{ name: 'Bash', input: { command: `sleep 2; echo ${n}`, description: 'work' } }],
  })
  const long = Array.from({ length: 30 }, (_, n) => step(n))
  await real.live.client.post(`/api/agents/${ID}/message`, { message: scripted('Work.', long) })
  await real.seen('it works', ({ cause, act: under }) => cause?.kind === 'working_tool' && under === undefined)
  expect(await act(real, 'rest')).toMatchObject({ act: 'rest', result: 'done' })
  expect(await rested(real)).toMatchObject({ sessionId, generation: 1 })
}, 300_000)
