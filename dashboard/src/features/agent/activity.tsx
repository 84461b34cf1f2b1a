/** The last things it did, newest first. */
import { useState } from 'react'
import type { Activity as Done } from '../../../../src/contract/evidence.ts'
import { Asked } from '../../parts/asked.tsx'
import { Button } from '../../parts/button.tsx'
import { Ago } from '../../parts/time.tsx'
import { useDetail } from './details.ts'
import { Section } from './section.tsx'

const SHOWN = 8

export function Activity({ id }: { id: string }) {
  const query = useDetail('activity', id)
  const size = query.data?.view.activities.length ?? 0
  return (
    <Section title="Activity" aside={size > 0 && `last ${size}`}>
      <Asked what="its activity" query={query}>
        {({ view }) => <Lines lines={view.activities} />}
      </Asked>
    </Section>
  )
}

function Lines({ lines }: { lines: readonly Done[] }) {
  const [isWhole, setIsWhole] = useState(false)
  if (lines.length === 0) return <p className="text-ink-soft">Nothing was reported yet.</p>
  const newest = lines.map((line, index) => ({ line, key: `${line.ts} ${index}` })).toReversed()
  return (
    <div className="flex flex-col items-start">
      <ol
        aria-label="Activity, newest first"
        className={`w-full ${isWhole ? 'max-h-96 overflow-y-auto' : ''}`}
        {...(isWhole ? { tabIndex: 0 } : {})}
      >
        {newest.slice(0, isWhole ? undefined : SHOWN).map(({ line, key }) => (
          <Line key={key} line={line} />
        ))}
      </ol>
      {lines.length > SHOWN && (
        <Button kind="quiet" className="-ml-3" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show the newest only' : `Show all ${lines.length}`}
        </Button>
      )}
    </div>
  )
}

function Line({ line: { ts, tool, action, state } }: { line: Done }) {
  return (
    <li className="flex items-baseline gap-x-3 border-b border-line py-1">
      <span className="min-w-0 flex-1 wrap-anywhere">
        {tool !== undefined && !action?.startsWith(tool) && <span className="text-ink-soft">{tool} </span>}
        {action ?? (tool === undefined ? state : '')}
      </span>
      <span className="shrink-0 text-ink-soft">
        <Ago at={Date.parse(ts)} />
      </span>
    </li>
  )
}
