/** A wall-clock instant as ISO 8601 in UTC. Core has no Date: whoever is told the time may still write it down. */
const DAY = 86_400_000

export function isoTime(wallAt: number): string {
  const days = Math.floor(wallAt / DAY)
  const ms = Math.floor(wallAt) - days * DAY
  const [hours, minutes, seconds] = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1000) % 60,
  ]
  return `${dateOf(days)}T${padded(hours)}:${padded(minutes)}:${padded(seconds)}.${padded(ms % 1000, 3)}Z`
}

/** Counted in years that begin in March, so that the leap day is a year's last; an era has 400 of them. */
function dateOf(days: number): string {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const march = Math.floor((5 * dayOfYear + 2) / 153)
  const month = march < 10 ? march + 3 : march - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  return `${padded(year, 4)}-${padded(month)}-${padded(dayOfYear - Math.floor((153 * march + 2) / 5) + 1)}`
}

function padded(value: number, width = 2): string {
  return String(value).padStart(width, '0')
}
