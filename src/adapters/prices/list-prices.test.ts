/** The list is what the pinned library says, and a name is on it or it is not. */
import { calcPrice } from '@pydantic/genai-prices'
import { describe, expect, test } from 'vitest'
import { priceOf } from '../../core/costs/price.ts'
import { CLAUDE_RATES } from './claude-rates.ts'
import { tierPrices } from './list-prices.ts'

const LIST = tierPrices({})

describe('what is on the list', () => {
  test.each([
    ['claude-opus-5-5', { input: 4, output: 20, cacheRead: 0.2, cacheWrite5m: 5, cacheWrite1h: 8 }],
    ['claude-opus-5-5[1m]', { input: 4, output: 20, cacheRead: 0.2, cacheWrite5m: 5, cacheWrite1h: 8 }],
    ['claude-haiku-4-5-20251001', { input: 1, output: 5, cacheRead: 0.1, cacheWrite5m: 1.25, cacheWrite1h: 2 }],
    ['claude-3-5-haiku-latest', { input: 0.8, output: 4, cacheRead: 0.08, cacheWrite5m: 1, cacheWrite1h: 1.6 }],
    [
      'us.anthropic.claude-opus-4-1-20250805-v1:0',
      { input: 15, output: 75, cacheRead: 1.5, cacheWrite5m: 18.75, cacheWrite1h: 30 },
    ],
    // What the client counts itself, as long as the library has none.
    ['claude-sonnet-5-5', { input: 2, output: 10, cacheRead: 0.1, cacheWrite5m: 2.5, cacheWrite1h: 4 }],
    // Of a tiered price the base: sums do not say how long each prompt was.
    ['claude-sonnet-4-5', { input: 3, output: 15, cacheRead: 0.3, cacheWrite5m: 3.75, cacheWrite1h: 6 }],
    // In fast mode, by what the client counts itself.
    ['claude-opus-5-5[fast]', { input: 8, output: 40, cacheRead: 0.4, cacheWrite5m: 10, cacheWrite1h: 16 }],
    ['claude-opus-4-8[1m][fast]', { input: 10, output: 50, cacheRead: 1, cacheWrite5m: 12.5, cacheWrite1h: 20 }],
    ['claude-opus-4-6-20260205[fast]', { input: 30, output: 150, cacheRead: 3, cacheWrite5m: 37.5, cacheWrite1h: 60 }],
    // No price for the cache: 1.25 and 2 times the input.
    ['claude-2', { input: 8, output: 24, cacheRead: 0.8, cacheWrite5m: 10, cacheWrite1h: 16 }],
  ])('%s', (model, rates) => expect(LIST.ratesOf(model)).toEqual(rates))

  test.each([
    'claude-haiku-5-5',
    'claude-sonnet-5-6',
    'claude-opus-6',
    // Known at the usual speed only.
    'claude-opus-4-5[fast]',
    'claude-sonnet-5-5[fast]',
    'claude-opus-5-5[slow]',
    '[fast]',
    'gpt-6',
    'unknown',
    '',
    '__proto__',
    'toString',
  ])('«%s» is not', (model) => expect(LIST.ratesOf(model)).toBeUndefined())
})

test('a tier has the price of its model', () => {
  const prices = tierPrices({ opus: 'claude-opus-5-5', cheap: 'gpt-6' })
  expect(prices.ratesOf('opus')).toEqual(LIST.ratesOf('claude-opus-5-5'))
  expect(['cheap', 'sonnet'].map((model) => prices.ratesOf(model))).toEqual([undefined, undefined])
})

// The library has them where a gateway sells them under names of their own.
test.each(['4.6', '4.7', '4.8', '5'])('a bill for Opus %s in fast mode is the one of the library', (version) => {
  const tokens = { input: 100, output: 10, cacheRead: 1000, cacheWrite5m: 300, cacheWrite1h: 0 }
  const bill = calcPrice(
    { input_tokens: 1400, output_tokens: 10, cache_read_tokens: 1000, cache_write_tokens: 300 },
    `anthropic/claude-opus-${version}-fast`,
    { providerId: 'openrouter' },
  )
  const rates = LIST.ratesOf(`claude-opus-${version}[fast]`)
  expect(rates === undefined ? undefined : priceOf(tokens, rates)).toBeCloseTo(bill?.total_price ?? Number.NaN, 10)
})

// The first two are older than the cache and have no price for it.
test.each(Object.keys(CLAUDE_RATES).filter((model) => !['claude-2', 'claude-v1'].includes(model)))(
  'a bill for %s is the one of the library',
  (model) => {
    const tokens = { input: 100, output: 10, cacheRead: 1000, cacheWrite5m: 300, cacheWrite1h: 70 }
    const bill = calcPrice(
      {
        input_tokens: 1470,
        output_tokens: 10,
        cache_read_tokens: 1000,
        cache_write_tokens: 370,
        cache_write_1h_tokens: 70,
      },
      model,
      { providerId: 'anthropic' },
    )
    const rates = LIST.ratesOf(model)
    expect(rates === undefined ? undefined : priceOf(tokens, rates)).toBeCloseTo(bill?.total_price ?? Number.NaN, 10)
  },
)
