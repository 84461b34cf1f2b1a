/** Hand-offs of the real Claude Code: the successor shows that it read what it was given, and goes on with the next step. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import type { HandoffsView } from '../../../src/contract/handoff-views.ts'
import type { InboxView } from '../../../src/contract/views.ts'
import type { Rule } from '../../model-api/turn.ts'
import { claudeCodeFor } from '../runtimes/install-claude-code.ts'
import { ID, clientFor, clients, prompts, rested, type RealClaude } from './real-claude.ts'

const STATE =
  '## Done\n- part one, in `part-one.txt`\n\n## Next Steps\n1. Write part-two.txt\n\n## Decisions\n- Two parts\n'

const SAVES: Rule = {
  when: /goes on with your work\. Write/,
  turns: () => [
    { tools: [{ name: 'Write', input: { file_path: '.planning/STATE.md', content: STATE } }] },
    { text: 'It is written.' },
  ],
}

/** It says the line in words, as the prompt asks for it, and then works. */
const TAKES_OVER: Rule = {
  when: /CLOISTER-NEXT ([A-Za-z0-9]+) \| <current task>/,
  turns: ([, nonce]) => [
    {
      text: `CLOISTER-NEXT ${nonce} | The two parts | Write part-two.txt`,
      tools: [{ name: 'Write', input: { file_path: 'part-two.txt', content: 'two' } }],
    },
    { text: 'Part two is there.' },
  ],
}

const BEGIN = [
  { tools: [{ name: 'Write', input: { file_path: 'part-one.txt', content: 'one' } }] },
  { text: 'Part one is there.' },
]

async function handOver({ live }: RealClaude, more: object = {}): Promise<number> {
  const since = live.events.length
  await live.client.post(`/api/agents/${ID}/handoff`, { toModel: 'haiku', reason: 'rehearsed', ...more })
  return since
}

test('of two that are asked for at once one is refused; the other saves, ends, starts, and its successor goes on', async (ctx) => {
  const real = await clientFor(ctx, { rules: [SAVES, TAKES_OVER] })
  await real.spawn('Begin.', BEGIN)
  const { sessionId } = await rested(real)
  const since = real.live.events.length
  const asked = await Promise.allSettled(['haiku', 'opus'].map((toModel) => handOver(real, { toModel })))
  expect(asked.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await real.live.event('handoff.ended', ID, since)).toMatchObject({ result: 'done' })
  const agent = await rested(real)
  expect(agent).toMatchObject({ generation: 2 })
  expect(['haiku', 'opus']).toContain(agent.model)
  expect(agent.sessionId).not.toBe(sessionId)
  expect(['part-one.txt', 'part-two.txt'].map((name) => existsSync(join(real.workspace, name)))).toEqual([true, true])
  expect(clients(real)).toHaveLength(1)

  const { handoffs, total, operation } = await real.live.client.get<HandoffsView>('/api/handoffs')
  expect({ total, operation }).toEqual({ total: 1, operation: { good: 1, of: 1, share: 1 } })
  expect(handoffs[0]?.captured?.parts).toEqual(
    expect.arrayContaining(['stateFile', 'whatWasDone', 'whatRemains', 'decisions', 'lastWords', 'tokenUsage']),
  )
  const given = readFileSync(join(real.live.home, 'handoffs', handoffs[0]?.id ?? '', 'prompt.md'), 'utf8')
  expect(given).toContain('Write part-two.txt')
  expect(prompts(real).filter((prompt) => prompt.includes('CLOISTER-NEXT'))).toHaveLength(1)
}, 300_000)

test('a haiku whose answer hangs is stuck: sonnet takes over and goes on with the next step', async (ctx) => {
  const config = [
    'monitoring: { check_interval: 1 }',
    'thresholds: { stale: 0.05, warning: 0.1, stuck: 0.15 }',
    'handoffs: { timeouts: { idle_seconds: 5 }, auto_triggers: { stuck_escalation: { thresholds: { haiku_to_sonnet_minutes: 0.2 } } } }',
    '',
  ].join('\n')
  const real = await clientFor(ctx, { config, model: 'haiku', rules: [SAVES, TAKES_OVER] })
  await real.spawn('Begin.', [...BEGIN.slice(0, 1), { hangs: true }])
  await real.seen('it hangs', ({ health }) => health === 'stuck')
  await real.live.event('handoff.proposed', ID)
  expect(await real.live.event('handoff.ended', ID)).toMatchObject({ result: 'done' })
  const proposed = real.live.events.flatMap((each) => (each.type === 'handoff.proposed' ? [each.handoff] : []))
  expect(proposed).toMatchObject([
    { trigger: 'stuck_escalation', isEscalation: true, by: 'escalation', to: { model: 'sonnet' } },
  ])
  expect(await rested(real)).toMatchObject({ model: 'sonnet', generation: 2 })
  expect(readFileSync(join(real.workspace, 'part-two.txt'), 'utf8')).toBe('two')
}, 300_000)

test('refused in the inbox, nothing happens; an agent that never answers the order to save is handed over all the same', async (ctx) => {
  const config = 'handoffs: { timeouts: { idle_seconds: 5, state_update_seconds: 8 } }\n'
  const deaf: Rule = { ...SAVES, turns: () => [{ hangs: true }] }
  const real = await clientFor(ctx, { config, rules: [deaf, TAKES_OVER] })
  await real.spawn('Begin.', BEGIN)
  const { sessionId } = await rested(real)
  const first = await handOver(real, { ask: true })
  const { items } = await real.live.client.get<InboxView>('/api/inbox')
  expect(items).toMatchObject([{ kind: 'approval', options: ['approve', 'refuse'] }])
  await real.live.client.post(`/api/inbox/${items[0]?.id}/answer`, { answer: 'refuse' })
  expect(await real.live.event('handoff.ended', ID, first)).toMatchObject({ result: 'refused' })
  expect(await rested(real)).toMatchObject({ model: 'sonnet', generation: 1, sessionId })

  const since = await handOver(real)
  expect(await real.live.event('handoff.ended', ID, since)).toMatchObject({ result: 'done' })
  const late = real.live.events
    .slice(since)
    .find((each) => each.type === 'handoff.stepped' && each.state === 'capturing')
  expect(late).toMatchObject({ detail: 'it did not save its state in time' })
  expect(await rested(real)).toMatchObject({ model: 'haiku', generation: 2 })
  expect(existsSync(join(real.workspace, 'part-two.txt'))).toBe(true)
}, 300_000)

test('a successor that never starts: the old session goes on with its old model', async (ctx) => {
  const client = claudeCodeFor(ctx)
  const bin = mkdtempSync(join(tmpdir(), 'cloister-bin-'))
  ctx.onTestFinished(() => rmSync(bin, { recursive: true, force: true }))
  const program = `#!/bin/sh\ncase " $* " in *" haiku "*) exit 1;; esac\nexec '${client}' "$@"\n`
  writeFileSync(join(bin, 'claude'), program)
  chmodSync(join(bin, 'claude'), 0o755)
  const path = [bin, process.env['PATH']].join(delimiter)
  const real = await clientFor(ctx, { env: { PATH: path }, rules: [SAVES, TAKES_OVER] })
  await real.spawn('Begin.', BEGIN)
  const { sessionId } = await rested(real)
  const since = await handOver(real)
  expect(await real.live.event('handoff.ended', ID, since)).toMatchObject({ result: 'rolled_back' })
  expect(await rested(real)).toMatchObject({ model: 'sonnet', sessionId })
  expect(clients(real)).toHaveLength(1)
  expect(existsSync(join(real.workspace, 'part-one.txt'))).toBe(true)
}, 300_000)
