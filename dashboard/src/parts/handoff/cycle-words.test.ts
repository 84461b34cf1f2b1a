import { expect, test } from 'vitest'
import { cycleWords } from './cycle-words.ts'

test.each([
  { view: {}, grownMs: 0, words: '60 % of what it can use; a fresh context at 85 %' },
  {
    view: { dueInMs: 1_500_000, tokensPerMinute: 2_100 },
    grownMs: 60_000,
    words: '60 % of what it can use; a fresh context at 85 %, in about 24 min (2k a minute)',
  },
  { view: { dueInMs: 1_000 }, grownMs: 5_000, words: '60 % of what it can use; a fresh context at 85 %, due now' },
])('$view after $grownMs ms', ({ view, grownMs, words }) => {
  expect(cycleWords({ share: 0.6, threshold: 0.85, ...view }, grownMs)).toBe(words)
})
