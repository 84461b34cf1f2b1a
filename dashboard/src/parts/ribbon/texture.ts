/** What a cause looks like: the verdict gives a segment its colour and height, the cause its texture. */
import type { CauseClass } from '../../../../src/contract/verdict.ts'
import type { Shade } from '../shade.ts'

/** The first ones show through where several share a point. */
export const TEXTURES = ['solid', 'grid', 'waves', 'slant', 'bars', 'lines', 'dots'] as const
export type Texture = (typeof TEXTURES)[number]

export function textureOf(shade: Shade, cause: CauseClass | undefined): Texture {
  if (shade === 'unknown' || shade === 'unwatched') return 'dots'
  return cause === undefined ? 'solid' : BY_CAUSE[cause]
}

const BY_CAUSE: Record<CauseClass, Texture> = {
  at_work: 'solid',
  starting: 'lines',
  waiting_permission: 'bars',
  waiting_user: 'bars',
  startup_blocked: 'bars',
  rate_limited: 'slant',
  api_error: 'slant',
  auth_needed: 'bars',
  looping: 'waves',
  hung: 'solid',
  dead: 'grid',
  unknown: 'dots',
}

export const TEXTURE_WORDS: Record<Texture, string> = {
  solid: 'at work, or hung',
  lines: 'starting',
  bars: 'waiting for you',
  slant: 'limit or API error',
  waves: 'looping',
  grid: 'program ended',
  dots: 'not seen',
}

/** How much of the band's height a state takes: trouble stands out without its colour too. */
export const HEIGHTS: Record<Shade, number> = {
  active: 0.5,
  stale: 0.65,
  warning: 0.82,
  stuck: 1,
  waiting: 0.82,
  limited: 0.65,
  unknown: 0.5,
  idle: 0.2,
  suspended: 0.2,
  uninitialized: 0.1,
  stopped: 0.1,
  unwatched: 0.1,
}
