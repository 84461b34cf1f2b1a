/** An instant as people type it: a time of day that is yet to come, a time from now, or an ISO instant. */

const UNITS: Record<string, number> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const DAY_MS = 86_400_000

export function instantOf(text: string, now: number): number | undefined {
  const span = /^(\d{1,4})(s|m|h|d)$/.exec(text)
  if (span !== null) return now + Number(span[1]) * (UNITS[span[2] ?? ''] ?? 0)
  const time = /^(\d{1,2}):(\d{2})$/.exec(text)
  if (time !== null) return timeOfDay(Number(time[1]), Number(time[2]), now)
  const at = /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** By the clock of whoever types; one that is past today is tomorrow's. */
function timeOfDay(hours: number, minutes: number, now: number): number | undefined {
  if (hours > 23 || minutes > 59) return undefined
  const date = new Date(now)
  date.setHours(hours, minutes, 0, 0)
  if (date.getTime() > now) return date.getTime()
  const tomorrow = new Date(now + DAY_MS)
  tomorrow.setHours(hours, minutes, 0, 0)
  return tomorrow.getTime()
}
