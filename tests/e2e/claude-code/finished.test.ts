/** The real client: a turn that it ends itself is a finish, one that a person cuts short is none, and no model is taken on trust. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FinishedView } from '../../../src/contract/finished.ts'
import type { StateFile } from '../../../src/contract/published-files.ts'
import { scripted } from '../../model-api/turn.ts'
import { ID, clientFor, clients, gateIn, rested } from './real-claude.ts'

const CONFIG = 'monitoring:\n  check_interval: 1\n'
const WRITES = { name: 'Write', input: { file_path: 'part.txt', content: 'one\ntwo\n' } }

test('what it finished is listed with what it changed; new work, and a turn that a person cut short, are not', async (ctx) => {
  const real = await clientFor(ctx, { config: CONFIG, settings: { permissions: { allow: ['Bash'] } } })
  const { live, spawn, seen, type, press } = real
  const gate = gateIn(ctx, real)
  await spawn('begin', [{ text: 'I write.', tools: [WRITES] }, { text: 'It is written.' }])
  await live.event('agent.finished', ID)
  const { finished } = await live.client.get<{ finished: FinishedView[] }>('/api/finished')
  expect(finished).toMatchObject([{ agent: ID, diff: { added: 2, removed: 0 }, costUsd: expect.any(Number) as number }])
  const state = () => JSON.parse(readFileSync(join(live.home, 'agents', ID, 'state.json'), 'utf8')) as StateFile
  const cost = Number(finished[0]?.costUsd?.toFixed(6))
  await live.until(() => state().costSoFar === cost, 'its cost stands in its state')

  const tool = { name: 'Bash', input: { command: 'read -r line <gate', description: 'wait for the gate' } }
  const since = live.events.length
  type(scripted('go on', [{ tools: [tool] }, { text: 'never' }]))
  await seen('its tool is open', ({ doing }) => doing?.kind === 'tool')
  expect(await live.client.get('/api/finished')).toEqual({ finished: [] })
  await press('Escape', 'idle')
  const whys = () =>
    live.events.slice(since).flatMap((event) => (event.type === 'agent.lifecycle-changed' ? event.why : []))
  await live.until(() => whys().length > 1, 'it rests')
  // Who did it may be read a moment after that it was done.
  const cutShort: unknown = expect.stringMatching(/^(?:its turn was cut short|a person interrupted it)$/)
  expect(whys()).toEqual(['it began to work', cutShort])
  gate.open()
})

test('one that waits for its first prompt has finished nothing', async (ctx) => {
  const real = await clientFor(ctx, { config: CONFIG })
  const body = { id: ID, issue: 'pan-18', workspace: real.workspace, runtime: 'claude-code', model: 'sonnet' }
  await real.live.client.post('/api/agents', body)
  const rests = () =>
    real.live.events.flatMap((event) =>
      event.type === 'agent.lifecycle-changed' && event.to === 'idle' ? event.why : [],
    )
  await real.live.until(() => rests().length > 0, 'it rests')
  expect(rests()).toEqual(['it waits for its first prompt'])
})

test('a model that the client does not know is refused, and whoever works goes on', async (ctx) => {
  const real = await clientFor(ctx, { config: CONFIG })
  await real.spawn('Begin.')
  const before = await rested(real)
  const { client } = real.live
  for (const ask of [
    () => client.post(`/api/agents/${ID}/handoff`, { toModel: 'gpt-9' }),
    () => client.post(`/api/agents/${ID}/switch-model`, { model: 'gpt-9' }),
    () => client.post('/api/agents', { id: 'agent-pan-19', workspace: real.live.workspace('other'), model: 'gpt-9' }),
  ]) {
    await expect(ask()).rejects.toThrow('claude-code knows no model called gpt-9')
  }
  expect(clients(real)).toHaveLength(1)
  expect(await real.agent()).toMatchObject({ model: 'sonnet', generation: 1, sessionId: before.sessionId })
  expect(real.live.events.filter(({ type }) => type === 'handoff.proposed' || type === 'act.decided')).toHaveLength(1)
})
