/** The times under which ribbons stand, «now» at the right edge, and the shared minute above them. */
import { useEffect, useRef } from 'react'
import { clock } from '../words.ts'
import { useCursor } from './cursor.tsx'
import { placeOf, ticksOf, type Span } from './geometry.ts'

export function RibbonAxis({ span }: { span: Span }) {
  const { from, to } = span
  return (
    <div className="relative h-5 min-w-0 text-small text-ink-faint" aria-hidden="true">
      {ticksOf(span)
        .filter((at) => placeOf(at, span, 100) > 3 && placeOf(at, span, 100) < 86)
        .map((at, n) => (
          <span
            key={at}
            className={`absolute -translate-x-1/2 ${n % 2 === 1 ? 'max-sm:hidden' : ''}`}
            style={{ left: `${placeOf(at, span, 100)}%` }}
          >
            {clock(at, at)}
          </span>
        ))}
      <span className="absolute right-0 text-ink">now</span>
      <Pointed from={from} to={to} />
    </div>
  )
}

/** The minute under the pointer, over the ticks. */
function Pointed({ from, to }: Span) {
  const cursor = useCursor()
  const label = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    const move = (): void => {
      const at = cursor.current()?.at
      if (label.current === null) return
      label.current.hidden = at === undefined
      if (at === undefined) return
      label.current.textContent = clock(at, to)
      label.current.style.left = `clamp(1.5rem, ${placeOf(at, { from, to }, 100)}%, 100% - 1.5rem)`
    }
    move()
    return cursor.subscribe(move)
  }, [cursor, from, to])
  return <span ref={label} hidden className="absolute -translate-x-1/2 bg-ink px-1 text-ground" />
}
