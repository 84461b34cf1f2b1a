/** What the addresses of pages carry after the question mark; whatever is not understood is left out. */
import type { HandoffMethod, HandoffState, HandoffTrigger } from '../../src/contract/handoffs.ts'
import { METHOD_WORDS, STATE_WORDS, TRIGGER_WORDS } from './parts/handoff/words.ts'
import { HOURS, type Hours } from './parts/ribbon/how-far-back.ts'
import { SHADES, type Shade } from './parts/shade.ts'

export interface OverviewSearch {
  hours?: Hours
  order?: 'name'
}

export interface AgentsSearch {
  /** Text that is looked for. */
  q?: string
  states?: Shade[]
}

export interface HandoffsSearch {
  agent?: string
  issue?: string
  trigger?: HandoffTrigger
  method?: HandoffMethod
  state?: HandoffState | 'open'
  /** A day, such as 2026-01-20. */
  since?: string
  /** The hand-off that is shown whole. */
  open?: string
}

export function readOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  const hours = HOURS.find((known) => known === Number(search['hours']))
  return { ...(hours === undefined ? {} : { hours }), ...(search['order'] === 'name' ? { order: 'name' } : {}) }
}

export function readAgentsSearch(search: Record<string, unknown>): AgentsSearch {
  const { q, states } = search
  const known = Array.isArray(states) ? SHADES.filter((shade) => states.includes(shade)) : []
  return { ...(typeof q === 'string' && q !== '' ? { q } : {}), ...(known.length === 0 ? {} : { states: known }) }
}

export function readHandoffsSearch(search: Record<string, unknown>): HandoffsSearch {
  const { agent, issue, trigger, method, state, since, open } = search
  return {
    ...(isId(agent) ? { agent } : {}),
    ...(isId(issue) ? { issue } : {}),
    ...(isKey(TRIGGER_WORDS, trigger) ? { trigger } : {}),
    ...(isKey(METHOD_WORDS, method) ? { method } : {}),
    ...(state === 'open' || isKey(STATE_WORDS, state) ? { state } : {}),
    ...(typeof since === 'string' && /^\d{4}-\d\d-\d\d$/.test(since) ? { since } : {}),
    ...(isId(open) ? { open } : {}),
  }
}

function isId(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z0-9][a-z0-9_-]{0,63}$/.test(value)
}

function isKey<Key extends string>(words: Record<Key, string>, value: unknown): value is Key {
  return typeof value === 'string' && Object.hasOwn(words, value)
}
