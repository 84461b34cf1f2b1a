/** What happened, as small shapes in the lane above the band. */
import type { RibbonMark } from '../../../../src/contract/ribbon.ts'
import type { PlacedMark } from './geometry.ts'
import type { Palette } from './palette.ts'

interface Room {
  lane: number
  height: number
  palette: Palette
}

type Draw = (context: CanvasRenderingContext2D, at: { x: number; y: number; size: number }, room: Room) => void

/** The size of a mark for a lane; both the legend and the ribbons draw with it. */
export function drawMark(context: CanvasRenderingContext2D, { x, kind }: PlacedMark, room: Room): void {
  const size = Math.min(9, room.lane - 1)
  const at = { x, y: room.lane / 2, size }
  context.lineWidth = 1.5
  context.lineJoin = 'miter'
  const colour = COLOURS[kind](room.palette)
  context.strokeStyle = colour
  context.fillStyle = colour
  DRAWN[kind](context, at, room)
}

const COLOURS: Record<RibbonMark['kind'], (palette: Palette) => string> = {
  spawn: ({ ink }) => ink,
  poke: ({ ink }) => ink,
  message: ({ ink }) => ink,
  answer: ({ ink }) => ink,
  handoff: ({ ink }) => ink,
  restore: ({ ink }) => ink,
  resume: ({ ink }) => ink,
  suspend: ({ ink }) => ink,
  switch: ({ ink }) => ink,
  interrupt: ({ ink }) => ink,
  rest: ({ ink }) => ink,
  clear: ({ ink }) => ink,
  continue: ({ ink }) => ink,
  nudge: ({ ink }) => ink,
  kill: ({ danger }) => danger,
  'needs-you': ({ accent }) => accent,
  emergency: ({ danger }) => danger,
}

const start: Draw = (context, { x, y, size }) => {
  const half = size / 2 - 0.5
  path(context, [x - half, y - half, x + half, y, x - half, y + half])
  context.stroke()
}

const pause: Draw = (context, { x, y, size }) => {
  for (const left of [x - size / 4, x + size / 8]) context.fillRect(Math.round(left), y - size / 3, 1.5, size / 1.5)
}

const diamond: Draw = (context, { x, y, size }) => {
  const half = size / 2
  path(context, [x, y - half, x + half, y, x, y + half, x - half, y])
  context.fill()
}

// A tick goes on into the band, where the poke was felt.
const tick: Draw = (context, { x, size }, { lane }) => context.fillRect(Math.round(x) - 1, 1, 2, lane + size / 2)

const DRAWN: Record<RibbonMark['kind'], Draw> = {
  spawn: start,
  resume: start,
  suspend: pause,
  interrupt: pause,
  rest: pause,
  switch: diamond,
  clear: diamond,
  poke: tick,
  continue: tick,
  nudge: tick,
  message: (context, { x, y, size }) => dot(context, { x, y, radius: size / 3.2 }).stroke(),
  answer: (context, { x, y, size }) => dot(context, { x, y, radius: size / 3.2 }).fill(),
  handoff: diamond,
  // A start that looks back.
  restore: (context, { x, y, size }) => {
    const half = size / 2 - 0.5
    path(context, [x + half, y - half, x - half, y, x + half, y + half])
    context.stroke()
  },
  kill: (context, { x, y, size }) => cross(context, { x, y, half: size / 2 - 0.5 }),
  'needs-you': (context, { x, size }, { lane }) => {
    const left = Math.round(x - size / 4)
    context.fillRect(left, 0, 1.5, lane + 2)
    path(context, [left + 1, 0, left + size, size * 0.34, left + 1, size * 0.68])
    context.fill()
  },
  emergency: (context, { x, y, size }, { height }) => {
    context.fillRect(Math.round(x) - 1, 0, 2, height)
    cross(context, { x, y, half: size / 2 })
  },
}

function path(context: CanvasRenderingContext2D, points: readonly number[]): void {
  context.beginPath()
  for (let n = 0; n < points.length; n += 2) context.lineTo(points[n] ?? 0, points[n + 1] ?? 0)
  context.closePath()
}

function dot(
  context: CanvasRenderingContext2D,
  { x, y, radius }: { x: number; y: number; radius: number },
): CanvasRenderingContext2D {
  context.beginPath()
  context.arc(x, y, radius, 0, 2 * Math.PI)
  return context
}

function cross(context: CanvasRenderingContext2D, { x, y, half }: { x: number; y: number; half: number }): void {
  context.beginPath()
  context.moveTo(x - half, y - half)
  context.lineTo(x + half, y + half)
  context.moveTo(x + half, y - half)
  context.lineTo(x - half, y + half)
  context.stroke()
}
