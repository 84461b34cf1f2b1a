/** Durations and sentences in words. Core has no Intl; people read minutes. */

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE

/** A usage limit of a week is the longest there is. */
export const LONGEST_LIMIT_MS = 8 * 24 * HOUR

export function duration(ms: number): string {
  const minutes = Math.floor(ms / MINUTE)
  if (minutes < 1) return `${Math.max(0, Math.floor(ms / SECOND))} s`
  if (minutes < 120) return `${minutes} min`
  const rest = minutes % 60
  return rest === 0 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 60)} h ${rest} min`
}

/** For a limit, which is told as it is: 90 seconds are not 1 min. */
export function exactly(ms: number): string {
  const rest = Math.round((ms % MINUTE) / SECOND)
  if (rest === 0) return duration(ms)
  return ms < 2 * MINUTE ? `${Math.round(ms / SECOND)} s` : `${duration(ms - (ms % MINUTE))} ${rest} s`
}

/** With its indefinite article. */
export function one(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`
}

/** A sentence ends once, also when it quotes a question. */
export function ended(sentence: string): string {
  return /[.?!]$/.test(sentence) ? sentence : `${sentence}.`
}
