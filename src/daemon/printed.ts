/** Events and the morning's summary as lines of text. */
import type { Event } from '../contract/events.ts'
import { describe } from '../core/describe.ts'
import { statusView } from '../core/views.ts'
import type { World } from '../core/world.ts'

const clockTime = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

export function eventLine(event: Event): string {
  return `${clockTime.format(event.at)}  ${describe(event)}`
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
