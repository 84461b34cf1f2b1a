/** A real client runs tests that fail and tests that pass: what its hooks and its transcript tell of both. */
import { writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { claudeDialect } from '../../../src/adapters/claude-code/dialect.ts'
import { recogniseTestRun } from '../../../src/adapters/test-runners/recognise-test-run.ts'
import { claudeCode } from '../../../src/adapters/claude-code/runtime.ts'
import type { TestRun } from '../../../src/contract/test-run.ts'
import { readEcho } from '../../../src/core/handoffs/echo.ts'
import { anthropicMessages } from '../../model-api/anthropic-messages.ts'
import { startModelApi } from '../../model-api/server.ts'
import { scripted } from '../../model-api/turn.ts'
import { agentRecord } from '../../samples/agents.ts'
import { makeHome } from '../runtimes/home.ts'
import { claudeCodeFor } from '../runtimes/install-claude-code.ts'
import { openPane } from '../runtimes/tmux.ts'
import { STUB_KEY, knowUser } from '../runtimes/known-user.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup()
})

test('failed, passed and not run, by the hooks of the real client; its words by its transcript', async (ctx) => {
  const program = claudeCodeFor(ctx)
  const home = makeHome()
  cleanups.push(() => home.remove())
  const api = await startModelApi([anthropicMessages])
  cleanups.push(() => api.close())
  knowUser(home.path, home.workspace)
  writeFileSync(
    join(home.workspace, 'bad.test.mjs'),
    "import test from 'node:test'\ntest('a', () => { throw new Error('no') })",
  )
  writeFileSync(join(home.workspace, 'good.test.mjs'), "import test from 'node:test'\ntest('failed logins', () => {})")
  const runtime = claudeCode({
    home: home.path,
    homeId: 'runs',
    dialect: claudeDialect(recogniseTestRun),
    chosen: () => ({ permissionMode: 'acceptEdits', environment: ['ANTHROPIC_*', 'CLAUDE_CODE_*'] }),
    env: {
      PATH: [dirname(program), dirname(process.execPath), process.env['PATH']].join(delimiter),
      HOME: home.path,
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: STUB_KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    },
  })
  const bash = (command: string) => ({ tools: [{ name: 'Bash', input: { command, description: 'test' } }] })
  const turns = [
    { text: 'CLOISTER-NEXT k7q2m9x4 | The tests | Run them', ...bash('node --test bad.test.mjs') },
    bash('node --test good.test.mjs 2>&1 | tail -20'),
    bash('cat bad.test.mjs'),
    { text: 'All three are done.' },
  ]
  const agent = agentRecord({ workspace: home.workspace, runtime: 'claude-code' })
  const handle = { agent: agent.id, generation: 1, run: 'run-1' }
  const pane = openPane(home.path, await runtime.launch(agent, handle, scripted('Test it.', turns)))
  cleanups.push(() => pane.end())

  const runs: (TestRun | undefined)[] = []
  let session = ''
  const known = new Set<string>()
  await home.next((report) => {
    if (known.has(report.id)) return false
    known.add(report.id)
    const said = runtime.read(report)
    session = said?.sessionId ?? session
    if (said?.trace?.kind === 'call') runs.push(said.trace.test)
    return said?.facts?.[0]?.fact === 'turn_ended' && runs.length === 3
  }, 'the end of its turn')
  expect(runs).toEqual([
    { runner: 'node', result: 'failed', counts: { passed: 0, failed: 1, skipped: 0 }, why: 'it says that 1 failed' },
    { runner: 'node', result: 'passed', counts: { passed: 1, failed: 0, skipped: 0 }, why: 'it says that 1 passed' },
    undefined,
  ])
  const words = (await runtime.sessions?.lastWords(session)) ?? []
  expect(readEcho(words.join('\n'))).toEqual({ nonce: 'k7q2m9x4', task: 'The tests', step: 'Run them' })
})
