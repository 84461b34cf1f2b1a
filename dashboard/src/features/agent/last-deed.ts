/** The last thing that was done to an agent, and whether it came out as it was meant. */
import type { ShownEvent } from '../../../../src/contract/views.ts'

export interface Deed {
  at: number
  sentence: string
  isGood: boolean
}

/** Of events that are about one agent, oldest first. An emergency stop is a deed to everybody whom it ended. */
export function lastDeed(events: readonly ShownEvent[]): Deed | undefined {
  for (const event of events.toReversed()) {
    const isGood = outcomeOf(event)
    if (isGood !== undefined) return { at: event.at, sentence: event.sentence, isGood }
  }
  return undefined
}

function outcomeOf(event: ShownEvent): boolean | undefined {
  switch (event.type) {
    case 'act.ended':
      return event.result === 'done'
    case 'emergency.ended':
      return event.confirmed && event.survivors.length === 0
    case 'emergency.found':
      return true
    default:
      return undefined
  }
}
