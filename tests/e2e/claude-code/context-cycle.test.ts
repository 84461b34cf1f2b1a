/** The real Claude Code with a nearly full context: it writes its document, is cleared, and goes on from it in a new session. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HandoffsView } from '../../../src/contract/handoff-views.ts'
import { obeyed } from '../../../src/core/handoffs/orders.ts'
import type { Rule } from '../../model-api/turn.ts'
import { clientFor, clients, gateIn, ID, prompts, rested } from './real-claude.ts'

const WRITES: Rule = {
  when: /create the hand-off document now/,
  turns: ({ input }) => {
    const { path, text } = obeyed(input, 'Write part-two.txt') ?? { path: 'not-asked-for.md', text: '' }
    return [{ tools: [{ name: 'Write', input: { file_path: path, content: text } }] }, { text: 'It is written.' }]
  },
}

const GOES_ON: Rule = {
  when: /CLOISTER-NEXT ([A-Za-z0-9]+) \| <current task>/,
  turns: ([, nonce]) => [
    {
      text: `CLOISTER-NEXT ${nonce} | The two parts | Write part-two.txt`,
      tools: [{ name: 'Write', input: { file_path: 'part-two.txt', content: 'two' } }],
    },
    { text: 'Part two is there.' },
  ],
}

/** Half of it the first time; whole when it is told what is missing. */
const WRITES_HALF: Rule = {
  when: /create the hand-off document now(?![^]*The document is not whole yet)/,
  turns: ({ input }) => {
    const { path, text } = obeyed(input, 'Write part-two.txt') ?? { path: 'not-asked-for.md', text: '' }
    const half = text.slice(0, text.indexOf('## Critical State'))
    return [{ tools: [{ name: 'Write', input: { file_path: path, content: half } }] }, { text: 'It is written.' }]
  },
}

test('at 86 % of its window it cycles by itself, at the end of its call, and goes on in a new session', async (ctx) => {
  const real = await clientFor(ctx, { config: 'monitoring: { check_interval: 1 }\n', rules: [WRITES, GOES_ON] })
  const { live, workspace } = real
  const gate = gateIn(ctx, real)
  const full = { text: 'I read it all.', usage: { cacheRead: 859_890 } }
  await real.spawn('Begin.', [
    { ...full, tools: [{ name: 'Bash', input: { command: 'head -n 1 gate' } }] },
    { text: 'more' },
  ])
  const { handoff } = await live.event('handoff.proposed', ID)
  expect(handoff).toMatchObject({ method: 'context_cycle', trigger: 'context_limit', by: 'context cycle' })
  gate.open()
  expect(await live.event('handoff.ended', ID)).toMatchObject({ result: 'done' })
  const [client] = clients(real)
  const after = await rested(real)
  expect(after).toMatchObject({ generation: 2, model: 'sonnet' })
  expect(after.sessionId).not.toBe(handoff.from.sessionId)
  expect(readFileSync(join(workspace, 'part-two.txt'), 'utf8')).toBe('two')
  // The same program, and nobody else.
  expect(clients(real)).toEqual([client])

  const { handoffs } = await live.client.get<HandoffsView>('/api/handoffs')
  expect(handoffs).toMatchObject([
    { success: true, context: { contextPercent: 88.9 }, to: { sessionId: after.sessionId } },
  ])
  expect(existsSync(join(workspace, handoffs[0]?.document ?? 'none'))).toBe(true)
  expect(await live.event('handoff.recorded', ID)).toMatchObject({ status: 'ok', document: handoffs[0]?.document })
  const told = prompts(real).map((prompt) => prompt.split('\n')[0])
  expect(told.filter((line) => line?.startsWith('# You go on with'))).toHaveLength(1)
  expect(told.filter((line) => line?.startsWith('Cloister: create the hand-off document'))).toHaveLength(1)
}, 300_000)

test('half a document clears nothing: it is told what is missing, writes it, and goes on', async (ctx) => {
  const rules = [WRITES_HALF, WRITES, GOES_ON]
  const real = await clientFor(ctx, { config: 'monitoring: { check_interval: 1 }\n', rules })
  const { live } = real
  await real.spawn('Begin.', [{ text: 'Part one is there.' }])
  const { sessionId } = await rested(real)
  await live.client.post(`/api/agents/${ID}/handoff`, { method: 'context_cycle' })
  expect(await live.event('handoff.ended', ID)).toMatchObject({ result: 'done' })
  const orders = prompts(real).filter((prompt) => prompt.includes('create the hand-off document now'))
  expect(orders.map((order) => order.includes('The document is not whole yet'))).toEqual([false, true])
  const kinds = live.events.map(({ type }) => type)
  expect(kinds.filter((type) => type === 'agent.cleared')).toHaveLength(1)
  const after = await rested(real)
  expect(after).toMatchObject({ generation: 2 })
  expect(after.sessionId).not.toBe(sessionId)
}, 300_000)
