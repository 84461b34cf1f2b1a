import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isoTime } from './iso-time.ts'

test('an instant is written as Date writes it', () => {
  const MAX = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
  fc.assert(fc.property(fc.integer({ min: 0, max: MAX }), (at) => isoTime(at) === new Date(at).toISOString()))
  for (const at of [0, MAX, Date.UTC(2000, 1, 29), Date.UTC(2024, 1, 29, 23, 59, 59), Date.UTC(2100, 2, 1)]) {
    expect(isoTime(at)).toBe(new Date(at).toISOString())
  }
})
