/** What the addresses of pages carry after the question mark; whatever is not understood is left out. */
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

export function readOverviewSearch(search: Record<string, unknown>): OverviewSearch {
  const hours = HOURS.find((known) => known === Number(search['hours']))
  return { ...(hours === undefined ? {} : { hours }), ...(search['order'] === 'name' ? { order: 'name' } : {}) }
}

export function readAgentsSearch(search: Record<string, unknown>): AgentsSearch {
  const { q, states } = search
  const known = Array.isArray(states) ? SHADES.filter((shade) => states.includes(shade)) : []
  return { ...(typeof q === 'string' && q !== '' ? { q } : {}), ...(known.length === 0 ? {} : { states: known }) }
}
