import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HOUR, MINUTE } from '../durations.ts'
import { earlyCycle, forecastCycle, thresholdNow, usableWindow, type Fill, type Forecast } from './forecast.ts'

const NOW = 10 * HOUR
const place = { window: 200_000, threshold: 0.85, now: NOW }
const given = { threshold: 0.85, warnPerHour: 2 }

test.each([
  [200_000, 180_000],
  [1_000_000, 967_000],
  [10_000, 1],
])('of a window of %i tokens %i can be used', (window, usable) => {
  expect(usableWindow(window)).toBe(usable)
})

test.each<[string, number[], ReturnType<typeof thresholdNow>]>([
  ['none', [], { share: 0.85 }],
  ['one in the hour', [NOW - 10 * MINUTE], { share: 0.85 }],
  ['those before the hour', [NOW - HOUR, NOW - 2 * HOUR, NOW - MINUTE], { share: 0.85 }],
  [
    'two in the hour',
    [NOW - 50 * MINUTE, NOW - MINUTE],
    {
      share: 0.89,
      warning: 'Its context was cleared 2 times in the last hour: something fills it faster than work should.',
    },
  ],
  [
    'very many',
    Array.from({ length: 9 }, (_, k) => NOW - k * MINUTE),
    {
      share: 0.97,
      warning: 'Its context was cleared 9 times in the last hour: something fills it faster than work should.',
    },
  ],
])('the threshold after %s', (_, cycles, threshold) => {
  expect(thresholdNow(given, cycles, NOW)).toEqual(threshold)
})

test('a threshold that is set higher stays', () => {
  expect(thresholdNow({ threshold: 0.99, warnPerHour: 5 }, [NOW - 1, NOW - 2], NOW)).toEqual({ share: 0.99 })
})

/** Minutes ago, thousands of tokens. */
const fills = (...pairs: [number, number][]): Fill[] =>
  pairs.map(([ago, thousands]) => ({ at: NOW - ago * MINUTE, tokens: thousands * 1000 }))

test.each<[string, Fill[], Forecast | undefined]>([
  ['nothing is known', [], undefined],
  ['one sample', fills([1, 90]), { fill: 0.5 }],
  ['exactly 85 %', fills([5, 150], [0, 153]), { fill: 0.85, dueAt: NOW }],
  ['above it', fills([0, 170]), { fill: 170 / 180, dueAt: NOW }],
  ['steady growth', fills([10, 80], [5, 85], [0, 90]), { fill: 0.5, dueAt: NOW + 63 * MINUTE, tokensPerMinute: 1000 }],
  [
    'rapid growth',
    fills([2, 50], [1, 90], [0, 130]),
    { fill: 130 / 180, dueAt: NOW + 34_500, tokensPerMinute: 40_000 },
  ],
  [
    'one leap in a steady growth',
    fills([8, 60], [6, 62], [4, 64], [2, 96], [0, 98]),
    { fill: 98 / 180, dueAt: NOW + 694_737, tokensPerMinute: 4750 },
  ],
  ['a standstill', fills([10, 90], [0, 90]), { fill: 0.5 }],
  [
    'it was cleared in between',
    fills([9, 140], [8, 150], [6, 20], [3, 23], [0, 26]),
    { fill: 26 / 180, dueAt: NOW + 127 * MINUTE, tokensPerMinute: 1000 },
  ],
  ['it was cleared just now', fills([9, 140], [8, 150], [0, 20]), { fill: 20 / 180 }],
  ['a very slow one', fills([20, 20], [0, 20.1]), { fill: 20_100 / 180_000, tokensPerMinute: 5 }],
  [
    'what is long ago says nothing of the pace',
    fills([300, 10], [4, 60], [2, 62], [0, 64]),
    { fill: 64 / 180, dueAt: NOW + 89 * MINUTE, tokensPerMinute: 1000 },
  ],
  ['only old samples', fills([90, 60], [60, 90]), { fill: 0.5, dueAt: NOW + 3 * MINUTE, tokensPerMinute: 1000 }],
])('%s', (_, samples, forecast) => {
  expect(forecastCycle(samples, place)).toEqual(forecast)
})

test('early, between tasks, when the threshold would come inside the next one', () => {
  const at = (minutes: number, fill = 0.7): Forecast => ({ fill, dueAt: NOW + minutes * MINUTE, tokensPerMinute: 1 })
  const between = {
    threshold: 0.85,
    isBetweenTasks: true,
    taskTimesMs: [20, 30, 90].map((each) => each * MINUTE),
    now: NOW,
  }
  const early = (forecast: Forecast, more: Partial<typeof between> = {}) =>
    earlyCycle({ ...between, forecast, ...more })
  expect(early(at(29))).toBe(
    'The threshold is forecast in 29 min, and a task takes about 30 min: it is better now, between two of them.',
  )
  expect(early(at(31))).toBeUndefined()
  expect(early(at(29), { isBetweenTasks: false })).toBeUndefined()
  expect(early(at(29, 0.3))).toBeUndefined()
  expect(early({ fill: 0.7 })).toBeUndefined()
  expect(early(at(14), { taskTimesMs: [] })).toMatch(/in 14 min, and a task takes about 15 min/)
  expect(early(at(0, 0.9))).toBe('The threshold is reached.')
})

test('whatever was seen, a forecast is never in the past and reached only where it is', () => {
  const sample = fc.record({ at: fc.integer({ min: NOW - 3 * HOUR, max: NOW }), tokens: fc.nat(1_200_000) })
  fc.assert(
    fc.property(fc.array(sample, { maxLength: 120 }), fc.constantFrom(200_000, 1_000_000), (samples, window) => {
      const sorted = samples.toSorted((a, b) => a.at - b.at)
      const found = forecastCycle(sorted, { ...place, window })
      const last = sorted.at(-1)
      if (found === undefined || last === undefined) return
      const isReached = last.tokens >= 0.85 * usableWindow(window)
      expect(found.dueAt ?? NOW).toBeGreaterThanOrEqual(NOW)
      if (isReached) expect(found.dueAt).toBe(NOW)
    }),
  )
})
