/** A time as «3 min ago», with the exact one on hover. It ages by itself. */
import { useNow } from '../live/store.ts'
import { ago, exact } from './words.ts'

export function Ago({ at }: { at: number }) {
  const now = useNow()
  return (
    <time dateTime={new Date(at).toISOString()} title={exact(at)}>
      {ago(at, now)}
    </time>
  )
}
