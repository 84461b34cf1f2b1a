/** An instant as people at this machine say it: the time of day; with the date when it is not today's. */

/** Not by Intl, whose first formatter costs the daemon 6 MB for good. */
export function localTime(wallAt: number, now = Date.now()): string {
  const date = new Date(wallAt)
  const time = `${two(date.getHours())}:${two(date.getMinutes())}`
  if (date.toDateString() === new Date(now).toDateString()) return time
  return `${time} on ${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

function two(n: number): string {
  return String(n).padStart(2, '0')
}
