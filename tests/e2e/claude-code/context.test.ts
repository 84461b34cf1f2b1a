/** How full the context is, from the status line, which still shows what the user's own command prints. */
import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import type { CostView } from '../../../src/contract/cost-views.ts'
import { scripted } from '../../model-api/turn.ts'
import { ID, clientFor } from './real-claude.ts'
import { built } from '../../programs.ts'

const PAN = built('cli/main')

test('86 % are shown to programs and people, and the user sees the line he is used to', async (ctx) => {
  const command = `sed -n 's/.*"used_percentage":\\([0-9]*\\).*/own line: \\1%/p'`
  const real = await clientFor(ctx, { settings: { statusLine: { type: 'command', command, padding: 1 } } })
  const { live, spawn, seen, screen } = real
  await spawn('begin', [{ text: 'read it all', usage: { cacheRead: 859_890 } }])
  const full = await seen('the status line has spoken', ({ context }) => context?.source === 'status_line')
  expect(full.context).toEqual({
    tokens: 860_000,
    window: 1_000_000,
    share: 0.86,
    source: 'status_line',
    ageMs: expect.any(Number),
  })
  await live.until(() => screen().includes('own line: 86%'), "the user's own line is there")
  await seen('it rests', ({ lifecycle }) => lifecycle === 'idle')
  const pan = (...args: string[]) =>
    execFileSync(process.execPath, [PAN, ...args], { env: { ...live.env, NO_COLOR: '1' }, encoding: 'utf8' })
  expect(pan('agents', 'show', ID)).toMatch(/context\s+86 % of 1,000,000 tokens/)
  expect(pan('cloister', 'status')).toMatch(new RegExp(`${ID}\\s+active`))
})

test('its cost is counted from its transcript and agrees with what the client says itself', async (ctx) => {
  const real = await clientFor(ctx)
  const { live, workspace, seen } = real
  const used = { input: 1_200, output: 3_400, cacheRead: 56_000, cacheWrite: 7_800 }
  const prompt = scripted('begin', [{ text: 'read it all', usage: used }])
  await live.client.post('/api/agents', { id: ID, workspace, runtime: 'claude-code', model: 'opus', prompt })
  await seen('it rests', ({ lifecycle }) => lifecycle === 'idle')
  const cost = () => live.client.get<CostView>(`/api/agents/${ID}/cost`)
  await live.until(async () => ((await cost()).client?.usd ?? 0) > 0, 'the client has told its total')
  const { sessionId } = await live.agent(ID)
  const tokens = { input: 1_200, output: 3_400, cacheRead: 56_000, cacheWrite5m: 7_800, cacheWrite1h: 0 }
  expect(await cost()).toEqual({
    agent: ID,
    at: expect.any(Number),
    sessions: [sessionId],
    models: [{ model: 'claude-opus-5-5', tokens, messages: 1, usd: 0.123 }],
    total: { tokens, messages: 1, usd: 0.123, unpriced: [] },
    client: { usd: 0.123, at: expect.any(Number), session: sessionId, computedUsd: 0.123 },
    differenceUsd: 0,
    differencePercent: 0,
    why: 'The two agree.',
  })
})
