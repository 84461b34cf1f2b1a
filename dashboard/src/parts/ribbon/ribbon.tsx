/**
 * The night ribbon of one agent. Drawn on a canvas, since hundreds of them go on by the second; pointer and arrow keys
 * move the minute that all ribbons of the page look at, and the readout tells it in words.
 */
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore, type KeyboardEvent } from 'react'
import type { Ribbon } from '../../../../src/contract/ribbon.ts'
import { clock } from '../words.ts'
import { useCursor } from './cursor.tsx'
import { clampMinute, minuteAt, MINUTE_MS, placeOf, segmentAt, type Span } from './geometry.ts'
import { paintRibbon } from './paint.ts'
import { currentPalette, subscribePalette } from './palette.ts'

type Size = 'row' | 'card' | 'large'

const SIZES: Record<Size, { height: number; lane: number }> = {
  row: { height: 28, lane: 9 },
  card: { height: 32, lane: 10 },
  large: { height: 72, lane: 12 },
}

interface RibbonProps {
  ribbon: Ribbon
  /** The whole window that is shown; its end is now. */
  span: Span
  size?: Size
  /** Of many stacked ribbons only one is a stop of the Tab key. */
  isTabStop?: boolean
}

export function RibbonBand({ ribbon, span, size = 'row', isTabStop = true }: RibbonProps) {
  const { height, lane } = SIZES[size]
  const canvas = useRef<HTMLCanvasElement>(null)
  const width = useWidth(canvas)
  const palette = useSyncExternalStore(subscribePalette, currentPalette)
  const { from, to } = span
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (canvas.current === null || context === null || context === undefined || width === 0) return
    const ratio = Math.min(3, devicePixelRatio)
    fit(canvas.current, { width: width * ratio, height: height * ratio })
    paintRibbon(context, ribbon, { from, to, width, height, lane, ratio, palette })
  }, [ribbon, from, to, width, height, lane, palette])
  return (
    <Track ribbon={ribbon} span={span} isTabStop={isTabStop} height={height}>
      <canvas ref={canvas} aria-hidden="true" className="block w-full" style={{ height }} />
    </Track>
  )
}

type TrackProps = Required<Omit<RibbonProps, 'size'>> & { height: number; children: React.ReactNode }

/** What is pointed at and focused: a slider over the minutes. */
function Track({ ribbon, span, isTabStop, height, children }: TrackProps) {
  const cursor = useCursor()
  const line = useRef<HTMLSpanElement>(null)
  const track = useRef<HTMLDivElement>(null)
  const { from, to } = span
  useLayoutEffect(() => {
    const move = (): void => follow(line.current, track.current, { at: cursor.current()?.at, ribbon, from, to })
    move()
    return cursor.subscribe(move)
  }, [cursor, ribbon, from, to])
  const point = (at: number): void => cursor.set({ at, agent: ribbon.agent })
  return (
    <div
      ref={track}
      role="slider"
      tabIndex={isTabStop ? 0 : -1}
      aria-label={`Night ribbon of ${ribbon.agent}`}
      aria-orientation="horizontal"
      aria-valuemin={0}
      aria-valuemax={Math.round((to - from) / MINUTE_MS)}
      aria-valuenow={Math.round((to - from) / MINUTE_MS)}
      className="ribbon relative min-w-0 touch-pan-y"
      style={{ height }}
      onPointerMove={(event) => {
        const box = event.currentTarget.getBoundingClientRect()
        point(minuteAt((event.clientX - box.left) / box.width, span))
      }}
      onPointerLeave={() => cursor.set(undefined)}
      onFocus={(event) =>
        event.currentTarget.matches(':focus-visible') && point(cursor.current()?.at ?? clampMinute(to, span))
      }
      // From ribbon to ribbon the minute stays.
      onBlur={({ relatedTarget }) => relatedTarget?.role === 'slider' || cursor.set(undefined)}
      onKeyDown={(event) =>
        onKey(event, { at: cursor.current()?.at ?? to, span, point, clear: () => cursor.set(undefined) })
      }
    >
      {children}
      <span ref={line} hidden className="pointer-events-none absolute -inset-y-2 left-0 w-px bg-ink" />
    </div>
  )
}

/** Moves the line, and what a screen reader says of it. */
function follow(
  line: HTMLElement | null,
  track: HTMLElement | null,
  { at, ribbon, from, to }: Span & { at: number | undefined; ribbon: Ribbon },
): void {
  if (line === null || track === null) return
  line.hidden = at === undefined
  const shownAt = at ?? to
  line.style.left = `${placeOf(shownAt, { from, to }, 100)}%`
  track.setAttribute('aria-valuenow', String(Math.round((shownAt - from) / MINUTE_MS)))
  const shade = segmentAt(ribbon.segments, shownAt)?.shade ?? 'not there yet'
  track.setAttribute('aria-valuetext', `${at === undefined ? 'now' : clock(at, to)}, ${shade}`)
}

const HOUR = 60
const MOVES: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageDown: -HOUR,
  PageUp: HOUR,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

interface Keyed {
  at: number
  span: Span
  point: (at: number) => void
  clear: () => void
}

function onKey(event: KeyboardEvent, { at, span, point, clear }: Keyed): void {
  if (event.key === 'Escape') return clear()
  const minutes = MOVES[event.key]
  if (minutes === undefined || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  const faster = event.shiftKey ? 10 : 1
  const wanted = Number.isFinite(minutes) ? at + minutes * faster * MINUTE_MS : minutes < 0 ? span.from : span.to
  point(clampMinute(wanted, span))
}

function useWidth(canvas: React.RefObject<HTMLCanvasElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    if (canvas.current === null) return
    setWidth(Math.floor(canvas.current.clientWidth))
    const watch = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)))
    watch.observe(canvas.current)
    return () => watch.disconnect()
  }, [canvas])
  return width
}

/** Setting a canvas's size clears it, so only when it differs. */
function fit(canvas: HTMLCanvasElement, { width, height }: { width: number; height: number }): void {
  if (canvas.width !== width) canvas.width = width
  if (canvas.height !== height) canvas.height = height
}
