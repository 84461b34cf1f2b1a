/** A state as colour, shape and word, never colour alone. */
import type { ReactNode } from 'react'
import { INK, type Shade } from './shade.ts'

interface StateMarkProps {
  shade: Shade
  /** True now, rather than then or in general: grey while the daemon is not heard. */
  isNow?: boolean
  /** With the slow ring while it is active; for single agents, since a page full of rings costs frames. */
  isRinging?: boolean
}

export function StateMark({ shade, isNow = false, isRinging = false }: StateMarkProps) {
  return (
    <span className={`inline-flex shrink-0 items-center gap-1.5 ${INK[shade]} ${isNow ? 'state-now' : ''}`}>
      <StateShape shade={shade} isRinging={isRinging} />
      <span className="font-medium">{shade}</span>
    </span>
  )
}

export function StateShape({ shade, isRinging = false }: Pick<StateMarkProps, 'shade' | 'isRinging'>) {
  return (
    <svg className="size-3 shrink-0 overflow-visible" viewBox="0 0 12 12" aria-hidden="true">
      {SHAPES[shade]}
      {isRinging && shade === 'active' && (
        <circle cx="6" cy="6" r="5" {...outline} strokeWidth="1" className="state-ring" />
      )}
    </svg>
  )
}

const outline = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.5 } as const

const SHAPES: Record<Shade, ReactNode> = {
  active: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  stale: (
    <>
      <circle cx="6" cy="6" r="4.5" {...outline} />
      <path d="M6 1.5a4.5 4.5 0 0 0 0 9z" fill="currentColor" />
    </>
  ),
  warning: <path d="M6 1 11.5 11H.5z" fill="currentColor" />,
  stuck: <path d="M1.5 1.5h9v9h-9z" fill="currentColor" />,
  unknown: (
    <>
      <circle cx="6" cy="6" r="5" {...outline} strokeWidth="1" strokeDasharray="2 1.2" />
      <path d="M4.7 4.8a1.3 1.3 0 1 1 1.9 1.15q-.6.3-.6.9" {...outline} strokeWidth="1.2" />
      <circle cx="6" cy="8.5" r=".75" fill="currentColor" />
    </>
  ),
  waiting: <path d="M6 .5 11.5 6 6 11.5.5 6z" fill="currentColor" />,
  limited: <path d="M6 1.25 10.75 6 6 10.75 1.25 6z" {...outline} />,
  idle: <path d="m2 6.5 2.7 2.7L10 3.5" {...outline} />,
  suspended: <path d="M4 2v8M8 2v8" {...outline} strokeWidth="2" />,
  uninitialized: <circle cx="6" cy="6" r="4.25" {...outline} />,
  stopped: <path d="M2 2h8v8H2z" {...outline} />,
  unwatched: <path d="M1 6h10" {...outline} strokeDasharray="1.5 1.5" />,
}
