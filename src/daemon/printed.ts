/** Events and the morning's summary as lines of text. */
import type { Event } from '../contract/events.ts'
import type { NeedsYou } from '../contract/needs-you.ts'
import { describe } from '../core/describe.ts'
import { statusView } from '../core/views.ts'
import type { World } from '../core/world.ts'
import { localTime } from './local-time.ts'

/** `pan` is how people call it for this home. */
export function lineIn(json: boolean, pan: string): (event: Event) => string {
  return json ? (event) => JSON.stringify(event) : (event) => eventLine(event, pan)
}

function eventLine(event: Event, pan: string): string {
  const line = `${clockTime(event.at)}  ${describe(event)}`
  if (event.type !== 'needs-you.raised') return line
  return `${line}\n${' '.repeat(10)}${howToSettle(event.item, pan)}`
}

/** Not by Intl, whose first formatter costs the daemon 6 MB for good. */
function clockTime(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':')
}

function howToSettle({ id, hint, options = [], answerable }: NeedsYou, pan: string): string {
  if (answerable !== true) return hint
  const choice = options.length === 0 ? '<answer>' : options.map((option) => `«${option}»`).join(' or ')
  return `Answer in another terminal, ${choice}: ${pan} answer ${id} <answer>; or in the dashboard: ${pan} dashboard`
}

export function morningLines(world: World): string[] {
  const { summary, needsYou, house } = statusView(world, localTime)
  const counted = Object.entries(summary).flatMap(([health, n]) => (n > 0 ? `${n} ${health}` : []))
  return [
    '',
    `${house.sentence}: ${counted.join(', ') || 'nobody is active'}.`,
    ...(needsYou.length === 0
      ? ['Nothing needs you.']
      : needsYou.map((item) => `Needs you: ${item.sentence} ${item.hint}`)),
  ]
}
