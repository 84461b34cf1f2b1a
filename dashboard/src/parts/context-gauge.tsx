/** How full an agent's context is: a small bar, the share and the window; who says so, and since when, on hover. */
import type { ContextView } from '../../../src/contract/views.ts'
import { duration, percent, tokens } from './words.ts'

/** From here on a hand-off should be near. */
const FULL_SHARE = 0.85

/** `grownMs` is how much older it is than when it was told. */
export function ContextGauge({ context, grownMs = 0 }: { context: ContextView; grownMs?: number }) {
  const { share, window } = context
  const isFull = share !== undefined && share >= FULL_SHARE
  const title = contextInWords(context, grownMs)
  if (share === undefined || window === undefined) {
    return (
      <span className="shrink-0" title={title}>
        <span className="sr-only">context </span>
        {tokens(context.tokens)} tokens
      </span>
    )
  }
  return (
    <span
      className={`inline-flex shrink-0 items-center gap-1.5 ${isFull ? 'font-medium text-warning' : ''}`}
      title={title}
    >
      <span className="sr-only">context </span>
      <svg className="h-1.5 w-10 shrink-0" viewBox="0 0 40 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width="40" height="6" rx="1" className="fill-line" />
        <rect width={40 * Math.min(1, share)} height="6" rx="1" fill="currentColor" />
      </svg>
      {percent(share)} of {tokens(window)}
    </span>
  )
}

const SOURCES: Record<ContextView['source'], string> = { status_line: 'its status line', transcript: 'its transcript' }

export function contextInWords({ tokens: used, window, source, ageMs }: ContextView, grownMs: number): string {
  const of = window === undefined ? '' : ` of ${whole.format(window)}`
  return `${whole.format(used)}${of} tokens, by ${SOURCES[source]}, ${duration(ageMs + grownMs)} ago`
}

const whole = new Intl.NumberFormat('en-GB')
