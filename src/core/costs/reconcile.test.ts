import { describe, expect, test } from 'vitest'
import { costView } from '../../contract/cost-views.ts'
import { priceOf, type ModelUse, type Prices, type Rates } from './price.ts'
import { costOf, type AgentUse, type ClientTotal } from './reconcile.ts'

const RATES: Rates = { input: 4, output: 20, cacheRead: 0.2, cacheWrite5m: 5, cacheWrite1h: 8 }
const prices: Prices = { ratesOf: (model) => (model === 'known' ? RATES : undefined) }
const MILLION = 1_000_000
const NOTHING: ModelUse = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, messages: 0 }
const used: ModelUse = { ...NOTHING, output: MILLION, messages: 3 }
const { messages: _, ...tokens } = used

function cost(models: AgentUse['models'], client?: ClientTotal) {
  const view = costOf(
    { agent: 'agent-1', at: 50, sessions: ['s1', 's2'], models, ...(client === undefined ? {} : { client }) },
    prices,
  )
  expect(costView.parse(view)).toEqual(view)
  return view
}

test.each<[keyof Rates, number]>([
  ['input', 4],
  ['output', 20],
  ['cacheRead', 0.2],
  ['cacheWrite5m', 5],
  ['cacheWrite1h', 8],
])('a million tokens of %s cost their rate', (kind, usd) => {
  expect(priceOf({ ...NOTHING, [kind]: MILLION }, RATES)).toBe(usd)
})

test('nothing used costs nothing', () => {
  const { messages, ...none } = NOTHING
  expect(cost({})).toEqual({
    agent: 'agent-1',
    at: 50,
    sessions: ['s1', 's2'],
    models: [],
    total: { tokens: none, messages, usd: 0, unpriced: [] },
    client: null,
    differenceUsd: null,
    differencePercent: null,
    why: 'The program has not told a total of its own.',
  })
})

test.each([
  [[], 'The program has not told a total of its own.'],
  [
    ['s1'],
    'The program has not told a total of its own. The transcript of s1 is gone; what was read of it before is counted.',
  ],
  [
    ['s1', 's2'],
    'The program has not told a total of its own. The transcripts of s1, s2 are gone; what was read of them before is counted.',
  ],
])('of transcripts that are gone (%j) it is said', (gone, why) => {
  expect(costOf({ agent: 'agent-1', at: 50, sessions: ['s1', 's2'], models: {}, gone }, prices).why).toBe(why)
})

test('a model without a price is named, and its cost is unknown, not 0', () => {
  expect(cost({ known: used, new: used })).toMatchObject({
    models: [
      { model: 'known', tokens, messages: 3, usd: 20 },
      { model: 'new', tokens, messages: 3, usd: null },
    ],
    total: { tokens: { ...tokens, output: 2 * MILLION }, messages: 6, usd: 20, unpriced: ['new'] },
    why: 'The program has not told a total of its own. new: no list price, and not in our sum.',
  })
  expect(cost({ new: used }).total).toMatchObject({ usd: null, unpriced: ['new'] })
})

describe('held against the total of the program', () => {
  test.each<[string, AgentUse['models'], ClientTotal, object]>([
    [
      'the same',
      { known: used },
      { usd: 20, at: 40 },
      { client: { usd: 20, at: 40, computedUsd: 20 }, differenceUsd: 0, differencePercent: 0, why: 'The two agree.' },
    ],
    [
      'ours is less',
      { known: used },
      { usd: 25, at: 40, session: 's2' },
      { client: { usd: 25, at: 40, session: 's2', computedUsd: 20 }, differenceUsd: -5, differencePercent: -20 },
    ],
    [
      'its total covers one of two sessions',
      { known: used },
      { usd: 8, at: 40, session: 's2', models: { known: { ...used, output: MILLION / 2 } } },
      { client: { usd: 8, at: 40, session: 's2', computedUsd: 10 }, differenceUsd: 2, differencePercent: 25 },
    ],
    ['it says 0', { known: used }, { usd: 0, at: 40 }, { differenceUsd: 20, differencePercent: null }],
    [
      'we have no price',
      { new: used },
      { usd: 8, at: 40 },
      {
        client: { usd: 8, at: 40, computedUsd: null },
        differenceUsd: null,
        differencePercent: null,
        why: 'The two cannot be compared. new: no list price, and not in our sum.',
      },
    ],
    [
      'we have a part of the prices',
      { known: used, new: used },
      { usd: 40, at: 40 },
      {
        differenceUsd: -20,
        differencePercent: -50,
        why: expect.stringMatching(/^Ours is less: .* new: no list price/),
      },
    ],
  ])('%s', (_name, models, client, expected) => expect(cost(models, client)).toMatchObject(expected))
})
