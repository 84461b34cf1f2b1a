import { expect, test } from 'vitest'
import { recordedHooks } from '../../../tests/samples/recorded-hooks.ts'
import { Hearing } from '../../../tests/samples/hearing.ts'
import { CLIENT_BOUNDS } from './call-bounds.ts'

const open = { calls: [], waits: [], promptDue: true as const }

/** What the agent is believed to do after each report of the recorded session. */
function told(): string[] {
  const hearing = new Hearing({ open, bounds: CLIENT_BOUNDS })
  return recordedHooks().map(({ kind, body }, n) => {
    const id = `home.r1.1.${kind}.${n}-7-8`
    const doing = hearing.hear({ id, run: 'r1', generation: 1, kind, body, wallAt: 1_794_787_000_000 + n })
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
    'SubagentStart Agent',
    'PostToolUse thinking',
    'PostToolBatch thinking',
    'Stop background',
    'PreToolUse Bash',
    'PostToolUse background',
    'PostToolBatch background',
    'SubagentStop background',
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
    'SubagentStop compacting',
    'SessionStart compacting',
    'PostCompact idle',
    'SessionEnd idle',
    'SessionStart idle',
  ])
})

test('the status line is heard once for each answer, however often it is drawn', () => {
  const hearing = new Hearing({ open })
  const stamps: (string | undefined)[] = []
  const costs = new Set<number | undefined>()
  for (const [n, { kind, body }] of recordedHooks().entries()) {
    const before = hearing.agent.evidence.hook?.stamp
    hearing.hear({ id: `home.r1.1.${kind}.${n}-7-8`, run: 'r1', generation: 1, kind, body, wallAt: n })
    const { evidence, gauges } = hearing.agent
    if (kind !== 'StatusLine' || evidence.hook?.stamp === before) continue
    stamps.push(evidence.hook?.stamp)
    costs.add(gauges?.sessionCostUsd)
  }
  expect(stamps.length).toBeGreaterThan(3)
  expect(costs.size).toBe(stamps.length)
})
