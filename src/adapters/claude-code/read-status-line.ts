/** What the client gives its status line after every answer: how full its context is, its limits, and what it spent. */
import type { Context, Limit } from '../../contract/evidence.ts'
import { fieldsOf, textOf, type Fields } from './hook-body.ts'

export interface StatusLine {
  model?: string
  context?: Context
  limits: readonly Limit[]
  /** The client's own total of the session. */
  costUsd?: number
}

export function readStatusLine(fields: Fields): StatusLine {
  const model = textOf(fieldsOf(fields['model'])['id'])
  const context = contextOf(fieldsOf(fields['context_window']))
  const cost = countOf(fieldsOf(fields['cost'])['total_cost_usd'])
  return {
    ...(model === undefined ? {} : { model: model.slice(0, 100) }),
    ...(context === undefined ? {} : { context }),
    limits: limitsOf(fieldsOf(fields['rate_limits'])),
    ...(cost === undefined ? {} : { costUsd: cost }),
  }
}

/** What the model was last given to read; what it wrote is not counted, as in the client's own percentage. */
function contextOf(fields: Fields): Context | undefined {
  const used = fieldsOf(fields['current_usage'])
  const parts = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens'].map((key) =>
    countOf(used[key]),
  )
  const window = countOf(fields['context_window_size'])
  // Before the first answer there is nothing.
  if (parts.every((part) => part === undefined)) return undefined
  const tokens = Math.round(parts.reduce<number>((sum, part) => sum + (part ?? 0), 0))
  const isWindow = window !== undefined && Number.isInteger(window) && window > 0
  return { tokens, ...(isWindow ? { window } : {}), source: 'status_line' }
}

const LIMITS_MOST = 10

function limitsOf(fields: Fields): readonly Limit[] {
  return Object.entries(fields)
    .flatMap(([name, value]) => {
      const { used_percentage: used, resets_at: resets } = fieldsOf(value)
      const share = countOf(used)
      const second = countOf(resets)
      if (share === undefined || !/^[a-z0-9_]{1,40}$/.test(name)) return []
      return [{ name, share: share / 100, ...(second === undefined ? {} : { resetsWallAt: second * 1000 }) }]
    })
    .slice(0, LIMITS_MOST)
}

/** Larger numbers than this are no counts, times or amounts of anything. */
const MOST = 1e12

function countOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= MOST ? value : undefined
}
