import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY_TAIL, readTail, type Tail } from './tail.ts'

const AT = Date.parse('2026-11-15T10:00:00.000Z')

function line(record: object, second = 0): string {
  const timestamp = new Date(AT + second * 1000).toISOString()
  return JSON.stringify({ ...record, uuid: 'u', timestamp, userType: 'external', cwd: '/srv/x', sessionId: 's-1' })
}

function tailOf(...lines: string[]): Tail {
  return readTail(EMPTY_TAIL, Buffer.from(`${lines.join('\n')}\n`))
}

function user(content: unknown, more: object = {}): object {
  return { parentUuid: null, isSidechain: false, ...more, type: 'user', message: { role: 'user', content } }
}

function answer(stop_reason: string | null, more: object = {}): object {
  const usage = { input_tokens: 10, cache_creation_input_tokens: 100, cache_read_input_tokens: 1000, output_tokens: 7 }
  const message = { id: 'm', model: 'claude-opus-5-5', stop_reason, usage, content: [{ type: 'text', text: 'x' }] }
  return { isSidechain: false, type: 'assistant', requestId: 'r', message, ...more }
}

function refusal(then: string): object[] {
  const content = `The user doesn't want to proceed with this tool use. ${then}`
  return [{ tool_use_id: 't', type: 'tool_result', is_error: true, content }]
}

const named = { session: 's-1', cwd: '/srv/x', queue: [] }

test.each<[string, string[], Partial<Tail>]>([
  ['a prompt', [line(user('Do it.'))], { promptAt: AT, last: { kind: 'user', at: AT } }],
  [
    'an answer that goes on',
    [line(answer('tool_use'))],
    {
      answerAt: AT,
      model: 'claude-opus-5-5',
      contextTokens: 1110,
      last: { kind: 'assistant', at: AT },
    },
  ],
  [
    'the end of a turn, and records without a time behind it',
    [line(answer('end_turn')), JSON.stringify({ type: 'last-prompt', lastPrompt: 'x', sessionId: 's-1' })],
    {
      answerAt: AT,
      model: 'claude-opus-5-5',
      contextTokens: 1110,
      last: { kind: 'assistant', at: AT },
    },
  ],
  [
    'the result of a tool, which is no prompt',
    [line(user([{ tool_use_id: 't', type: 'tool_result', content: 'ok' }]))],
    { last: { kind: 'user', at: AT } },
  ],
  [
    'an interrupted answer',
    [line(user([{ type: 'text', text: '[Request interrupted by user]' }]))],
    { interrupt: { at: AT }, last: { kind: 'user', at: AT } },
  ],
  [
    'an interrupted tool',
    [line(user([{ type: 'text', text: '[Request interrupted by user for tool use]' }]))],
    { interrupt: { at: AT }, last: { kind: 'user', at: AT } },
  ],
  [
    'a call that a person refused',
    [line(user(refusal('STOP what you are doing'), { toolUseResult: 'User rejected tool use' }))],
    { interrupt: { at: AT }, last: { kind: 'user', at: AT } },
  ],
  [
    'a call that a person refused, in the word of newer clients',
    [line(user(refusal('STOP what you are doing'), { toolDenialKind: 'user-rejected' }))],
    { interrupt: { at: AT }, last: { kind: 'user', at: AT } },
  ],
  [
    'a call that a person refused and said how to go on',
    [line(user(refusal('the user said: use b'), { toolDenialKind: 'user-rejected' }))],
    { last: { kind: 'user', at: AT } },
  ],
  [
    'a tool that fails with the same words',
    [line(user(refusal('STOP what you are doing'), { toolUseResult: 'Error: STOP' }))],
    { last: { kind: 'user', at: AT } },
  ],
  [
    'a person who types the words of an interrupt',
    [line(user('[Request interrupted by user]'))],
    { promptAt: AT, last: { kind: 'user', at: AT } },
  ],
  [
    'a text that begins like an interrupt',
    [line(user([{ type: 'text', text: '[Request interrupted by user] is what I saw' }]))],
    { promptAt: AT, last: { kind: 'user', at: AT } },
  ],
  [
    'figures that are none',
    [
      line({ type: 'system', subtype: 'api_error', error: { status: 429.5 }, retryInMs: -1 }),
      line({ type: 'system', subtype: 'compact_boundary', compactMetadata: { postTokens: -5 } }, 1),
    ],
    { apiError: { at: AT }, last: { kind: 'system/compact_boundary', at: AT + 1000 } },
  ],
  [
    'a request that is tried again',
    [
      line({
        type: 'system',
        subtype: 'api_error',
        error: { status: 529 },
        retryInMs: 508,
        retryAttempt: 1,
        maxRetries: 10,
      }),
    ],
    {
      apiError: { at: AT, status: 529, retryAt: AT + 508 },
      last: { kind: 'system/api_error', at: AT },
    },
  ],
  [
    'a request that was given up',
    [line(answer(null, { isApiErrorMessage: true, apiErrorStatus: 429 }))],
    { apiError: { at: AT, status: 429, text: 'x' }, last: { kind: 'assistant', at: AT } },
  ],
  [
    'a request that an older client gave up',
    [line(answer(null, { isApiErrorMessage: true, error: 'rate_limit' }))],
    { apiError: { at: AT, error: 'rate_limit', text: 'x' }, last: { kind: 'assistant', at: AT } },
  ],
  [
    'a compaction',
    [
      line(answer('end_turn')),
      line({ type: 'system', subtype: 'compact_boundary', compactMetadata: { postTokens: 9 } }, 1),
    ],
    {
      answerAt: AT,
      model: 'claude-opus-5-5',
      contextTokens: 9,
      last: { kind: 'system/compact_boundary', at: AT + 1000 },
    },
  ],
  [
    'texts that wait',
    [
      line({ type: 'queue-operation', operation: 'enqueue', content: 'later' }),
      line({ type: 'queue-operation', operation: 'dequeue' }, 1),
    ],
    {
      queue: [
        { at: AT, operation: 'enqueue', content: 'later' },
        { at: AT + 1000, operation: 'dequeue' },
      ],
      last: { kind: 'queue-operation', at: AT + 1000 },
    },
  ],
  [
    'a subagent, which has a context of its own',
    [line(answer('end_turn', { isSidechain: true }))],
    { last: { kind: 'assistant', at: AT } },
  ],
])('%s', (_, lines, expected) => {
  expect(tailOf(...lines)).toEqual({ ...named, ...expected })
})

