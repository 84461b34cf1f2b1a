/** The states an agent is shown in: one word, one colour and one shape each, in the order of how much they ask of you. */
import type { RibbonShade } from '../../../src/contract/ribbon.ts'
import type { AgentView } from '../../../src/contract/views.ts'

export type Shade = RibbonShade

/** Worst first. */
export const SHADES = [
  'stuck',
  'waiting',
  'warning',
  'unknown',
  'stale',
  'limited',
  'active',
  'idle',
  'suspended',
  'uninitialized',
  'stopped',
  'unwatched',
] as const satisfies readonly Shade[]

export function shadeOf({ shown }: Pick<AgentView, 'shown'>): Shade {
  return shown
}

export function severityOf(shade: Shade): number {
  return SHADES.indexOf(shade)
}

/** Whole class names, since Tailwind reads them in the source. */
export const INK: Record<Shade, string> = {
  active: 'text-active',
  stale: 'text-stale',
  warning: 'text-warning',
  stuck: 'text-stuck',
  unknown: 'text-unknown',
  waiting: 'text-waiting',
  limited: 'text-limited',
  idle: 'text-idle',
  suspended: 'text-suspended',
  uninitialized: 'text-uninitialized',
  stopped: 'text-stopped',
  unwatched: 'text-ink-faint',
}
