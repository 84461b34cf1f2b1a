import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CostView } from '../../contract/cost-views.ts'
import { costLines } from './agents-cost.ts'

const columns = process.env['COLUMNS']
beforeAll(() => void (process.env['COLUMNS'] = '100'))
afterAll(() => {
  if (columns === undefined) delete process.env['COLUMNS']
  else process.env['COLUMNS'] = columns
})

const opus = { input: 1200, output: 3400, cacheRead: 5_600_000, cacheWrite5m: 7800, cacheWrite1h: 0 }
const fresh = { input: 1, output: 2, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }

const view: CostView = {
  agent: 'agent-1',
  at: 0,
  sessions: ['s1'],
  models: [
    { model: 'claude-opus-5-5', tokens: opus, messages: 12, usd: 1.2318 },
    { model: 'claude-new', tokens: fresh, messages: 1, usd: null },
  ],
  total: { tokens: opus, messages: 13, usd: 1.2318, unpriced: ['claude-new'] },
  client: { usd: 1.5, at: 0, computedUsd: 1.2318 },
  differenceUsd: -0.2682,
  differencePercent: -17.88,
  why: 'Ours is less.',
}

test('models, their sum, what the program says and by how much it differs', () => {
  expect(costLines(view)).toEqual([
    'MODEL            ANSWERS  INPUT  OUTPUT  CACHE READ  CACHE 5M  CACHE 1H  USD',
    'claude-opus-5-5  12       1,200  3,400   5,600,000   7,800     0         $1.23',
    'claude-new       1        1      2       0           0         0         unpriced',
    'all              13       1,200  3,400   5,600,000   7,800     0         $1.23',
    '',
    '  its program  $1.50 for its present session; ours for the same: $1.23',
    '  difference   -$0.2682 (-17.9 %)',
    'Ours is less.',
  ])
})

test('an agent that used nothing', () => {
  const nothing = { ...view, models: [], client: null, differenceUsd: null, differencePercent: null }
  expect(costLines(nothing)).toEqual(['agent-1 has used nothing yet, as far as its transcripts tell.'])
})
