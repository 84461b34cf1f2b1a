/**
 * Inbox: what only a person can settle, oldest first, so that what is new never moves what you are about to press; below
 * it who finished and is to be looked at.
 */
import { useRef } from 'react'
import type { NeedsYou } from '../../../../src/contract/needs-you.ts'
import { useStatus } from '../../live/store.ts'
import { Finished } from '../../parts/finished.tsx'
import { useLingering } from '../../parts/lingering.ts'
import { NeedsYouItem } from '../../parts/needs-you.tsx'
import { Empty, NotYet } from '../../parts/notice.tsx'
import { count } from '../../parts/words.ts'
import { useInboxKeys } from './keys.ts'

const NONE: readonly NeedsYou[] = []

export function InboxPage() {
  const status = useStatus()
  const list = useRef<HTMLUListElement>(null)
  useInboxKeys(list)
  const open = status?.needsYou ?? NONE
  const items = useLingering(open, list)
  if (status === undefined) return <NotYet what="the inbox" rows={4} height={120} />
  return (
    <div className="flex max-w-4xl flex-col gap-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6">
        <h1 className="text-title font-semibold">Inbox</h1>
        <p role="status" className="text-ink-soft">
          {status.needsYouCount > 0 && `${count(status.needsYouCount, 'thing')} to settle`}
        </p>
      </div>
      {items.length === 0 ? (
        <Empty title="Nothing needs you.">
          <p>Questions of agents, and whatever Cloister cannot settle by itself, appear here as they come.</p>
        </Empty>
      ) : (
        <>
          <ul ref={list} aria-label="To settle" className="flex flex-col gap-4">
            {items.map(({ item, isSettled }) => (
              <li key={item.id}>
                <NeedsYouItem item={item} isSettled={isSettled} />
              </li>
            ))}
          </ul>
          <p className="text-small text-ink-faint max-sm:hidden">
            <kbd className="font-mono">j</kbd> and <kbd className="font-mono">k</kbd> go from one to the next; on one,{' '}
            <kbd className="font-mono">1</kbd> to <kbd className="font-mono">9</kbd> give the answer of that place.
          </p>
        </>
      )}
      <Finished finished={status.finished} />
    </div>
  )
}
