/** The slim rail of pages: left on a wide page, a bar at the bottom of a narrow one. */
import { Link } from '@tanstack/react-router'
import { ArrowLeftRight, ChartNoAxesGantt, Inbox, SlidersHorizontal, SquareStack, type LucideIcon } from 'lucide-react'
import { useStatus } from './live/store.ts'

interface Place {
  to: '/' | '/agents' | '/handoffs' | '/inbox' | '/settings'
  word: string
  icon: LucideIcon
}

const PLACES: readonly Place[] = [
  { to: '/', word: 'Overview', icon: ChartNoAxesGantt },
  { to: '/agents', word: 'Agents', icon: SquareStack },
  { to: '/handoffs', word: 'Handoffs', icon: ArrowLeftRight },
  { to: '/inbox', word: 'Inbox', icon: Inbox },
  { to: '/settings', word: 'Settings', icon: SlidersHorizontal },
]

export function Rail() {
  const waiting = useStatus()?.needsYouCount ?? 0
  return (
    <nav
      aria-label="Pages"
      className="z-30 border-line bg-ground max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:border-t sm:sticky sm:top-0 sm:h-dvh sm:w-18 sm:shrink-0 sm:border-r"
    >
      <ul className="flex max-sm:h-14 sm:flex-col sm:py-2">
        {PLACES.map((place) => (
          <li key={place.to} className="max-sm:flex-1">
            <Stop place={place} waiting={place.to === '/inbox' ? waiting : 0} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Stop({ place: { to, word, icon: Icon }, waiting }: { place: Place; waiting: number }) {
  return (
    <Link
      to={to}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      className="relative flex h-14 flex-col items-center justify-center gap-1 border-transparent text-small text-ink-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:text-ink max-sm:border-t-2 sm:border-l-2"
    >
      <Icon size={18} strokeWidth={1.75} aria-hidden="true" />
      {word}
      {waiting > 0 && (
        <span className="absolute top-1.5 left-1/2 ml-1.5 min-w-4 rounded-full bg-accent px-1 text-center text-small leading-4 font-medium text-accent-ink">
          {waiting}
          <span className="sr-only"> waiting</span>
        </span>
      )}
    </Link>
  )
}
