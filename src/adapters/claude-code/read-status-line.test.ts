import fc from 'fast-check'
import { expect, test } from 'vitest'
import { gauges } from '../../contract/evidence.ts'
import { parseBody } from './hook-body.ts'
import { readStatusLine } from './read-status-line.ts'
import { recordedHooks } from '../../../tests/samples/recorded-hooks.ts'

test('before the first answer it says nothing of the context; then what the model was given to read', () => {
  const [first, second] = recordedHooks().filter(({ kind }) => kind === 'StatusLine')
  expect(readStatusLine(parseBody(first?.body ?? '') ?? {})).toEqual({
    model: 'claude-sonnet-5-5',
    limits: [],
    costUsd: 0,
  })
  expect(readStatusLine(parseBody(second?.body ?? '') ?? {})).toEqual({
    model: 'claude-sonnet-5-5',
    context: { tokens: 1110, window: 1_000_000, source: 'status_line' },
    limits: [],
    costUsd: 0.00057,
  })
})

test('limits, where the client tells them', () => {
  const rate_limits = {
    five_hour: { used_percentage: 86.5, resets_at: 1_794_765_374 },
    seven_day: { used_percentage: 12 },
    'no name!': { used_percentage: 1 },
    wrong: 'x',
  }
  expect(readStatusLine({ rate_limits }).limits).toEqual([
    { name: 'five_hour', share: 0.865, resetsWallAt: 1_794_765_374_000 },
    { name: 'seven_day', share: 0.12 },
  ])
})

test('whatever the client gives is readable, or left out', () => {
  const value = fc.oneof(fc.json(), fc.string())
  const number = fc.oneof(fc.double(), fc.integer(), fc.constant(null), fc.string())
  const status = fc.record({
    context_window: fc.record(
      {
        context_window_size: number,
        current_usage: fc.record({ input_tokens: number, cache_read_input_tokens: number }),
      },
      { requiredKeys: [] },
    ),
    cost: fc.record({ total_cost_usd: number }),
    rate_limits: fc.dictionary(fc.string(), fc.record({ used_percentage: number, resets_at: number })),
    model: fc.record({ id: fc.string() }),
  })
  fc.assert(
    fc.property(
      fc.oneof(
        value,
        status.map((each) => JSON.stringify(each)),
      ),
      (text) => {
        const { context, limits, costUsd } = readStatusLine(parseBody(text) ?? {})
        const told = {
          limits,
          ...(context === undefined ? {} : { context }),
          ...(costUsd === undefined ? {} : { sessionCostUsd: costUsd }),
        }
        expect(gauges.safeParse(told).error).toBeUndefined()
      },
    ),
  )
})
