/** Work that is handed on by what the real Claude Code was seen to do: its tests fail, or its plan is accepted. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { HandoffsView } from '../../../src/contract/handoff-views.ts'
import type { InboxView } from '../../../src/contract/views.ts'
import type { Rule } from '../../model-api/turn.ts'
import { ID, clientFor, rested, type RealClaude } from './real-claude.ts'

const SAVES: Rule = { when: /goes on with your work\. Write/, turns: () => [{ text: 'There is nothing to save.' }] }

const TAKES_OVER: Rule = {
  when: /CLOISTER-NEXT ([A-Za-z0-9]+) \| <current task>/,
  turns: ([, nonce]) => [
    {
      text: `CLOISTER-NEXT ${nonce} | The work | Write next.txt`,
      tools: [{ name: 'Write', input: { file_path: 'next.txt', content: 'next' } }],
    },
    { text: 'It is there.' },
  ],
}

const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command, description: 'test' } }] })

/** What was proposed, after its successor has gone on. */
async function handedOn(real: RealClaude) {
  expect(await real.live.event('handoff.ended', ID)).toMatchObject({ result: 'done' })
  await rested(real)
  expect(existsSync(join(real.workspace, 'next.txt'))).toBe(true)
  const { handoffs } = await real.live.client.get<HandoffsView>('/api/handoffs')
  return handoffs.map(({ from, to, trigger, evidence, by }) => ({
    from: from.model,
    to: to.model,
    trigger,
    evidence,
    by,
  }))
}

test('its tests fail twice in a row: sonnet takes over from haiku', async (ctx) => {
  const config = 'handoffs: { auto_triggers: { test_failure: { trigger_on: 2_consecutive } } }\n'
  const real = await clientFor(ctx, { config, model: 'haiku', rules: [SAVES, TAKES_OVER] })
  const failing = "import test from 'node:test'\ntest('a', () => { throw new Error('no') })"
  writeFileSync(join(real.workspace, 'bad.test.mjs'), failing)
  await real.spawn('Begin.', [bash('node --test bad.test.mjs'), bash('node --test ./bad.test.mjs'), { text: 'Hm.' }])
  expect(await handedOn(real)).toEqual([
    {
      from: 'haiku',
      to: 'sonnet',
      trigger: 'test_failure',
      evidence: ['node failed: it says that 1 failed', 'node failed: it says that 1 failed'],
      by: 'routing',
    },
  ])
}, 300_000)

test('its plan is accepted: sonnet builds what opus planned', async (ctx) => {
  const real = await clientFor(ctx, { model: 'opus', rules: [SAVES, TAKES_OVER] })
  await real.spawn('Plan it.', [
    { tools: [{ name: 'EnterPlanMode', input: {} }] },
    { tools: [{ name: 'ExitPlanMode', input: { plan: '# Plan\n1. Write next.txt' } }] },
    { text: 'I can begin.' },
  ])
  let id: string | undefined
  const isAsked = async () => {
    const { items } = await real.live.client.get<InboxView>('/api/inbox')
    id = items.find(({ sentence }) => sentence.includes('its plan is ready'))?.id
    return id !== undefined
  }
  await real.live.until(isAsked, 'its plan waits for a yes')
  await real.live.client.post(`/api/inbox/${id}/answer`, { answer: 'yes' })
  expect(await handedOn(real)).toEqual([
    {
      from: 'opus',
      to: 'sonnet',
      trigger: 'planning_complete',
      evidence: ['plan mode left: ExitPlanMode accepted'],
      by: 'routing',
    },
  ])
}, 300_000)
