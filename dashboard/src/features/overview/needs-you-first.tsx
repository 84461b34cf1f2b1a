/** What waits for a person, oldest first: a few of it here, all of it in the inbox. */
import { Link } from '@tanstack/react-router'
import { Flag } from 'lucide-react'
import type { NeedsYou } from '../../../../src/contract/needs-you.ts'
import { Quoted } from '../../parts/quoted.tsx'
import { Ago } from '../../parts/time.tsx'

const SHOWN = 4

export function NeedsYouFirst({ items }: { items: readonly NeedsYou[] }) {
  if (items.length === 0) return null
  const oldest = items.toSorted((a, b) => a.raisedWallAt - b.raisedWallAt)
  return (
    <section aria-label="Needs you" className="border-l-2 border-accent bg-accent-soft">
      <ul>
        {oldest.slice(0, SHOWN).map((item) => (
          <Item key={item.id} item={item} />
        ))}
      </ul>
      {items.length > SHOWN && (
        <Link to="/inbox" className="block px-3 pb-2 text-accent hover:underline">
          {items.length - SHOWN} more in the inbox
        </Link>
      )}
    </section>
  )
}

function Item({ item: { agent, sentence, hint, raisedWallAt } }: { item: NeedsYou }) {
  return (
    <li className="flex items-start gap-3 px-3 py-2">
      <Flag size={16} className="mt-0.5 shrink-0 text-accent" aria-hidden="true" />
      <p className="min-w-0 flex-1 wrap-break-word">
        {sentence}{' '}
        <span className="text-ink-soft max-sm:hidden">
          <Quoted text={hint} />
        </span>
      </p>
      <span className="shrink-0 text-ink-soft max-sm:hidden">
        <Ago at={raisedWallAt} />
      </span>
      {agent === undefined ? (
        <Link to="/inbox" className="shrink-0 font-medium text-accent hover:underline">
          Inbox
        </Link>
      ) : (
        <Link to="/agents/$id" params={{ id: agent }} className="shrink-0 font-medium text-accent hover:underline">
          Open
          <span className="sr-only"> {agent}</span>
        </Link>
      )}
    </li>
  )
}
