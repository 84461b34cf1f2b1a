import { expect, test } from 'vitest'
import type { AgentView } from '../../../src/contract/views.ts'
import { ago, doingOf, duration, lastingOf, percent, tokens, usd } from './words.ts'

const MINUTE = 60_000

test.each([
  { ms: -5, words: '0 s' },
  { ms: 59_999, words: '59 s' },
  { ms: MINUTE, words: '1 min' },
  { ms: 119 * MINUTE, words: '119 min' },
  { ms: 120 * MINUTE, words: '2 h' },
  { ms: 125 * MINUTE, words: '2 h 5 min' },
  { ms: 72 * 60 * MINUTE, words: '3 d' },
])('$ms ms are $words', ({ ms, words }) => {
  expect(duration(ms)).toBe(words)
})

test('what is a moment ago, or ahead by a slow clock, is now', () => {
  expect([ago(1_000, 1_500), ago(2_000, 1_000), ago(0, 4 * MINUTE)]).toEqual(['now', 'now', '4 min ago'])
})

test.each([
  { forMs: 10 * MINUTE, causeMs: 4_000, words: 'for 10 min, for the last 4 s running Bash' },
  { forMs: 10 * MINUTE, causeMs: 10 * MINUTE - 1, words: 'for 10 min, for the last 9 min running Bash' },
  { forMs: 10 * MINUTE + 5, causeMs: 10 * MINUTE, words: 'for 10 min: running Bash' },
  { forMs: 10 * MINUTE, causeMs: 20 * MINUTE, words: 'for 10 min: running Bash' },
  { forMs: 10 * MINUTE, words: 'for 10 min: running Bash' },
])('$words', ({ words, ...view }) => {
  expect(lastingOf({ ...view, reason: 'running Bash' }, 0)).toBe(words)
})

test('what costs less than a cent is not shown as nothing, and what has no price not as free', () => {
  expect([12.345, 0.42, 0.0031, 0, null].map(usd)).toEqual(['$12.35', '$0.42', '$0.0031', '$0.00', 'unpriced'])
})

const at = new Date(2026, 0, 20, 1, 0).getTime()
const active = { lifecycle: 'active' } as const

test.each<{ agent: Partial<AgentView>; words: string }>([
  {
    agent: { cause: { kind: 'working_tool', name: 'Bash', ageMs: 4 * MINUTE, boundMs: 10 * MINUTE } },
    words: 'running Bash, 4 min of 10 min',
  },
  { agent: { cause: { kind: 'waiting_user', what: 'Which one?' } }, words: 'waiting for you: Which one?' },
  {
    agent: { cause: { kind: 'rate_limited', untilWallAt: at + 120 * MINUTE } },
    words: 'limit until 03:00',
  },
  {
    agent: { cause: { kind: 'rate_limited', untilWallAt: at - 8 * MINUTE } },
    words: 'limit over since 00:52, should go on now',
  },
  {
    agent: {
      cause: { kind: 'rate_limited', untilWallAt: at },
      desired: { state: 'hold', by: 'limits', reason: 'a usage limit holds it', untilWallAt: at + 2 * MINUTE },
    },
    words: 'limit over since 01:00, continues at 01:02',
  },
  { agent: { cause: { kind: 'looping', what: 'same failure', times: 6 } }, words: 'looping: same failure ×6' },
  { agent: { cause: { kind: 'waiting_background', tasks: 1 } }, words: 'waiting for 1 background task' },
  { agent: { cause: { kind: 'dead', exitCode: 137 } }, words: 'its program ended with exit code 137' },
  { agent: { lifecycle: 'idle' }, words: 'waits at its prompt' },
  {
    agent: { cause: { kind: 'thinking' }, act: { kind: 'kill', reason: 'asked', by: 'you' } },
    words: 'kill by you under way',
  },
])('$words', ({ agent, words }) => {
  expect(doingOf({ ...active, ...agent }, at)).toBe(words)
})

test.each([
  [0, '0'],
  [999, '999'],
  [1_400, '1k'],
  [860_000, '860k'],
  [999_600, '1M'],
  [1_000_000, '1M'],
  [1_250_000, '1.3M'],
])('%i tokens are %s', (n, words) => {
  expect(tokens(n)).toBe(words)
})

test.each([
  [0, '0 %'],
  [0.001, '1 %'],
  [0.86, '86 %'],
  [0.996, '99 %'],
  [1, '100 %'],
  [1.05, '105 %'],
])('a share of %d is %s', (share, words) => {
  expect(percent(share)).toBe(words)
})
