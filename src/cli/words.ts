/** Durations, clock times and counts as people read them. */

const MINUTE = 60_000

export function duration(ms: number): string {
  const minutes = Math.floor(ms / MINUTE)
  if (minutes < 1) return `${Math.max(0, Math.floor(ms / 1000))} s`
  if (minutes < 120) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.floor(hours / 24)} d`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** Local time; the date only when it is not today's. */
export function clockTime(at: number, now = Date.now()): string {
  const date = new Date(at)
  const time = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')
  if (date.toDateString() === new Date(now).toDateString()) return time
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${time}`
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

function two(n: number): string {
  return String(n).padStart(2, '0')
}
