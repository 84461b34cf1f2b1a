/** Who fits a search, and in which section he stands. */
import type { AgentView } from '../../../../src/contract/views.ts'
import { shadeOf, type Shade } from '../../parts/shade.ts'

export interface Wanted {
  q?: string
  states?: readonly Shade[]
}

/** Every word must be found somewhere. */
export function found<Agent extends AgentView>(agents: readonly Agent[], { q = '', states = [] }: Wanted): Agent[] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean)
  return agents.filter((agent) => {
    if (states.length > 0 && !states.includes(shadeOf(agent))) return false
    const text = words.length === 0 ? '' : textOf(agent)
    return words.every((word) => text.includes(word))
  })
}

function textOf({ id, title, issue, project, model, runtime, branch, reason, workspace }: AgentView): string {
  return [id, title, issue, project, model, runtime, branch, reason, workspace].join('\n').toLowerCase()
}

export type Kind = AgentView['kind']

export const SECTIONS: readonly { kind: Kind; title: string }[] = [
  { kind: 'specialist', title: 'Specialists' },
  { kind: 'issue', title: 'Issues' },
  { kind: 'project', title: 'Projects' },
]

export type CardRow = { type: 'heading'; title: string; size: number } | { type: 'cards'; ids: string[] }

/** Sections cut into rows of as many cards as fit side by side. */
export function rowsOf(agents: readonly Pick<AgentView, 'id' | 'kind'>[], columns: number): CardRow[] {
  const byKind = Map.groupBy(agents, ({ kind }) => kind)
  return SECTIONS.flatMap(({ kind, title }) => {
    const ids = (byKind.get(kind) ?? []).map(({ id }) => id)
    if (ids.length === 0) return []
    const rows = Array.from({ length: Math.ceil(ids.length / columns) }, (_, row): CardRow => {
      return { type: 'cards', ids: ids.slice(row * columns, (row + 1) * columns) }
    })
    return [{ type: 'heading', title, size: ids.length } as const, ...rows]
  })
}
