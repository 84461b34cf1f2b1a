/** Events for people: those after a seq, or the newest, found backwards in growing windows of the journal. */
import type { EventWish } from '../api/deps.ts'
import type { Event } from '../contract/events.ts'
import type { EventQuery, Journal } from '../core/ports.ts'

const FIRST_WINDOW = 1_000
/** How far back the newest are looked for. */
const FARTHEST = 100_000

export async function newestEvents(
  journal: Pick<Journal, 'events'>,
  lastSeq: number,
  wish: EventWish,
): Promise<readonly Event[]> {
  if (wish.after !== undefined) return eventsAfter(journal, wish.after, wish)
  let found: Event[] = []
  let to = lastSeq
  for (let size = FIRST_WINDOW; to > Math.max(0, lastSeq - FARTHEST) && found.length < wish.limit; size *= 4) {
    const from = Math.max(0, to - size)
    // At most `to - from` events lie in the window, so none of it is cut off.
    const events = await journal.events(query(wish, from, to - from))
    found = [...events.filter((event) => event.seq <= to && isWanted(event, wish)), ...found]
    to = from
  }
  return found.slice(-wish.limit)
}

async function eventsAfter(journal: Pick<Journal, 'events'>, after: number, wish: EventWish): Promise<Event[]> {
  const events = await journal.events(query(wish, after, wish.type === undefined ? wish.limit : FIRST_WINDOW))
  return events.filter((event) => isWanted(event, wish)).slice(0, wish.limit)
}

function query({ agent }: EventWish, afterSeq: number, limit: number): EventQuery {
  return { afterSeq, limit, ...(agent === undefined ? {} : { agent }) }
}

function isWanted({ type }: Event, wish: EventWish): boolean {
  return wish.type === undefined || wish.type === type
}
