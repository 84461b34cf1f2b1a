/** Finds agents by text and by state; what is set stands in the address. */
import { getRouteApi } from '@tanstack/react-router'
import { Search, X } from 'lucide-react'
import { useMemo } from 'react'
import type { LiveAgent } from '../../live/store.ts'
import { IconButton } from '../../parts/button.tsx'
import { INPUT } from '../../parts/field.tsx'
import { shadeOf, SHADES, type Shade } from '../../parts/shade.ts'
import { StateMark } from '../../parts/state-mark.tsx'
import { count } from '../../parts/words.ts'

const route = getRouteApi('/agents')

export function Filter({ agents, shown }: { agents: readonly LiveAgent[]; shown: number }) {
  const { q = '', states = [] } = route.useSearch()
  const navigate = route.useNavigate()
  const isFiltered = q !== '' || states.length > 0
  const set = (next: { q?: string; states?: Shade[] }): void => {
    const { q: text = q, states: chosen = states } = next
    void navigate({
      search: { ...(text === '' ? {} : { q: text }), ...(chosen.length === 0 ? {} : { states: chosen }) },
      replace: true,
    })
  }
  return (
    <search className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <label className="relative w-full sm:w-72">
        <span className="sr-only">Search agents</span>
        <Search size={16} className="absolute top-2 left-2 text-ink-faint" aria-hidden="true" />
        <input
          type="search"
          data-search-field
          value={q}
          placeholder="Search agents"
          className={`${INPUT} pl-8`}
          onChange={(event) => set({ q: event.target.value })}
        />
      </label>
      <States agents={agents} chosen={states} onChange={(next) => set({ states: next })} />
      <span role="status" className="text-ink-soft">
        {isFiltered && `${shown} of ${count(agents.length, 'agent')}`}
      </span>
      {isFiltered && (
        <IconButton label="Show all agents" onClick={() => set({ q: '', states: [] })}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      )}
    </search>
  )
}

interface StatesProps {
  agents: readonly LiveAgent[]
  chosen: readonly Shade[]
  onChange: (states: Shade[]) => void
}

function States({ agents, chosen, onChange }: StatesProps) {
  const counts = useMemo(() => Map.groupBy(agents, shadeOf), [agents])
  const offered = SHADES.filter((shade) => counts.has(shade) || chosen.includes(shade))
  return (
    <fieldset className="flex flex-wrap gap-2">
      <legend className="sr-only">States</legend>
      {offered.map((shade) => (
        <label
          key={shade}
          className="flex h-8 cursor-pointer items-center gap-1.5 rounded-small border border-line px-2 hover:border-line-strong has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="checkbox"
            className="sr-only"
            checked={chosen.includes(shade)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, shade] : chosen.filter((each) => each !== shade))
            }
          />
          <StateMark shade={shade} />
          <span className="text-ink-soft">{counts.get(shade)?.length ?? 0}</span>
        </label>
      ))}
    </fieldset>
  )
}
