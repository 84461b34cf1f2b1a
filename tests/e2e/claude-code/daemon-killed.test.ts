/** The daemon killed in the middle of everything that an agent can be at, and of everything that is done to one. */
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { AgentView } from '../../../src/contract/views.ts'
import { scripted } from '../../model-api/turn.ts'
import { ID, clientFor, clients, gateIn, isAtRest, killed, type RealClaude } from './real-claude.ts'

test('killed while it starts, works in the background, is limited, fails, stalls: all is known again', async (ctx) => {
  // Its full context is only to be known again here.
  const real = await clientFor(ctx, { config: 'context_cycle: { enabled: false }\n' })
  const { live, workspace, seen, type, press, shows, clearBox, screen } = real
  const gate = gateIn(ctx, real)

  const input = { command: 'read -r line <gate', description: 'wait', run_in_background: true }
  const turns = [
    { tools: [{ name: 'Bash', input }] },
    { text: 'it runs', usage: { cacheRead: 859_890 } },
    { text: 'shell done', usage: { cacheRead: 859_890 } },
  ]
  const body = { id: ID, workspace, runtime: 'claude-code', model: 'sonnet', prompt: scripted('begin', turns) }
  await live.client.post('/api/agents', body)
  await paneOf(real, ID)
  await killed(real)
  const isHalfFull = ({ doing, context }: AgentView) => doing?.kind === 'background' && context !== undefined
  await seen('it waits for its shell', isHalfFull)
  expect(clients(real)).toHaveLength(1)
  await killed(real)
  const waits = await seen('it is known to wait for its shell', ({ doing }) => doing?.kind === 'background')
  expect(waits).toMatchObject({ lifecycle: 'active', generation: 1, context: { share: 0.86 } })
  await killed(real, async () => {
    gate.open()
    await shows('● shell done')
  })
  await seen('it rests', isAtRest)

  type(scripted('again', [{ status: 429, headers: { 'retry-after': '3600' } }]))
  await seen('it is limited', ({ doing }) => doing?.kind === 'limited')
  await killed(real)
  expect(await seen('it is still limited', ({ cause }) => cause?.kind === 'rate_limited')).toMatchObject({
    doing: { kind: 'limited' },
  })

  type(scripted('and again', [{ status: 529, times: 3, after: { text: 'recovered' } }]))
  await seen('its request is sent again', ({ doing }) => doing?.kind === 'api_error')
  await killed(real, () => shows('● recovered'))
  await seen('it rests after the overload', isAtRest)

  type(scripted('and then', [{ hangs: true }]))
  await seen('its answer stalls', ({ doing }) => doing?.kind === 'thinking')
  await live.until(() => real.registry()?.['status'] === 'busy', 'the client is busy')
  await killed(real)
  expect(await seen('it still waits for it', ({ cause }) => cause?.kind === 'thinking')).toMatchObject({
    lifecycle: 'active',
  })
  await killed(real, () => press('Escape', 'idle'))
  await seen('it rests after Escape', isAtRest)
  clearBox()
  await live.until(() => !screen().includes('❯\u00A0and then'), 'the box is empty')

  const { sessionId } = await real.agent()
  await killed(real, () => {
    type('/clear')
    return live.until(() => real.registry()?.['sessionId'] !== sessionId, 'it has another session', 50)
  })
  expect(await seen('its other session is known', (agent) => agent.sessionId !== sessionId)).toMatchObject({
    sessionId: real.registry()?.['sessionId'],
  })
}, 180_000)

test('killed in the middle of a clear, a suspend, a death and a kill: each is done once, and no work is lost', async (ctx) => {
  const real = await clientFor(ctx)
  const { live, workspace, spawn, seen } = real
  await spawn('Begin.')
  const first = await seen('it rests', isAtRest)

  await live.client.post(`/api/agents/${ID}/clear`)
  await live.event('act.stepped', ID)
  await killed(real)
  const cleared = await seen('it is cleared', (agent) => isAtRest(agent) && agent.sessionId !== first.sessionId)
  expect(cleared).toMatchObject({ generation: 2, sessionId: real.registry()?.['sessionId'] })

  await live.client.post(`/api/agents/${ID}/suspend`)
  await killed(real)
  await seen('it sleeps', ({ lifecycle, act }) => lifecycle === 'suspended' && act === undefined)
  expect(clients(real)).toEqual([])
  await live.client.post(`/api/agents/${ID}/message`, { message: 'Good morning.' })
  expect(await seen('it is awake', isAtRest)).toMatchObject({ generation: 3, sessionId: cleared.sessionId })

  // Its program dies while nobody watches.
  const pid = Number(real.registry()?.['pid'])
  await killed(real, () => process.kill(pid, 'SIGKILL'))
  await seen('it is known to be dead', ({ lifecycle }) => lifecycle === 'stopped')
  await live.client.post(`/api/agents/${ID}/resume`, {})
  expect(await seen('it goes on', isAtRest)).toMatchObject({ generation: 4, sessionId: cleared.sessionId })

  const file = join(workspace, 'thought.txt')
  writeFileSync(file, 'half of a thought\n')
  await live.client.post(`/api/agents/${ID}/kill`)
  await killed(real)
  await seen('it is stopped', ({ lifecycle, act }) => lifecycle === 'stopped' && act === undefined)
  expect(clients(real)).toEqual([])
  rmSync(file)
  await live.client.post(`/api/agents/${ID}/restore`, { ref: 'latest' })
  await live.until(() => existsSync(file), 'its work is back')
}, 180_000)

test('two agents in one repository, each in a worktree of its own, with the daemon killed in between', async (ctx) => {
  const real = await clientFor(ctx)
  const { live, workspace } = real
  const ids = [18, 19].map((n) => `agent-pan-${n}`)
  const started = ids.map(async (id) => {
    const place = join(workspace, 'workspaces', id)
    execFileSync('git', ['-C', workspace, 'worktree', 'add', '--quiet', '-b', id, place], { env: live.env })
    const body = { id, workspace: place, runtime: 'claude-code', model: 'sonnet', prompt: `I am ${id}.` }
    await live.client.post('/api/agents', body)
  })
  await Promise.all(started)
  for (const id of ids) await paneOf(real, id)
  await killed(real)
  for (const id of ids) await live.until(async () => isAtRest(await live.agent(id)), `${id} rests`)
  await Promise.all(ids.map((id) => live.client.post(`/api/agents/${id}/message`, { message: `You are ${id}.` })))
  await killed(real)
  for (const id of ids) {
    await live.until(async () => {
      const { messages } = await live.client.get<{ messages: { state: string; text: string }[] }>(
        `/api/agents/${id}/messages`,
      )
      return messages.length === 1 && messages[0]?.state === 'heard' && messages[0].text === `You are ${id}.`
    }, `${id} heard its own`)
  }
  const [one, other] = await Promise.all(ids.map((id) => live.agent(id)))
  expect(one?.sessionId).not.toBe(other?.sessionId)
  expect(clients(real)).toHaveLength(2)
  expect([one?.branch, other?.branch]).toEqual(ids)
  const refused = live.client.post('/api/agents', { id: 'agent-pan-20', workspace: one?.workspace })
  await expect(refused).rejects.toThrow('agent-pan-18 owns the worktree')
}, 180_000)

/** It is being started. */
function paneOf({ live }: RealClaude, id: string): Promise<void> {
  const panes = () => live.tmux('list-panes', '-a', '-F', '#{@cloister_agent}').split('\n')
  return live.until(() => panes().includes(id), `there is a pane of ${id}`, 10)
}
