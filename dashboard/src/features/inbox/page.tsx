/** Inbox: what only a person can settle, oldest first, so that what is new never moves what you are about to press. */
import { useMemo, useRef } from 'react'
import { useStatus } from '../../live/store.ts'
import { NeedsYouItem } from '../../parts/needs-you.tsx'
import { Empty, Loading } from '../../parts/notice.tsx'
import { count } from '../../parts/words.ts'
import { useInboxKeys } from './keys.ts'

export function InboxPage() {
  const status = useStatus()
  const list = useRef<HTMLUListElement>(null)
  useInboxKeys(list)
  const items = useMemo(
    () => status?.needsYou.toSorted((a, b) => a.raisedWallAt - b.raisedWallAt) ?? [],
    [status?.needsYou],
  )
  if (status === undefined) return <Loading what="the inbox" rows={4} height={120} />
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h1 className="text-title font-semibold">Inbox</h1>
        <p role="status" className="text-ink-soft">
          {items.length > 0 && `${count(items.length, 'thing')} to settle`}
        </p>
      </div>
      {items.length === 0 ? (
        <Empty title="Nothing needs you.">
          <p>Questions of agents, and whatever Cloister cannot settle by itself, appear here as they come.</p>
        </Empty>
      ) : (
        <>
          <ul ref={list} aria-label="To settle" className="flex flex-col gap-4">
            {items.map((item) => (
              <li key={item.id}>
                <NeedsYouItem item={item} />
              </li>
            ))}
          </ul>
          <p className="text-small text-ink-faint max-sm:hidden">
            <kbd className="font-mono">j</kbd> and <kbd className="font-mono">k</kbd> go from one to the next; on one,{' '}
            <kbd className="font-mono">1</kbd> to <kbd className="font-mono">9</kbd> give the answer of that place.
          </p>
        </>
      )}
    </div>
  )
}
