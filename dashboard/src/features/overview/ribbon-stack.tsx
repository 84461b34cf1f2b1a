/** All ribbons under one axis. Only the rows in sight exist, and each draws anew only when its own agent changed. */
import { useNavigate } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useAgentIds, useAgents, useNow, useRibbons, type LiveRibbons } from '../../live/store.ts'
import { useNeedsYou } from '../../parts/agents-of.ts'
import { useIsNarrow } from '../../parts/media.ts'
import { Empty, Loading } from '../../parts/notice.tsx'
import { RibbonAxis } from '../../parts/ribbon/axis.tsx'
import { CursorProvider } from '../../parts/ribbon/cursor.tsx'
import { fitted } from '../../parts/ribbon/geometry.ts'
import { MOST_HOURS } from '../../parts/ribbon/how-far-back.ts'
import { RibbonLegend } from '../../parts/ribbon/legend.tsx'
import { RibbonReadout } from '../../parts/ribbon/readout.tsx'
import { useCalmOrder } from './calm-order.ts'
import { RibbonRow, ROW_GRID, ROW_HEIGHTS } from './ribbon-row.tsx'

interface RibbonStackProps {
  /** 0: as far back as there is something to see. */
  hours: number
  isByName: boolean
}

export function RibbonStack({ hours, isByName }: RibbonStackProps) {
  const agents = useAgentIds()
  const ribbons = useRibbons(hours === 0 ? MOST_HOURS : hours)
  if (agents.length === 0) {
    return (
      <Empty title="There are no agents yet.">
        <p>
          Start one on the Agents page or with <code className="font-mono">pan agents spawn</code>.
        </p>
      </Empty>
    )
  }
  if (ribbons === undefined) return <Loading what="the ribbons" rows={Math.min(12, agents.length)} height={44} />
  return (
    <CursorProvider>
      <Stack ribbons={ribbons} isByName={isByName} hours={hours} />
      <RibbonLegend />
    </CursorProvider>
  )
}

function Stack({
  ribbons,
  isByName,
  hours,
}: Omit<RibbonStackProps, 'hours'> & { ribbons: LiveRibbons; hours: number }) {
  const list = useRef<HTMLDivElement>(null)
  const agents = useAgents()
  const isHeld = useCallback(() => list.current?.matches(':hover, :focus-within') === true, [])
  const order = useCalmOrder({ agents, isByName, isHeld })
  const byAgent = useMemo(() => new Map(ribbons.ribbons.map((ribbon) => [ribbon.agent, ribbon])), [ribbons])
  const needsYou = useNeedsYou()
  const { from, to } = hours === 0 ? fitted(ribbons) : ribbons
  const span = useMemo(() => ({ from, to }), [from, to])
  const { rows, totalHeight, focus, onKeyDown } = useRows(list, order)
  return (
    <section aria-label="The last hours of all agents">
      <div className="sticky top-22 z-20 border-b border-line bg-ground pt-1 sm:top-14">
        <Now ribbons={ribbons} />
        <div className={ROW_GRID}>
          <span className="max-sm:hidden" />
          <RibbonAxis span={span} />
        </div>
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the ribbons inside are what is focused */}
      <div ref={list} className="relative" style={{ height: totalHeight }} onKeyDown={onKeyDown}>
        {rows.map(({ id, index, top }) => (
          <RibbonRow
            key={id}
            id={id}
            ribbon={byAgent.get(id)}
            span={span}
            top={top}
            isTabStop={index === focus}
            needsYou={needsYou.has(id)}
          />
        ))}
      </div>
    </section>
  )
}

function Now({ ribbons }: { ribbons: LiveRibbons }) {
  const now = useNow()
  return <RibbonReadout ribbons={ribbons.ribbons} now={now} idle="Point at a ribbon to look at one minute." />
}

/** Which rows exist, and which of them the Tab key stops at; up and down move on, Enter opens. */
function useRows(list: React.RefObject<HTMLDivElement | null>, order: readonly string[]) {
  const navigate = useNavigate()
  const isNarrow = useIsNarrow()
  const [focus, setFocus] = useState(0)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => setOffset(list.current?.offsetTop ?? 0), [list])
  const height = isNarrow ? ROW_HEIGHTS.narrow : ROW_HEIGHTS.wide
  const virtual = useWindowVirtualizer({
    count: order.length,
    estimateSize: () => height,
    getItemKey: (index) => order[index] ?? index,
    overscan: 8,
    scrollMargin: offset,
  })
  useLayoutEffect(() => virtual.measure(), [virtual, height])
  const onKeyDown = (event: KeyboardEvent): void => {
    const id = order[focus]
    if (!(event.target instanceof HTMLElement) || event.target.role !== 'slider' || id === undefined) return
    if (event.key === 'Enter') return void navigate({ to: '/agents/$id', params: { id } })
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = Math.min(order.length - 1, Math.max(0, focus + step))
    setFocus(next)
    virtual.scrollToIndex(next, { align: 'auto' })
    requestAnimationFrame(() => list.current?.querySelector<HTMLElement>('[role=slider][tabindex="0"]')?.focus())
  }
  const rows = virtual.getVirtualItems().flatMap(({ index, start }) => {
    const id = order[index]
    return id === undefined ? [] : [{ id, index, top: start - offset }]
  })
  return { rows, totalHeight: virtual.getTotalSize(), focus: Math.min(focus, order.length - 1), onKeyDown }
}
