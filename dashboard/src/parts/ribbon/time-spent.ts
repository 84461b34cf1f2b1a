/** What a ribbon comes to: how long each cause was true, how often, and how long at most in a row. */
import type { RibbonSegment } from '../../../../src/contract/ribbon.ts'
import type { Shade } from '../shade.ts'
import type { Span } from './geometry.ts'
import { causeOf } from './said.ts'

export interface Spent {
  what: string
  ms: number
  /** Of the time in which the agent was there. */
  share: number
  times: number
  longestMs: number
  /** How long it was shown as what, the longest first. */
  parts: readonly { shade: Shade; ms: number }[]
}

interface Row extends Omit<Spent, 'share' | 'parts'> {
  parts: Map<Shade, number>
}

/** The longest first. */
export function timeSpent(segments: readonly RibbonSegment[], { from, to }: Span): Spent[] {
  const rows = new Map<string, Row>()
  let last: { what: string; ms: number } | undefined
  let wholeMs = 0
  for (const segment of segments) {
    const ms = Math.min(segment.to, to) - Math.max(segment.from, from)
    if (ms <= 0) continue
    const what = causeOf(segment)
    wholeMs += ms
    // The same cause in another colour goes on.
    const isNew = last?.what !== what
    last = { what, ms: ms + (isNew ? 0 : (last?.ms ?? 0)) }
    const row = rows.get(what) ?? { what, ms: 0, times: 0, longestMs: 0, parts: new Map<Shade, number>() }
    row.ms += ms
    row.times += isNew ? 1 : 0
    row.longestMs = Math.max(row.longestMs, last.ms)
    row.parts.set(segment.shade, (row.parts.get(segment.shade) ?? 0) + ms)
    rows.set(what, row)
  }
  return [...rows.values()]
    .map((row) => ({ ...row, share: row.ms / wholeMs, parts: partsOf(row) }))
    .toSorted((a, b) => b.ms - a.ms)
}

function partsOf({ parts }: Row): Spent['parts'] {
  return [...parts].map(([shade, ms]) => ({ shade, ms })).toSorted((a, b) => b.ms - a.ms)
}
