/** Times for people: «3 min ago», which ages by itself, or the time of day; the exact one on hover. */
import { useNow } from '../live/store.ts'
import { ago, clock, exact } from './words.ts'

export function Ago({ at }: { at: number }) {
  const now = useNow()
  return (
    <time dateTime={new Date(at).toISOString()} title={exact(at)}>
      {ago(at, now)}
    </time>
  )
}

/** The time of day at which something began, with how long ago and the exact time on hover. */
export function Since({ at }: { at: number }) {
  const now = useNow()
  return (
    <time dateTime={new Date(at).toISOString()} title={`${ago(at, now)}, ${exact(at)}`}>
      {clock(at, now)}
    </time>
  )
}