test('the result of a tool reads the same whether it is glanced at or parsed', () => {
  const decoy = '","timestamp":"1999-01-01T00:00:00.000Z","cwd":"/no","sessionId":"no"}'
  const own = { uuid: 'no', timestamp: 'no', cwd: '/no', sessionId: 'no' }
  const given = fc.record({
    text: fc.string({ unit: 'grapheme' }),
    length: fc.constantFrom(1, 5000),
    isSidechain: fc.boolean(),
    type: fc.constantFrom('tool_result', 'text'),
    result: fc.constantFrom<unknown>(own, [own], { deep: { own } }, decoy.repeat(9), null, { stdout: decoy }),
  })
  fc.assert(
    fc.property(given, ({ text, length, isSidechain, type, result }) => {
      const content = [{ tool_use_id: 't', type, content: text + 'a'.repeat(length) + decoy, text: 'x' }]
      const whole = line({ ...user(content), isSidechain, toolUseResult: result })
      // With a space in front, nothing is glanced at.
      expect(tailOf(whole)).toEqual(tailOf(` ${whole}`))
    }),
  )
})

test('broken lines are passed over, and only the newest records of the queue are kept', () => {
  const many = Array.from({ length: 30 }, (_, n) => line({ type: 'queue-operation', operation: 'enqueue' }, n))
  const { queue } = tailOf('{"type":"user","mess', '\0\0', 'null', '[]', ...many)
  expect(queue.map(({ at }) => at)).toEqual(Array.from({ length: 20 }, (_, n) => AT + (n + 10) * 1000))
})
