import fc from 'fast-check'
import { expect, test } from 'vitest'
import { resetTime } from './reset-time.ts'

const at = (iso: string): number => Date.parse(iso)
const BERLIN = 'Europe/Berlin'
// A Monday.
const MONDAY = '2026-11-16T14:20:00+01:00'

test.each([
  ['resets 3am', MONDAY, '2026-11-17T03:00:00+01:00'],
  ['resets 3pm', MONDAY, '2026-11-16T15:00:00+01:00'],
  ["You've hit your limit · resets 3pm", MONDAY, '2026-11-16T15:00:00+01:00'],
  ['5-hour limit reached ∙ resets 12am', MONDAY, '2026-11-17T00:00:00+01:00'],
  ['resets 12pm', MONDAY, '2026-11-17T12:00:00+01:00'],
  ['resets at 11:50 (Europe/Berlin)', MONDAY, '2026-11-17T11:50:00+01:00'],
  ['resets at 23:50', '2026-11-16T23:49:59+01:00', '2026-11-16T23:50:00+01:00'],
  ['resets at 00:10 (Europe/Berlin)', '2026-11-16T23:59:00+01:00', '2026-11-17T00:10:00+01:00'],
  ['resets 2:30pm (America/New_York)', MONDAY, '2026-11-16T14:30:00-05:00'],
  ['resets 1am (Asia/Tokyo)', MONDAY, '2026-11-17T01:00:00+09:00'],
  // Said a moment late.
  ['resets 2:20pm', '2026-11-16T14:21:30+01:00', '2026-11-16T14:20:00+01:00'],
  ['resets 0:10', '2026-10-25T00:30:00+02:00', '2026-10-26T00:10:00+01:00'],
  ['resets Mon 9am', MONDAY, '2026-11-23T09:00:00+01:00'],
  ['Weekly limit reached ∙ resets Monday 4pm', MONDAY, '2026-11-16T16:00:00+01:00'],
  ['resets Sun 9am', MONDAY, '2026-11-22T09:00:00+01:00'],
  ['resets Nov 20, 5pm (UTC)', MONDAY, '2026-11-20T17:00:00Z'],
  ['resets Jan 2 at 3:15am', MONDAY, '2027-01-02T03:15:00+01:00'],
  // The clock is put back by an hour in the night, and put forward in another.
  ['resets 9am', '2026-10-24T22:00:00+02:00', '2026-10-25T09:00:00+01:00'],
  ['resets 9am', '2026-03-28T22:00:00+01:00', '2026-03-29T09:00:00+02:00'],
])('«%s», said at %s, is %s', (message, said, expected) => {
  const found = resetTime(message, { wallAt: at(said), zone: BERLIN })
  expect(found === undefined ? undefined : new Date(found).toISOString()).toBe(new Date(at(expected)).toISOString())
})

test.each([
  'limit reached',
  'resets soon',
  'resets 25:00',
  'resets 13pm',
  'resets 0am',
  'resets at 11:70',
  'resets 3am (Middle/Earth)',
  'resets Feb 30, 3pm',
  'reset your password at once',
  'API Error: Request rejected (429) at 3am',
])('«%s» cannot be read', (message) => {
  expect(resetTime(message, { wallAt: at(MONDAY), zone: BERLIN })).toBe(undefined)
})

const LATE_MS = 5 * 60_000
const HALF_A_DAY = 12 * 3_600_000
const zones = fc.constantFrom('UTC', BERLIN, 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'Pacific/Apia')
const instants = fc.integer({ min: at('2024-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') })

test('whenever it is said: the next time that the clock of the zone shows it, within a day and an hour', () => {
  const minutes = fc.integer({ min: 0, max: 24 * 60 - 1 })
  fc.assert(
    fc.property(instants, minutes, zones, fc.boolean(), (wallAt, minute, zone, isNamed) => {
      const [hour, rest] = [Math.floor(minute / 60), String(minute % 60).padStart(2, '0')]
      const half = `${hour % 12 === 0 ? 12 : hour % 12}:${rest}${hour < 12 ? 'am' : 'pm'}`
      const text = isNamed ? `resets at ${hour}:${rest} (${zone})` : `resets ${half}`
      const found = resetTime(text, { wallAt, zone: isNamed ? 'UTC' : zone }) ?? Number.NaN
      expect(found).toBeGreaterThan(wallAt - LATE_MS)
      expect(found - wallAt).toBeLessThanOrEqual(25 * 3_600_000)
      const shown = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
      // In one night of the year the clock leaves an hour out.
      const isOrdinary = shown.format(found - HALF_A_DAY) === shown.format(found + HALF_A_DAY)
      if (isOrdinary) expect(shown.format(found)).toBe(`${String(hour).padStart(2, '0')}:${rest}`)
      expect(found % 60_000).toBe(0)
    }),
    { numRuns: 2_000, examples: [[1_759_582_800_000, 61, 'Australia/Lord_Howe', false]] },
  )
})

test('whatever the text: no moment at all, or one that is still to come within a year', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), instants, zones, (text, wallAt, zone) => {
      const found = resetTime(`resets ${text}`, { wallAt, zone })
      if (found !== undefined) expect(found > wallAt - LATE_MS && found < wallAt + 368 * 24 * 3_600_000).toBe(true)
    }),
    { numRuns: 2_000 },
  )
})
