/** What the colours, textures and marks of ribbons mean. */
import { useEffect, useRef, useSyncExternalStore } from 'react'
import type { RibbonMark } from '../../../../src/contract/ribbon.ts'
import type { CauseClass } from '../../../../src/contract/verdict.ts'
import { StateMark } from '../state-mark.tsx'
import type { Shade } from '../shade.ts'
import { drawMark } from './mark-shapes.ts'
import { paintRibbon } from './paint.ts'
import { currentPalette, subscribePalette } from './palette.ts'
import { TEXTURE_WORDS, type Texture } from './texture.ts'

const STATES: readonly Shade[] = [
  'active',
  'stale',
  'warning',
  'stuck',
  'waiting',
  'limited',
  'unknown',
  'idle',
  'stopped',
]

const SAMPLES: readonly { texture: Texture; shade: Shade; cause: CauseClass }[] = [
  { texture: 'solid', shade: 'active', cause: 'at_work' },
  { texture: 'lines', shade: 'active', cause: 'starting' },
  { texture: 'bars', shade: 'waiting', cause: 'waiting_user' },
  { texture: 'slant', shade: 'limited', cause: 'rate_limited' },
  { texture: 'waves', shade: 'stuck', cause: 'looping' },
  { texture: 'grid', shade: 'stuck', cause: 'dead' },
]

const MARKS: readonly { kind: RibbonMark['kind']; word: string }[] = [
  { kind: 'spawn', word: 'start' },
  { kind: 'poke', word: 'poke' },
  { kind: 'message', word: 'message' },
  { kind: 'handoff', word: 'hand-off' },
  { kind: 'kill', word: 'kill' },
  { kind: 'restore', word: 'restore' },
  { kind: 'needs-you', word: 'needs you' },
  { kind: 'emergency', word: 'emergency stop' },
]

export function RibbonLegend() {
  return (
    <details className="text-small text-ink-soft">
      <summary className="w-fit cursor-pointer py-1">How to read a ribbon</summary>
      <div className="flex flex-col gap-2 py-2">
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {STATES.map((shade) => (
            <li key={shade}>
              <StateMark shade={shade} />
            </li>
          ))}
        </ul>
        <ul className="flex flex-wrap gap-x-4 gap-y-1">
          {SAMPLES.map(({ texture, shade, cause }) => (
            <li key={texture} className="flex items-center gap-1.5">
              <Swatch shade={shade} cause={cause} />
              {TEXTURE_WORDS[texture]}
            </li>
          ))}
          {MARKS.map(({ kind, word }) => (
            <li key={kind} className="flex items-center gap-1.5">
              <Swatch kind={kind} />
              {word}
            </li>
          ))}
        </ul>
      </div>
    </details>
  )
}

const SIDE = 16

function Swatch({ shade, cause, kind }: { shade?: Shade; cause?: CauseClass; kind?: RibbonMark['kind'] }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = useSyncExternalStore(subscribePalette, currentPalette)
  useEffect(() => {
    const context = canvas.current?.getContext('2d')
    if (context === null || context === undefined) return
    const sheet = { width: SIDE, height: SIDE, lane: 0, ratio: 2, palette, from: 0, to: 1 }
    const segments =
      shade === undefined ? [] : [{ from: 0, to: 1, shade, generation: 1, ...(cause === undefined ? {} : { cause }) }]
    paintRibbon(context, { agent: '', segments, marks: [] }, sheet)
    if (kind !== undefined) drawMark(context, { x: SIDE / 2, kind }, { lane: 12, height: SIDE, palette })
  }, [shade, cause, kind, palette])
  return <canvas ref={canvas} width={SIDE * 2} height={SIDE * 2} aria-hidden="true" className="size-4" />
}
