import { expect, test } from 'vitest'
import { answerFor, answerRequest, parseAsk, requestOf } from './ask.ts'

const SQL = [
  { label: 'SQLite', description: 'one file' },
  { label: 'Postgres', description: 'Postgres' },
]
const questions = [
  { question: 'Which database?', options: SQL, multiSelect: false },
  { question: 'Which tests?', options: [{ label: 'Unit' }, { label: 'Browser' }], multiSelect: true },
]

function decision(text: string): unknown {
  return JSON.parse(text).hookSpecificOutput
}

test('a yes to a plan comes with its input, without which the client does not take it', () => {
  const ask = parseAsk(JSON.stringify({ tool_name: 'ExitPlanMode', tool_input: { plan: '# Plan' } }))
  const request = ask === undefined ? '' : (requestOf(ask) ?? '')
  expect(decision(answerRequest(request, 'yes'))).toEqual({
    hookEventName: 'PermissionRequest',
    decision: { behavior: 'allow', updatedInput: {} },
  })
  expect(decision(answerRequest(request, 'no'))).toMatchObject({ decision: { behavior: 'deny' } })
})

test.each([
  ['yes', { behavior: 'allow' }],
  [' Allow ', { behavior: 'allow' }],
  ['1', { behavior: 'allow' }],
  ['no', { behavior: 'deny', message: 'The user said no.' }],
  ['deny', { behavior: 'deny', message: 'The user said no.' }],
  ['deny: use trash', { behavior: 'deny', message: 'The user said no: use trash' }],
  ['yes, but use trash', { behavior: 'deny', message: 'The user said no: yes, but use trash' }],
])('a permission answered «%s»', (answer, expected) => {
  const ask = { tool: 'Bash', input: { command: 'rm -rf build' } }
  expect(decision(answerFor(ask, answer))).toEqual({ hookEventName: 'PermissionRequest', decision: expected })
})

test.each([
  [1, '2', { 'Which database?': 'Postgres' }],
  [1, 'sqlite', { 'Which database?': 'SQLite' }],
  [1, 'MySQL, please', { 'Which database?': 'MySQL, please' }],
  [2, '1\n1, browser', { 'Which database?': 'SQLite', 'Which tests?': 'Unit, Browser' }],
  [2, 'you choose', { 'Which database?': 'you choose', 'Which tests?': 'you choose' }],
])('%i question(s) answered «%s»', (count, answer, answers) => {
  const input = { questions: questions.slice(0, count) }
  expect(decision(answerFor({ tool: 'AskUserQuestion', input }, answer))).toEqual({
    hookEventName: 'PermissionRequest',
    decision: { behavior: 'allow', updatedInput: { ...input, answers } },
  })
})

test.each([
  [['2', '4', '8'], '2', '2'],
  [['2', '4', '8'], '3', '3'],
  [['2', '4', '8'], '16', '16'],
  [['2', 'as many as there are'], '2', '2'],
  [['2', 'as many as there are'], '1', '2'],
])('of the options %j the answer «%s» is «%s»', (labels, said, answer) => {
  const input = { questions: [{ question: 'How many?', options: labels.map((label) => ({ label })) }] }
  expect(decision(answerFor({ tool: 'AskUserQuestion', input }, said))).toMatchObject({
    decision: { updatedInput: { answers: { 'How many?': answer } } },
  })
})

test('a request gives the tool, its input, and what it is about', () => {
  const tool_input = { command: 'rm -rf\n\u001b[31m build' }
  expect(parseAsk(JSON.stringify({ tool_name: 'Bash', tool_input }))).toEqual({
    kind: 'permission',
    tool: 'Bash',
    input: tool_input,
    what: 'Bash: rm -rf [31m build',
    questions: [],
  })
  expect(parseAsk(JSON.stringify({ tool_name: 'AskUserQuestion', tool_input: { questions } }))).toEqual({
    kind: 'question',
    tool: 'AskUserQuestion',
    input: { questions },
    what: 'Which database? · Which tests?',
    questions: [
      { question: 'Which database?', options: [{ label: 'SQLite', about: 'one file' }, { label: 'Postgres' }] },
      { question: 'Which tests?', options: [{ label: 'Unit' }, { label: 'Browser' }], several: true },
    ],
  })
  expect(['', 'no json', '[]', '{}', '{"tool_name":3}'].map(parseAsk)).toEqual(Array(5).fill(undefined))
})

test('what is kept of a request is enough to answer it, and small', () => {
  const large = parseAsk(JSON.stringify({ tool_name: 'Write', tool_input: { content: 'x'.repeat(1_000_000) } }))
  expect(large && requestOf(large)).toBe('{"tool_name":"Write","tool_input":{}}')
  const asked = parseAsk(JSON.stringify({ tool_name: 'AskUserQuestion', tool_input: { questions } }))
  expect(decision(answerRequest((asked && requestOf(asked)) ?? '', '1\n2'))).toMatchObject({
    decision: { updatedInput: { answers: { 'Which database?': 'SQLite', 'Which tests?': 'Browser' } } },
  })
  const endless = { question: 'q'.repeat(70_000), options: [] }
  expect(
    requestOf({ kind: 'question', tool: 'AskUserQuestion', input: { questions: [endless] }, what: '', questions: [] }),
  ).toBe(undefined)
  expect(answerRequest('garbage', 'yes')).toBe('{}')
})
