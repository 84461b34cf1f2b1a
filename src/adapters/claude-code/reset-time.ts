/**
 * When a usage limit ends, as the client writes it for people: «resets 3am», «resets at 11:50 (Europe/Berlin)», «resets
 * Mon 9am», «resets Jan 5, 3pm». It is the next such moment after the report was made, by the clock of the zone that it
 * names, else of this machine; one that is only just past was reached while the client spoke. What cannot be read, or
 * names no moment, is undefined. Pure, but for the zones' rules.
 */

/** Only the minute is told, and services are late with it. */
const JUST_PAST_MS = 5 * 60_000
const TEXT = /\breset(?:s|ting)?\b(?:\s+(?:at|on|by))?\s+([^|\n∙·•]{1,80})/i
const CLOCK = /\b(\d{1,2})(?::(\d{2}))?\s*([ap])\.?m\b|\b(\d{1,2}):(\d{2})\b/i
const WEEKDAY = /\b(sun|mon|tue|wed|thu|fri|sat)[a-z]*\b/i
const DATE = /\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+(\d{1,2})(?:st|nd|rd|th)?\b/i
const ZONE = /\(([A-Za-z][A-Za-z0-9_+\-/]{1,40})\)/
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

export interface Told {
  /** When the client said it. */
  wallAt: number
  /** Of this machine, where the text names none. */
  zone: string
}

export function resetTime(message: string, { wallAt, zone }: Told): number | undefined {
  const text = TEXT.exec(message)?.[1]
  const clock = text === undefined ? undefined : clockOf(text)
  if (text === undefined || clock === undefined) return undefined
  const where = ZONE.exec(text)?.[1] ?? zone
  const wall = wallClock(where)
  if (wall === undefined || !Number.isFinite(wallAt)) return undefined
  const fits = dayOf(text)
  // A date comes once a year, a weekday once a week; the moment may be past today.
  const days = DATE.test(text) ? 368 : WEEKDAY.test(text) ? 9 : 3
  const today = wall(wallAt)
  for (let day = 0; day < days; day += 1) {
    // By the calendar: a day may have 23 hours or 25.
    const noon = new Date(Date.UTC(today.year, today.month, today.date + day, 12))
    const [year, month, date] = [noon.getUTCFullYear(), noon.getUTCMonth(), noon.getUTCDate()]
    if (!fits({ year, month, date })) continue
    const at = instantOf(wall, Date.UTC(year, month, date, clock.hour, clock.minute))
    if (at > wallAt - JUST_PAST_MS) return at
  }
  return undefined
}

interface Clock {
  hour: number
  minute: number
}

function clockOf(text: string): Clock | undefined {
  const [, hour12, minute12 = '0', half, hour24, minute24] = CLOCK.exec(text) ?? []
  const minute = Number(hour12 === undefined ? minute24 : minute12)
  const told = Number(hour12 ?? hour24)
  const isTold = Number.isInteger(told) && minute < 60
  if (!isTold || (hour12 === undefined ? told > 23 : told < 1 || told > 12)) return undefined
  if (hour12 === undefined) return { hour: told, minute }
  return { hour: (told % 12) + (half?.toLowerCase() === 'p' ? 12 : 0), minute }
}

interface Day {
  year: number
  month: number
  date: number
}

/** Whether a day is the one that is named; without a name every day is. */
function dayOf(text: string): (day: Day) => boolean {
  const [, month, date] = DATE.exec(text) ?? []
  if (month !== undefined) {
    const index = MONTHS.indexOf(month.toLowerCase())
    return (day) => day.month === index && day.date === Number(date)
  }
  const weekday = WEEKDAY.exec(text)?.[1]
  if (weekday === undefined) return () => true
  const index = WEEKDAYS.indexOf(weekday.toLowerCase())
  return (day) => new Date(Date.UTC(day.year, day.month, day.date)).getUTCDay() === index
}

type Wall = (at: number) => Day & { asUtc: number }

/** What clock and calendar of a zone show; undefined when there is no such zone. */
function wallClock(timeZone: string): Wall | undefined {
  try {
    const numeric = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const
    const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', second: 'numeric', ...numeric })
    return (at) => {
      const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
      const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
      const [year, month, date] = [part('year'), part('month') - 1, part('day')]
      const asUtc = Date.UTC(year, month, date, part('hour'), part('minute'), part('second'))
      return { year, month, date, asUtc }
    }
  } catch {
    return undefined
  }
}

/** The moment at which the zone's clock shows this; twice corrected, since its offset may change in between. */
function instantOf(wall: Wall, shown: number): number {
  const first = shown - (wall(shown).asUtc - shown)
  return shown - (wall(first).asUtc - first)
}
