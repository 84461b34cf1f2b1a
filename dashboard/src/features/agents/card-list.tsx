/** Cards in as many columns as fit. Only the rows in sight exist; a card draws anew only when its own agent changed. */
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useNow, useRibbons, type LiveAgent } from '../../live/store.ts'
import { useNeedsYou } from '../../parts/agents-of.ts'
import { fitted } from '../../parts/ribbon/geometry.ts'
import { MOST_HOURS } from '../../parts/ribbon/how-far-back.ts'
import { RibbonReadout } from '../../parts/ribbon/readout.tsx'
import { AgentCard, type CardRibbon } from './agent-card.tsx'
import { rowsOf, type CardRow } from './found.ts'

const CARD_WIDTH = 352
const GAP = 16
const HEIGHTS = { heading: 40, cards: 140 }

export function CardList({ agents }: { agents: readonly LiveAgent[] }) {
  const list = useRef<HTMLDivElement>(null)
  const { columns, offset } = usePlace(list)
  const rows = useMemo(() => rowsOf(agents, columns), [agents, columns])
  const ribbons = useRibbons(MOST_HOURS)
  const needsYou = useNeedsYou()
  const byAgent = useMemo(() => new Map(ribbons?.ribbons.map((ribbon) => [ribbon.agent, ribbon])), [ribbons])
  const { from, to } = ribbons === undefined ? { from: 0, to: 1 } : fitted(ribbons)
  const span = useMemo(() => ({ from, to }), [from, to])
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => HEIGHTS[rows[index]?.type ?? 'cards'],
    getItemKey: (index) => keyOf(rows[index], index),
    overscan: 3,
    scrollMargin: offset,
  })
  const ribbonOf = (id: string): CardRibbon | undefined => {
    const ribbon = byAgent.get(id)
    return ribbon && { ribbon, span }
  }
  return (
    <div ref={list}>
      <Spoken ribbons={ribbons?.ribbons ?? []} />
      <div className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ key, index, start }) => (
          <div key={key} className="absolute inset-x-0" style={{ transform: `translateY(${start - offset}px)` }}>
            <Row row={rows[index]} columns={columns} ribbonOf={ribbonOf} needsYou={needsYou} />
          </div>
        ))}
      </div>
    </div>
  )
}

interface RowProps {
  row: CardRow | undefined
  columns: number
  ribbonOf: (id: string) => CardRibbon | undefined
  needsYou: ReadonlySet<string>
}

function Row({ row, columns, ribbonOf, needsYou }: RowProps) {
  if (row === undefined) return null
  if (row.type === 'heading') {
    return (
      <h2 className="flex h-8 items-baseline gap-2 text-large font-semibold">
        {row.title} <span className="text-base font-normal text-ink-soft">{row.size}</span>
      </h2>
    )
  }
  return (
    <div className="grid gap-4" style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
      {row.ids.map((id) => (
        <AgentCard
          key={id}
          id={id}
          place={ribbonOf(id)?.span}
          ribbon={ribbonOf(id)?.ribbon}
          needsYou={needsYou.has(id)}
        />
      ))}
    </div>
  )
}

/** What is pointed at stands on the cards themselves; for screen readers it is told here. */
function Spoken({ ribbons }: { ribbons: Parameters<typeof RibbonReadout>[0]['ribbons'] }) {
  const now = useNow()
  return (
    <div className="sr-only">
      <RibbonReadout ribbons={ribbons} now={now} idle="" />
    </div>
  )
}

function usePlace(list: React.RefObject<HTMLDivElement | null>): { columns: number; offset: number } {
  const [place, setPlace] = useState({ columns: 1, offset: 0 })
  useLayoutEffect(() => {
    if (list.current !== null) setPlace(placeOf(list.current))
  }, [list])
  useEffect(() => {
    if (list.current === null) return
    const watch = new ResizeObserver(([entry]) => entry && setPlace(placeOf(entry.target as HTMLElement)))
    watch.observe(list.current)
    return () => watch.disconnect()
  }, [list])
  return place
}

function placeOf(list: HTMLElement): { columns: number; offset: number } {
  return { columns: Math.max(1, Math.floor((list.clientWidth + GAP) / (CARD_WIDTH + GAP))), offset: list.offsetTop }
}

function keyOf(row: CardRow | undefined, index: number): string | number {
  if (row === undefined) return index
  return row.type === 'heading' ? row.title : (row.ids[0] ?? index)
}
