import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Prices } from '../costs/price.ts'
import { computeSavings, estimateSavings, expectedUse } from './savings.ts'

const RATES: Readonly<Record<string, readonly [number, number]>> = { opus: [15, 75], sonnet: [3, 15], haiku: [1, 5] }
const prices: Prices = {
  ratesOf: (model) => {
    const [input, output] = RATES[model] ?? []
    return input === undefined || output === undefined
      ? undefined
      : { input, output, cacheRead: input / 10, cacheWrite5m: input * 1.25, cacheWrite1h: input * 2 }
  },
}
const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }
const expected = { ...NOTHING, input: 100_000, output: 20_000 }
const use = { ...expected, messages: 10 }

test.each([
  ['down', 'opus', 'sonnet', { from: 3, to: 0.6375 }, 2.3625],
  ['up', 'haiku', 'sonnet', { from: 0.2, to: 0.6375 }, -0.4375],
  ['the same', 'sonnet', 'sonnet', { from: 0.6, to: 0.6375 }, -0.0375],
])('estimated before: %s', (_, from, to, estimate, estimatedSavings) => {
  expect(estimateSavings({ from, to, opus: 'opus', expected, overheadTokens: 10_000 }, prices)).toEqual({
    againstStaying: { estimatedSavings, estimate },
    againstOpus: { estimatedSavings: 2.3625, estimate: { from: 3, to: 0.6375 } },
    why: 'It reckons with 120,000 tokens for the rest of the work and 10,000 to read in.',
  })
})

test('what has no price is not reckoned with', () => {
  const plan = { from: 'opus', to: 'sonnet', opus: 'opus', expected, overheadTokens: 0 }
  expect(estimateSavings({ ...plan, to: 'other' }, prices)).toEqual({ why: 'other has no known price.' })
  expect(estimateSavings({ ...plan, from: 'other' }, prices)).toEqual({
    againstOpus: { estimatedSavings: 2.4, estimate: { from: 3, to: 0.6 } },
    why: 'other has no known price.',
  })
  expect(estimateSavings({ ...plan, opus: 'other' }, prices)).toMatchObject({
    againstStaying: { estimatedSavings: 2.4 },
  })
})

test.each([
  ['as much again', { use, tasksDone: 2, tasksLeft: 2 }, expected],
  ['half of it', { use, tasksDone: 4, tasksLeft: 2 }, { ...NOTHING, input: 50_000, output: 10_000 }],
  ['no tasks are counted', { use, tasksDone: 0, tasksLeft: 0 }, expected],
  ['the first of very many', { use, tasksDone: 1, tasksLeft: 900 }, { ...NOTHING, input: 2_000_000, output: 400_000 }],
  ['nothing was used', { use: { ...use, messages: 0 }, tasksDone: 1, tasksLeft: 1 }, undefined],
])('what the rest may use: %s', (_, pace, tokens) => {
  expect(expectedUse(pace)).toEqual(tokens)
})

test('computed after', () => {
  const used = { sonnet: { ...use, cacheWrite5m: 10_000 }, haiku: use }
  expect(computeSavings({ used, stayed: 'opus', opus: 'opus', overheadTokens: 10_000 }, prices)).toEqual({
    againstStaying: { estimatedSavings: 5.1625, estimate: { from: 6, to: 0.8375 } },
    againstOpus: { estimatedSavings: 5.1625, estimate: { from: 6, to: 0.8375 } },
    why: 'The same tokens at the other price.',
  })
  expect(computeSavings({ used, stayed: 'haiku', opus: 'opus', overheadTokens: 10_000 }, prices)).toMatchObject({
    againstStaying: { estimatedSavings: -0.4375, estimate: { from: 0.4, to: 0.8375 } },
  })
})

test.each([
  ['nothing was used', {}, 'opus', { why: 'Nothing was used since.' }],
  ['a part has no price', { sonnet: use, other: use }, 'opus', { why: 'other has no known price.' }],
  [
    'what it stayed with has none',
    { sonnet: use },
    'other',
    {
      againstOpus: { estimatedSavings: 2.4, estimate: { from: 3, to: 0.6 } },
      why: 'other has no known price.',
    },
  ],
])('computed after: %s', (_, used, stayed, compared) => {
  expect(computeSavings({ used, stayed, opus: 'opus', overheadTokens: 0 }, prices)).toEqual(compared)
})

test('what is saved is always the difference', () => {
  const tokens = fc.nat(10_000_000)
  const model = fc.constantFrom('opus', 'sonnet', 'haiku')
  fc.assert(
    fc.property(fc.record({ input: tokens, output: tokens, cacheRead: tokens }), model, model, (some, from, to) => {
      const plan = { from, to, opus: 'opus', expected: { ...NOTHING, ...some }, overheadTokens: 0 }
      const { againstStaying, againstOpus } = estimateSavings(plan, prices)
      const { from: before = 0, to: after = 0 } = againstStaying?.estimate ?? {}
      expect(againstStaying?.estimatedSavings).toBeCloseTo(before - after, 3)
      expect(againstOpus?.estimatedSavings ?? -1).toBeGreaterThanOrEqual(0)
      if (from === to) expect(againstStaying?.estimatedSavings).toBeCloseTo(0, 10)
    }),
  )
})
