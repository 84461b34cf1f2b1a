import { expect, test } from 'vitest'
import { keptOf, wakingOf } from './kept.ts'

test('what is wanted of an agent, in words', () => {
  const now = new Date(2026, 0, 20, 22, 0).getTime()
  const held = { state: 'hold', by: 'limits', reason: 'a usage limit holds it' } as const
  expect(keptOf({ ...held, untilWallAt: now + 90 * 60_000 }, now)).toMatch(/^held by limits, continues at 23:30/)
  expect(keptOf({ state: 'frozen', by: 'you', reason: 'evidence' }, now)).toBe('frozen by you')
})

test('what its waking costs, in words', () => {
  expect([wakingOf({ tokens: 120_000, usd: 0.754 }), wakingOf({ tokens: 900 })]).toEqual([
    'reads 120,000 tokens anew, about $0.75',
    'reads 900 tokens anew, unpriced',
  ])
})
