import { expect, test } from 'vitest'
import { trace as traceSchema } from '../../contract/evidence.ts'
import { recogniseTestRun } from '../test-runners/recognise-test-run.ts'
import { callTrace } from './call-trace.ts'
import { testRunOf } from './test-run-of.ts'

const SUMMARY = ' Test Files  1 failed (1)\n      Tests  1 failed | 2 passed (3)\n'
const bash = (command: string, more: object = {}) => ({ tool_name: 'Bash', tool_input: { command, ...more } })

test.each([
  [
    'a success',
    { ...bash('npm test'), tool_response: { stdout: 'ok', stderr: '', interrupted: false } },
    false,
    'passed',
  ],
  [
    'the summary on either stream',
    { ...bash('npx vitest run | cat'), tool_response: { stdout: '', stderr: SUMMARY } },
    false,
    'failed',
  ],
  ['a plain text as the response', { ...bash('npx vitest run; true'), tool_response: SUMMARY }, false, 'failed'],
  ['a failure', { ...bash('npx vitest run'), error: `Exit code 1\n${SUMMARY}` }, true, 'failed'],
  ['a failure that only says its code', { ...bash('npm test'), error: 'Exit code 3' }, true, 'failed'],
  ['a failure without a code', { ...bash('npm test'), error: 'Command timed out' }, true, undefined],
  ['cut off', { ...bash('npm test'), tool_response: { stdout: SUMMARY, interrupted: true } }, false, undefined],
  [
    'in the background',
    { ...bash('npm test', { run_in_background: true }), tool_response: { stdout: '' } },
    false,
    undefined,
  ],
  [
    'sent to the background',
    { ...bash('npm test'), tool_response: { stdout: '', backgroundTaskId: 'b1' } },
    false,
    undefined,
  ],
  [
    'the shell of Windows',
    { tool_name: 'PowerShell', tool_input: { command: String.raw`.\gradlew.bat test` }, tool_response: { stdout: '' } },
    false,
    'passed',
  ],
  [
    'the shell of Windows, and a failure',
    {
      tool_name: 'PowerShell',
      tool_input: { command: "$env:CI = '1'; npx vitest run; exit $LASTEXITCODE" },
      error: `Exit code 1\n${SUMMARY}`,
    },
    true,
    'failed',
  ],
  ['another command', { ...bash('ls'), tool_response: { stdout: SUMMARY } }, false, undefined],
  [
    'another tool',
    { tool_name: 'Read', tool_input: { command: 'npm test' }, tool_response: SUMMARY },
    false,
    undefined,
  ],
  ['nothing', {}, false, undefined],
])('%s', (_, fields, failed, result) => {
  expect(testRunOf(fields, { failed, recognise: recogniseTestRun })?.result).toBe(result)
})

test('it stands in the trace of the call', () => {
  const fields = { ...bash('npx vitest run'), error: `Exit code 1\n${SUMMARY}` }
  const trace = callTrace(fields, { failed: true, actor: '', wallAt: 1, recognise: recogniseTestRun })
  expect(traceSchema.parse(trace)).toMatchObject({
    test: {
      runner: 'vitest',
      result: 'failed',
      counts: { passed: 2, failed: 1, skipped: 0 },
      why: 'it says that 1 failed',
    },
  })
})
