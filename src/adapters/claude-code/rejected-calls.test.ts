import { expect, test } from 'vitest'
import { claudeDialect } from './dialect.ts'
import { rejectedCalls } from './rejected-calls.ts'

const TOLD = { actor: '', wallAt: 7 }
const invalid = {
  tool_name: 'Write',
  tool_input: {},
  tool_use_id: 't1',
  tool_response: '<tool_use_error>InputValidationError: Write failed: file_path is missing</tool_use_error>',
}
const denied = {
  tool_name: 'Bash',
  tool_input: { command: 'npm test' },
  tool_response: "Permission to use Bash has been denied because Claude Code is running in don't ask mode.",
}

test.each<[string, unknown, number]>([
  ['input that fits no schema', [invalid], 1],
  ['a denied permission', [denied], 1],
  ['both', [invalid, denied], 2],
  ['one that ran', [{ ...invalid, tool_response: 'File created' }], 0],
  ['one that only quotes it', [{ ...invalid, tool_response: 'see <tool_use_error>x</tool_use_error>' }], 0],
  ['one that a person refused', [{ ...invalid, tool_response: "The user doesn't want to proceed" }], 0],
  ['no list', 'x', 0],
  ['garbage', [null, 3, {}, { tool_response: '<tool_use_error>x' }], 0],
  [
    'one before many that ran',
    [invalid, ...Array.from({ length: 20 }, () => ({ ...invalid, tool_response: 'ok' }))],
    1,
  ],
  ['very many', Array.from({ length: 500 }, () => invalid), 10],
])('%s', (_, calls, count) => {
  expect(rejectedCalls(calls, TOLD).traces).toHaveLength(count)
})

test('the same rejection is known again, and tells no tests', () => {
  const [first] = rejectedCalls([invalid], TOLD).traces
  const [again] = rejectedCalls([{ ...invalid, tool_use_id: 't2' }], { actor: '', wallAt: 9 }).traces
  expect(again).toEqual({ ...first, wallAt: 9 })
  expect(rejectedCalls([denied], TOLD).traces[0]).not.toHaveProperty('test')
})

test('the report of a whole answer tells of them', () => {
  const body = JSON.stringify({ session_id: 's', tool_calls: [invalid] })
  const report = { id: 'h.r.1.PostToolBatch.1-2-3', run: 'r', generation: 1, kind: 'PostToolBatch', body, wallAt: 7 }
  expect(claudeDialect(() => undefined, 'UTC').read(report)).toMatchObject({
    facts: [{ fact: 'calls_closed', actor: '', rejected: [{ tool: 'Write', ok: false }] }],
    activity: { tool: 'Write', action: expect.stringMatching(/^Write: refused: InputValidationError/) as string },
  })
})
