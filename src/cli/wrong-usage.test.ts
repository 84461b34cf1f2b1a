import { expect, test } from 'vitest'
import { wantsJson, wrongUsage } from './wrong-usage.ts'

test.each<[string, { sentence: string; hint: string }]>([
  [
    "error: unknown command 'confg'\n(Did you mean config?)",
    {
      sentence: "Unknown command 'confg'",
      hint: 'Did you mean config? Run it with --help to see what it takes.',
    },
  ],
  [
    "error: missing required argument 'agent'",
    { sentence: "Missing required argument 'agent'", hint: 'Run it with --help to see what it takes.' },
  ],
  [
    'error: --auto chooses the model; leave out --model, or --auto.',
    {
      sentence: '--auto chooses the model; leave out --model, or --auto',
      hint: 'Run it with --help to see what it takes.',
    },
  ],
  [
    `error: unknown option '--${'x'.repeat(5000)}'`,
    { sentence: `Unknown option '--${'x'.repeat(61)}…`, hint: 'Run it with --help to see what it takes.' },
  ],
])('«%s» is an error as every other', (message, told) => {
  expect(wrongUsage({ message })).toMatchObject({ exitCode: 2, error: { code: 'invalid', ...told } })
})

test.each<[string, boolean]>([
  ['status --json', true],
  ['--json', true],
  ['status', false],
  ['agents message agent-1 -- --json', false],
  ['agents message agent-1 --json -- --json', true],
])('whether «%s» asks for JSON: %s', (line, isAsked) => {
  expect(wantsJson(line.split(' '))).toBe(isAsked)
})
