/** Durations, times of day, counts and causes as people read them. */
import { limitSentence } from '../../../src/contract/limit-sentence.ts'
import type { AgentView, ExplainView } from '../../../src/contract/views.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

export function duration(ms: number): string {
  const minutes = Math.floor(ms / MINUTE)
  if (minutes < 1) return `${Math.max(0, Math.floor(ms / SECOND))} s`
  if (minutes < 120) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.floor(hours / 24)} d`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

/** «for 10 min: thinking»; where it does what it does only since lately, «for 10 min, for the last 4 s running Bash». */
export function lastingOf({ forMs, causeMs = forMs, reason }: Lasting, grown: number): string {
  const [whole, part] = [duration(forMs + grown), duration(causeMs + grown)]
  return causeMs >= forMs || whole === part ? `for ${whole}: ${reason}` : `for ${whole}, for the last ${part} ${reason}`
}

type Lasting = Pick<ExplainView, 'forMs' | 'causeMs' | 'reason'>

export function ago(at: number, now: number): string {
  const ms = now - at
  return ms < SECOND ? 'now' : `${duration(ms)} ago`
}

/** Hours and minutes; with the day when it is not today's. */
export function clock(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString()
  return isToday ? minuteFormat.format(at) : `${dayFormat.format(at)} ${minuteFormat.format(at)}`
}

export function exact(at: number): string {
  return exactFormat.format(at)
}

export function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

/** «860k», «1M», «1.2M» */
export function tokens(n: number): string {
  if (n < 1_000) return String(n)
  if (n < 999_500) return `${Math.round(n / 1_000)}k`
  return `${Number((n / 1_000_000).toFixed(1))}M`
}

/** «$0.42», «$0.0031»; what has no price is not free. */
export function usd(amount: number | null): string {
  if (amount === null) return 'unpriced'
  return `$${amount.toFixed(amount > 0 && amount < 0.01 ? 4 : 2)}`
}

/** «86 %»; what is nearly nothing, or nearly all, is not called nothing or all. */
export function percent(share: number): string {
  const whole = Math.round(share * 100)
  if (whole === 0 && share > 0) return '1 %'
  return `${whole === 100 && share < 1 ? 99 : whole} %`
}

const minuteFormat = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const dayFormat = new Intl.DateTimeFormat('en-GB', { weekday: 'short' })
const exactFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })

const RESTING: Record<AgentView['lifecycle'], string> = {
  active: 'working',
  uninitialized: 'never started',
  idle: 'waits at its prompt',
  suspended: 'sleeps, its session is kept',
  stopped: 'not running',
}

type Doing = Pick<AgentView, 'cause' | 'reason' | 'lifecycle' | 'act' | 'desired'>

/** What it does or why it does not, in a few words. */
export function doingOf({ cause, reason, lifecycle, act, desired }: Doing, now: number): string {
  if (act !== undefined) return `${act.kind} by ${act.by} under way`
  if (cause === undefined) return reason ?? RESTING[lifecycle]
  switch (cause.kind) {
    case 'starting':
      return 'starting'
    case 'working_tool':
      return cause.boundMs === undefined
        ? `running ${cause.name}, ${duration(cause.ageMs)}`
        : `running ${cause.name}, ${duration(cause.ageMs)} of ${duration(cause.boundMs)}`
    case 'thinking':
      return 'thinking'
    case 'waiting_background':
      return `waiting for ${count(cause.tasks, 'background task')}`
    case 'waiting_permission':
      return `waiting for your permission: ${cause.what}`
    case 'waiting_user':
      return `waiting for you: ${cause.what}`
    case 'rate_limited':
      return limitSentence({ cause, desired, now }, (at) => clock(at, now))
    case 'compacting':
      return 'compacting its context'
    case 'looping':
      return cause.times === 1 ? `looping: ${cause.what}` : `looping: ${cause.what} ×${cause.times}`
    case 'dead':
      return cause.exitCode === undefined ? 'its program ended' : `its program ended with exit code ${cause.exitCode}`
    case 'unknown':
      return cause.why
    case 'startup_blocked':
      return `held at its start: ${cause.what}`
    case 'api_error':
      return `error of the model's API: ${cause.what}`
    case 'auth_needed':
      return `must be signed in: ${cause.what}`
    case 'hung':
      return `hangs: ${cause.what}`
  }
}
