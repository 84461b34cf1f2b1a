import { describe, expect, test } from 'vitest'
import type { Fields } from './hook-body.ts'
import { callTrace, textTrace } from './call-trace.ts'
import { failureOf } from './stop-failure.ts'

const recognise = () => undefined

function traced(fields: Fields, failed = false) {
  const trace = callTrace({ tool_name: 'Bash', ...fields }, { failed, actor: '', wallAt: 7, recognise })
  return trace?.kind === 'call' ? trace : undefined
}

const says = (stdout: string) => ({ tool_input: { command: 'npm test' }, tool_response: { stdout, stderr: '' } })

test('a trace holds fingerprints and nothing that was said', () => {
  const trace = callTrace(
    { tool_name: 'Bash', tool_input: { command: 'echo secret' }, tool_response: { stdout: 'secret' } },
    { failed: false, actor: 'a1', wallAt: 7, recognise },
  )
  expect(trace).toEqual({
    kind: 'call',
    tool: 'Bash',
    call: expect.stringMatching(/^[\w-]{22}$/),
    result: expect.stringMatching(/^[\w-]{16}$/),
    ok: true,
    actor: expect.stringMatching(/^[\w-]{16}$/),
    wallAt: 7,
  })
  expect(JSON.stringify(trace)).not.toContain('secret')
})

test.each([
  ['a plan that was accepted', 'ExitPlanMode', false, true],
  ['one that was not', 'ExitPlanMode', true, undefined],
  ['another tool', 'EnterPlanMode', false, undefined],
])('%s ends the planning or does not', (_, tool_name, failed, planned) => {
  expect(traced({ tool_name, tool_input: {}, tool_response: { plan: null } }, failed)?.planned).toBe(planned)
})

test.each([
  ['durations', '3 failed in 1.23s', '3 failed in 4.5s'],
  ['instants', 'at 2026-01-20T22:00:00.123Z', 'at 2026-01-21 03:10:00'],
  ['clock times', '[22:00:01] build', '[22:07:59] build'],
  ['ids by chance', 'request 5f0c2a9e11', 'request 77aa0b2c9d'],
  ['processes', 'pid 4711 ended', 'pid 23 ended'],
  ['temporary places', 'in /tmp/abc123/x', 'in /tmp/zzz/x'],
])('%s do not make another result', (_, one, other) => {
  expect(traced(says(one))?.result).toBe(traced(says(other))?.result)
})

test.each([
  ['numbers of tests', '3 failed, 97 passed', '2 failed, 98 passed'],
  ['percentages', '34 % done', '35 % done'],
  ['words', 'pending', 'passed'],
])('%s do', (_, one, other) => {
  expect(traced(says(one))?.result).not.toBe(traced(says(other))?.result)
})

describe('kinds of calls', () => {
  test.each<[string, Fields, object]>([
    ['a search', { tool_name: 'Grep', tool_input: { pattern: 'x' } }, { like: expect.any(String) }],
    ['a search in the shell', { tool_input: { command: 'cd src && rg x' } }, { like: expect.any(String) }],
    ['one that sleeps', { tool_input: { command: 'sleep 30 && gh pr checks' } }, { waits: true }],
    ['one that blocks', { tool_name: 'TaskOutput', tool_input: { task_id: '1', block: true } }, { waits: true }],
    ['a poll', { tool_name: 'BashOutput', tool_input: { bash_id: '1' } }, {}],
    ['a plain one', { tool_input: { command: 'ls sleepy' } }, {}],
  ])('%s', (_, fields, expected) => {
    const { like, waits } = traced(fields) ?? {}
    expect({ ...(like === undefined ? {} : { like }), ...(waits === undefined ? {} : { waits }) }).toEqual(expected)
  })

  test('what a person cut off is no deed of the agent', () => {
    expect(traced({ tool_input: { command: 'x' }, error: 'interrupted', is_interrupt: true }, true)).toBeUndefined()
  })
})

test.each([
  ['a flood', `I see ${'court '.repeat(500)}`, true],
  ['a long list', Array.from({ length: 300 }, (_, n) => `| row ${n} | done | ok |`).join('\n'), false],
  ['prose', 'The parser reads one token after the other, and the writer writes them down again. '.repeat(2), false],
])('%s is a flood: %s', (_, text, expected) => {
  expect(textTrace(text, 0).times >= 20).toBe(expected)
  const { kind } = failureOf({
    error: 'max_output_tokens',
    message: text,
    told: { wallAt: 0, zone: 'UTC' },
  })
  expect(kind).toBe(expected ? 'looping' : 'api_error')
})
