import { expect, test } from 'vitest'
import { recordedHooks } from '../../../tests/samples/recorded-hooks.ts'
import { claudeDialect } from './dialect.ts'

/** What each report of the recorded session says the agent does; nothing where it says nothing of it. */
function told(): string[] {
  const dialect = claudeDialect()
  dialect.expectPrompt('r1')
  return recordedHooks().map(({ kind, body }, n) => {
    const id = `home.r1.1.${kind}.${n}-7-8`
    const doing = dialect.read({ id, run: 'r1', generation: 1, kind, body, wallAt: 1_794_787_000_000 + n })?.doing
    const what = doing === undefined ? '' : doing.kind === 'tool' ? doing.name : doing.kind
    return `${kind} ${what}`.trim()
  })
}

test('the recorded session, report by report', () => {
  expect(told().filter((each) => !each.startsWith('StatusLine'))).toEqual([
    'SessionStart starting',
    'UserPromptSubmit thinking',
    'PreToolUse Bash',
    'PreToolUse Bash',
    'PostToolUse Bash',
    'PostToolUseFailure thinking',
    'PostToolBatch thinking',
    'Stop idle',
    'UserPromptSubmit thinking',
    'PreToolUse Bash',
    'PermissionRequest permission',
    'PostToolUse thinking',
    'PostToolBatch thinking',
    'Stop idle',
    // A command in the background: the end of the turn is no rest.
    'UserPromptSubmit thinking',
    'PreToolUse Bash',
    'PostToolUse thinking',
    'PostToolBatch thinking',
    'Stop background',
    'UserPromptSubmit thinking',
    'Stop idle',
    // A subagent in the background, whose calls come after the end of the turn.
    'UserPromptSubmit thinking',
    'PreToolUse Agent',
    'SubagentStart',
    'PostToolUse thinking',
    'PostToolBatch thinking',
    'Stop background',
    'PreToolUse Bash',
    'PostToolUse background',
    'PostToolBatch background',
    'SubagentStop',
    'UserPromptSubmit thinking',
    'Stop idle',
    // A limit; then a request that is answered at the third try, of which no hook tells.
    'UserPromptSubmit thinking',
    'StopFailure limited',
    'UserPromptSubmit thinking',
    'Stop idle',
    // Escape: no hook tells of that either.
    'UserPromptSubmit thinking',
    'PreToolUse Bash',
    'PreCompact compacting',
    'SubagentStop',
    'SessionStart',
    'PostCompact idle',
    'SessionEnd',
    'SessionStart idle',
  ])
})

test('the status line is heard once for each answer, however often it is drawn', () => {
  const dialect = claudeDialect()
  const said = recordedHooks().flatMap(({ kind, body }, n) => {
    const id = `home.r1.1.${kind}.${n}-7-8`
    const read = dialect.read({ id, run: 'r1', generation: 1, kind, body, wallAt: n })
    return kind === 'StatusLine' ? [read] : []
  })
  const costs = said.map((each) => each?.gauges?.sessionCostUsd)
  expect(said[0]).toBeUndefined()
  expect(new Set(costs.filter((cost) => cost !== undefined)).size).toBe(
    costs.filter((cost) => cost !== undefined).length,
  )
  expect(said[1]).toMatchObject({ witness: 'hook', gauges: { context: { tokens: 1110, window: 1_000_000 } } })
  expect(said[1]?.doing).toBeUndefined()
})
