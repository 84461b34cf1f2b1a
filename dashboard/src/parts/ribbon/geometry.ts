/** Where things stand on a ribbon: times to places, segments to bars no narrower than a point, the segment at a time. */
import type { Ribbon, RibbonMark, RibbonSegment } from '../../../../src/contract/ribbon.ts'
import { severityOf, SHADES, type Shade } from '../shade.ts'
import { TEXTURES, textureOf, type Texture } from './texture.ts'

export interface Span {
  from: number
  to: number
}

export interface Bar {
  /** In points from the left. */
  x: number
  width: number
  shade: Shade
  texture: Texture
}

export interface PlacedMark {
  x: number
  kind: RibbonMark['kind']
}

export const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const NOTHING = -1

/**
 * One bar per run of equal columns. Where several segments share a point the worst wins, so that a short trouble is
 * seen however long the night; the work is bounded by the width, not by what happened.
 */
export function barsOf(segments: readonly RibbonSegment[], span: Span, width: number): Bar[] {
  const columns = new Int16Array(width).fill(NOTHING)
  for (const { from, to, shade, cause } of segments) {
    const [first, last] = [Math.floor(placeOf(from, span, width)), Math.ceil(placeOf(to, span, width))]
    const value = severityOf(shade) * TEXTURES.length + TEXTURES.indexOf(textureOf(shade, cause))
    for (let x = Math.max(0, first); x < Math.min(width, last); x += 1) {
      const before = columns[x] ?? NOTHING
      if (before === NOTHING || value < before) columns[x] = value
    }
  }
  return runs(columns)
}

function runs(columns: Int16Array): Bar[] {
  const bars: Bar[] = []
  let start = 0
  for (let x = 1; x <= columns.length; x += 1) {
    const value = columns[start] ?? NOTHING
    if (x < columns.length && columns[x] === value) continue
    const shade = SHADES[Math.floor(value / TEXTURES.length)]
    const texture = TEXTURES[value % TEXTURES.length]
    if (value !== NOTHING && shade !== undefined && texture !== undefined)
      bars.push({ x: start, width: x - start, shade, texture })
    start = x
  }
  return bars
}

/**
 * Later ones lie on top, so what weighs more comes later; equal ones at one place are one. At an edge a mark is moved
 * inwards: what happened just now is what one looks for, and must not be cut in half.
 */
export function placeMarks(marks: readonly RibbonMark[], span: Span, width: number): PlacedMark[] {
  const placed = new Map<string, PlacedMark>()
  for (const { at, kind } of marks) {
    if (at < span.from || at > span.to) continue
    const x = Math.round(Math.min(width - HALF_MARK, Math.max(HALF_MARK, placeOf(at, span, width))))
    placed.set(`${kind} ${Math.round(x / SAME_PLACE)}`, { x, kind })
  }
  return [...placed.values()].sort((a, b) => WEIGHTS.indexOf(a.kind) - WEIGHTS.indexOf(b.kind))
}

const SAME_PLACE = 4
const HALF_MARK = 5
const WEIGHTS: readonly RibbonMark['kind'][] = [
  'message',
  'answer',
  'spawn',
  'resume',
  'restore',
  'interrupt',
  'rest',
  'suspend',
  'poke',
  'clear',
  'switch',
  'handoff',
  'kill',
  'needs-you',
  'emergency',
]

export function placeOf(at: number, { from, to }: Span, width: number): number {
  return ((at - from) / (to - from)) * width
}

/** The whole minute at a place; never outside the ribbon. */
export function minuteAt(fraction: number, { from, to }: Span): number {
  return clampMinute(from + fraction * (to - from), { from, to })
}

export function clampMinute(at: number, { from, to }: Span): number {
  const minute = Math.round(at / MINUTE_MS) * MINUTE_MS
  return Math.min(Math.floor(to / MINUTE_MS) * MINUTE_MS, Math.max(Math.ceil(from / MINUTE_MS) * MINUTE_MS, minute))
}

/** Segments are in order, so half of them is left out at each step. */
export function segmentAt(segments: readonly RibbonSegment[], at: number): RibbonSegment | undefined {
  let [low, high] = [0, segments.length - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const segment = segments[middle]
    if (segment === undefined) return undefined
    if (at < segment.from) high = middle - 1
    else if (at >= segment.to && middle < segments.length - 1) low = middle + 1
    else return at <= segment.to ? segment : undefined
  }
  return undefined
}

/** The window, or its newest part where nobody is older: a night that has just begun should fill the ribbon. */
export function fitted({ from, to, ribbons }: Span & { ribbons: readonly Ribbon[] }): Span {
  const oldest = Math.min(to, ...ribbons.map(({ segments }) => segments[0]?.from ?? to))
  const length = FITS_MS.find((fit) => fit < to - from && to - oldest <= fit)
  return { from: length === undefined ? from : to - length, to }
}

const FITS_MS = [10 * MINUTE_MS, 30 * MINUTE_MS, HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS]

/** Round times to write under a ribbon, in local time, oldest first. */
export function ticksOf({ from, to }: Span): number[] {
  const hours = (to - from) / HOUR_MS
  const stepMs = STEPS.find(({ upTo }) => hours <= upTo)?.stepMs ?? DAY_MS
  const midnight = new Date(from).setHours(0, 0, 0, 0)
  const ticks: number[] = []
  for (let at = midnight; at < to; at += stepMs) if (at > from) ticks.push(at)
  return ticks
}

const DAY_MS = 24 * HOUR_MS
const STEPS = [
  { upTo: 0.25, stepMs: HOUR_MS / 30 },
  { upTo: 0.5, stepMs: HOUR_MS / 12 },
  { upTo: 2, stepMs: HOUR_MS / 4 },
  { upTo: 4, stepMs: HOUR_MS / 2 },
  { upTo: 8, stepMs: HOUR_MS },
  { upTo: 24, stepMs: 3 * HOUR_MS },
  { upTo: 72, stepMs: 12 * HOUR_MS },
]
