/** Draws one ribbon: the band below, the marks in a lane above it. */
import type { Ribbon } from '../../../../src/contract/ribbon.ts'
import type { Shade } from '../shade.ts'
import { barsOf, placeMarks, placeOf, ticksOf, type Bar, type Span } from './geometry.ts'
import { drawMark } from './mark-shapes.ts'
import type { Palette } from './palette.ts'
import { HEIGHTS, type Texture } from './texture.ts'

export interface Sheet {
  /** In CSS points. */
  width: number
  height: number
  /** Height of the lane for marks. */
  lane: number
  /** Device pixels per point. */
  ratio: number
  palette: Palette
}

export function paintRibbon(context: CanvasRenderingContext2D, ribbon: Ribbon, where: Span & Sheet): void {
  const { width, height, lane, ratio, palette } = where
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  context.fillStyle = palette.line
  context.fillRect(0, height - 1, width, 1)
  for (const at of ticksOf(where)) context.fillRect(Math.round(placeOf(at, where, width)), 0, 1, height)
  for (const bar of barsOf(ribbon.segments, where, width)) paintBar(context, bar, where)
  for (const mark of placeMarks(ribbon.marks, where, width)) drawMark(context, mark, { lane, height, palette })
}

function paintBar(context: CanvasRenderingContext2D, { x, width, shade, texture }: Bar, sheet: Sheet): void {
  if (shade === 'unwatched') return
  const barHeight = Math.max(2, Math.round((sheet.height - sheet.lane) * HEIGHTS[shade]))
  context.fillStyle = fillOf(context, { shade, texture, sheet })
  context.fillRect(x, sheet.height - barHeight, width, barHeight)
  if (texture === 'solid') return
  // An edge on top, so that a texture does not fray.
  context.fillStyle = sheet.palette.shades[shade]
  context.fillRect(x, sheet.height - barHeight, width, 1)
}

interface Fill {
  shade: Shade
  texture: Texture
  sheet: Sheet
}

function fillOf(context: CanvasRenderingContext2D, { shade, texture, sheet }: Fill): CanvasPattern | string {
  const { palette, ratio } = sheet
  if (texture === 'solid') return palette.shades[shade]
  const key = `${shade} ${texture} ${ratio}`
  const known = palette.patterns.get(key)
  if (known !== undefined) return known
  const pattern = context.createPattern(tileOf(texture, palette.shades[shade], ratio), 'repeat')
  pattern?.setTransform(new DOMMatrix().scale(1 / ratio))
  const made = pattern ?? palette.shades[shade]
  palette.patterns.set(key, made)
  return made
}

const TILE = 6

/** One repeating tile: the colour thinly, and the texture's strokes in full. */
function tileOf(texture: Texture, colour: string, ratio: number): HTMLCanvasElement {
  const tile = document.createElement('canvas')
  tile.width = TILE * ratio
  tile.height = TILE * ratio
  const context = tile.getContext('2d')
  if (context === null) return tile
  context.scale(ratio, ratio)
  context.fillStyle = colour
  context.strokeStyle = colour
  context.globalAlpha = 0.25
  context.fillRect(0, 0, TILE, TILE)
  context.globalAlpha = 1
  STROKES[texture]?.(context)
  return tile
}

const STROKES: Partial<Record<Texture, (context: CanvasRenderingContext2D) => void>> = {
  bars: (context) => context.fillRect(0, 0, 2, TILE),
  lines: (context) => {
    for (let y = 0; y < TILE; y += 3) context.fillRect(0, y, TILE, 1)
  },
  dots: (context) => context.fillRect(1, 2, 2, 2),
  grid: (context) => {
    context.fillRect(0, 0, 1, TILE)
    context.fillRect(3, 0, 1, TILE)
    for (let y = 0; y < TILE; y += 3) context.fillRect(0, y, TILE, 1)
  },
  slant: (context) => {
    context.lineWidth = 1.5
    line(context, [-1, 1, 1, -1])
    line(context, [-1, TILE + 1, TILE + 1, -1])
    line(context, [TILE - 1, TILE + 1, TILE + 1, TILE - 1])
  },
  waves: (context) => {
    context.lineWidth = 1.5
    line(context, [0, 4.5, 3, 1.5, TILE, 4.5])
  },
}

function line(context: CanvasRenderingContext2D, points: readonly number[]): void {
  context.beginPath()
  for (let n = 0; n < points.length; n += 2) context.lineTo(points[n] ?? 0, points[n + 1] ?? 0)
  context.stroke()
}
