/** Which hand-offs are shown; what is set stands in the address. */
import { getRouteApi } from '@tanstack/react-router'
import { X } from 'lucide-react'
import { useId } from 'react'
import { useAgents } from '../../live/store.ts'
import { IconButton } from '../../parts/button.tsx'
import { INPUT } from '../../parts/field.tsx'
import { HANDOFF_OVER, METHOD_WORDS, STATE_WORDS, TRIGGER_WORDS } from '../../parts/handoff/words.ts'
import { readHandoffsSearch } from '../../search.ts'

const route = getRouteApi('/handoffs')

type Name = 'agent' | 'issue' | 'trigger' | 'state' | 'method' | 'since'
/** Of what is under way only the wait for a yes is worth a filter of its own. */
const RESULTS = ['awaiting_approval', ...HANDOFF_OVER]

export function Filters() {
  const { open: _, ...search } = route.useSearch()
  const navigate = route.useNavigate()
  const agents = useAgents()
  const issues = [...new Set(agents.flatMap(({ issue }) => issue ?? []))]
  const set = (name: Name, value: string): void => {
    const { [name]: __, ...rest }: Record<string, string | undefined> = search
    void navigate({ search: readHandoffsSearch(value === '' ? rest : { ...rest, [name]: value }), replace: true })
  }
  const states = Object.entries(STATE_WORDS).filter(([state]) => RESULTS.includes(state))
  return (
    <search className="flex flex-wrap items-end gap-2">
      <Select
        label="Agent"
        value={search.agent}
        options={same(agents.map(({ id }) => id))}
        onChange={(v) => set('agent', v)}
      />
      <Select label="Issue" value={search.issue} options={same(issues)} onChange={(v) => set('issue', v)} />
      <Select
        label="Trigger"
        value={search.trigger}
        options={Object.entries(TRIGGER_WORDS)}
        onChange={(value) => set('trigger', value)}
      />
      <Select
        label="Result"
        value={search.state}
        options={[['open', 'under way'], ...states]}
        onChange={(value) => set('state', value)}
      />
      <Select
        label="Method"
        value={search.method}
        options={Object.entries(METHOD_WORDS)}
        onChange={(value) => set('method', value)}
      />
      <label className="flex flex-1 basis-32 flex-col gap-1 sm:max-w-44">
        <span className="text-small text-ink-soft">Since</span>
        <input
          type="date"
          value={search.since ?? ''}
          className={INPUT}
          onChange={(event) => set('since', event.target.value)}
        />
      </label>
      {Object.keys(search).length > 0 && (
        <IconButton label="Show all hand-offs" onClick={() => void navigate({ search: {}, replace: true })}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      )}
    </search>
  )
}

function same(names: readonly string[]): [string, string][] {
  return names.map((name) => [name, name])
}

interface SelectProps {
  label: string
  value: string | undefined
  options: readonly (readonly [value: string, word: string])[]
  onChange: (value: string) => void
}

function Select({ label, value = '', options, onChange }: SelectProps) {
  const id = useId()
  const isKnown = value === '' || options.some(([each]) => each === value)
  return (
    <span className="flex min-w-0 flex-1 basis-32 flex-col gap-1 sm:max-w-48">
      <label htmlFor={id} className="text-small text-ink-soft">
        {label}
      </label>
      <select id={id} value={value} className={INPUT} onChange={(event) => onChange(event.target.value)}>
        <option value="">all</option>
        {!isKnown && <option value={value}>{value}</option>}
        {options.map(([each, word]) => (
          <option key={each} value={each}>
            {word}
          </option>
        ))}
      </select>
    </span>
  )
}
