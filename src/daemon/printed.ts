/** Events and the morning's summary as lines of text. */
import type { Event } from '../contract/events.ts'
import type { NeedsYou } from '../contract/records.ts'
import { describe } from '../core/describe.ts'
import { statusView } from '../core/views.ts'
import type { World } from '../core/world.ts'

const clockTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** `pan` is how people call it for this home. */
export function lineIn(json: boolean, pan: string): (event: Event) => string {
  return json ? (event) => JSON.stringify(event) : (event) => eventLine(event, pan)
}

function eventLine(event: Event, pan: string): string {
  const line = `${clockTime.format(event.at)}  ${describe(event)}`
  if (event.type !== 'needs-you.raised') return line
  return `${line}\n${' '.repeat(10)}${howToSettle(event.item, pan)}`
}

function howToSettle({ id, hint, options = [], answerable }: NeedsYou, pan: string): string {
  if (answerable !== true) return hint
  const choice = options.length === 0 ? '<answer>' : options.map((option) => `«${option}»`).join(' or ')
  return `Answer in another terminal, ${choice}: ${pan} answer ${id} <answer>; or in the dashboard: ${pan} dashboard`
}

export function morningLines(world: World): string[] {
  const { summary, needsYou, watching } = statusView(world)
  const counted = Object.entries(summary).flatMap(([health, n]) => (n > 0 ? `${n} ${health}` : []))
  return [
    '',
    `Watching ${watching}: ${counted.join(', ') || 'nobody'}.`,
    ...(needsYou.length === 0
      ? ['Nothing needs you.']
      : needsYou.map((item) => `Needs you: ${item.sentence} ${item.hint}`)),
  ]
}
