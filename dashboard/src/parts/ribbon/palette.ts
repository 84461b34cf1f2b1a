/** The theme's colours as a canvas takes them; new when the system changes between light and dark. */
import { SHADES, type Shade } from '../shade.ts'

export interface Palette {
  shades: Record<Shade, string>
  ink: string
  accent: string
  danger: string
  line: string
  /** Filled areas that repeat, by shade and texture. */
  patterns: Map<string, CanvasPattern | string>
}

/** A long night at work stays quiet, so that trouble is what is seen. */
const BANDS: Partial<Record<Shade, string>> = { active: 'active-band', unwatched: 'ink-faint' }

const DARK = '(prefers-color-scheme: dark)'

let palette: Palette | undefined

export function currentPalette(): Palette {
  return (palette ??= readPalette())
}

export function subscribePalette(call: () => void): () => void {
  const change = (): void => {
    palette = undefined
    call()
  }
  const media = matchMedia(DARK)
  media.addEventListener('change', change)
  return () => media.removeEventListener('change', change)
}

/** A custom property is read as it is written, light and dark in one; only a real colour is computed. */
function readPalette(): Palette {
  const probe = document.createElement('i')
  document.body.append(probe)
  const read = (name: string): string => {
    probe.style.color = `var(--${name})`
    return getComputedStyle(probe).color
  }
  const shades = Object.fromEntries(SHADES.map((shade) => [shade, read(BANDS[shade] ?? shade)])) as Record<
    Shade,
    string
  >
  const made = {
    shades,
    ink: read('ink'),
    accent: read('accent'),
    danger: read('stuck'),
    line: read('line'),
    patterns: new Map<string, CanvasPattern | string>(),
  }
  probe.remove()
  return made
}
