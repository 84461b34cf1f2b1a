/** The last 24 hours in sums: how long each cause was true, and what was done to the agent. */
import { useMemo } from 'react'
import type { RibbonMark } from '../../../../src/contract/ribbon.ts'
import { useRibbon } from '../../live/store.ts'
import { Loading } from '../../parts/notice.tsx'
import { timeSpent, type Spent } from '../../parts/ribbon/time-spent.ts'
import { INK } from '../../parts/shade.ts'
import { StateShape } from '../../parts/state-mark.tsx'
import { count, duration, percent } from '../../parts/words.ts'
import { Section } from './section.tsx'

export function Day({ id }: { id: string }) {
  const live = useRibbon(id, 24)
  const rows = useMemo(() => (live === undefined ? [] : timeSpent(live.ribbon.segments, live)), [live])
  return (
    <Section title="Day" aside="the last 24 h by cause">
      {live === undefined ? (
        <Loading what="the last 24 hours" rows={4} height={28} />
      ) : (
        <>
          <Causes rows={rows} />
          <p className="text-ink-soft">{deedsOf(live.ribbon.marks.filter(({ at }) => at >= live.from))}</p>
        </>
      )}
    </Section>
  )
}

function Causes({ rows }: { rows: readonly Spent[] }) {
  if (rows.length === 0) return <p className="text-ink-soft">It was not there yet.</p>
  return (
    <table className="w-full border-collapse text-left tabular-nums">
      <caption className="sr-only">How long each cause was true in the last 24 hours</caption>
      <thead>
        <tr className="text-small text-ink-soft">
          <th scope="col" className="font-normal">
            Cause
          </th>
          <th scope="col" className="pl-2 text-right font-normal">
            Time
          </th>
          <th scope="col" className="pl-2 text-right font-normal">
            Share
          </th>
          <th scope="col" className="pl-2 text-right font-normal max-sm:hidden">
            Longest
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <Cause key={row.what} row={row} />
        ))}
      </tbody>
    </table>
  )
}

function Cause({ row: { what, ms, share, times, longestMs, parts } }: { row: Spent }) {
  const [first, ...others] = parts
  const notes = [
    ...(times > 1 ? [count(times, 'time')] : []),
    ...others.map((part) => `${duration(part.ms)} ${part.shade}`),
  ]
  return (
    <tr className="border-t border-line align-baseline">
      <th scope="row" className="py-1 font-normal">
        <span className="flex items-baseline gap-2">
          {first !== undefined && (
            <span className={INK[first.shade]}>
              <StateShape shade={first.shade} />
            </span>
          )}
          <span className="wrap-anywhere">
            {what}
            {notes.length > 0 && <span className="text-ink-soft">{`, ${notes.join(', ')}`}</span>}
          </span>
        </span>
        <Bar parts={parts} wholeMs={ms / share} />
      </th>
      <td className="py-1 pl-2 text-right whitespace-nowrap">{duration(ms)}</td>
      <td className="py-1 pl-2 text-right whitespace-nowrap">{share < 0.005 ? '< 1 %' : percent(share)}</td>
      <td className="py-1 pl-2 text-right whitespace-nowrap text-ink-soft max-sm:hidden">{duration(longestMs)}</td>
    </tr>
  )
}

function Bar({ parts, wholeMs }: { parts: Spent['parts']; wholeMs: number }) {
  const rects = parts.map(({ shade, ms }, n) => {
    const beforeMs = parts.slice(0, n).reduce((sum, part) => sum + part.ms, 0)
    return { shade, x: `${(beforeMs / wholeMs) * 100}%`, width: `${Math.max(0.5, (ms / wholeMs) * 100)}%` }
  })
  return (
    <svg className="mt-1 h-1.5 w-full" aria-hidden="true">
      <rect width="100%" height="100%" className="fill-line" />
      {rects.map(({ shade, x, width }) => (
        <rect key={shade} x={x} width={width} height="100%" fill="currentColor" className={INK[shade]} />
      ))}
    </svg>
  )
}

const NOUNS: Partial<Record<RibbonMark['kind'], string>> = {
  spawn: 'start',
  'needs-you': 'call for you',
  emergency: 'emergency stop',
  handoff: 'hand-off',
  continue: 'continuation',
}

/** «3 pokes, 1 kill» */
function deedsOf(marks: readonly RibbonMark[]): string {
  const sums = new Map<string, number>()
  for (const { kind } of marks) sums.set(kind, (sums.get(kind) ?? 0) + 1)
  if (sums.size === 0) return 'Nothing was done to it.'
  const words = [...sums].map(([kind, n]) => count(n, NOUNS[kind as RibbonMark['kind']] ?? kind))
  return `Done to it: ${words.join(', ')}.`
}
