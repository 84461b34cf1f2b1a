import { expect, test } from 'vitest'
import { instantOf } from './instant.ts'

const NOW = new Date(2026, 0, 20, 22, 0).getTime()

test.each<[string, number | undefined]>([
  ['90m', NOW + 90 * 60_000],
  ['8h', NOW + 8 * 3_600_000],
  ['2d', NOW + 2 * 86_400_000],
  ['23:30', new Date(2026, 0, 20, 23, 30).getTime()],
  ['6:30', new Date(2026, 0, 21, 6, 30).getTime()],
  ['22:00', new Date(2026, 0, 21, 22, 0).getTime()],
  ['2026-02-01T08:00:00Z', Date.UTC(2026, 1, 1, 8)],
  ['24:00', undefined],
  ['soon', undefined],
  ['', undefined],
  ['2026', undefined],
])('%s', (text, at) => {
  expect(instantOf(text, NOW)).toBe(at)
})
