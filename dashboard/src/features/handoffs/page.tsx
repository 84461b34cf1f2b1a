/** Handoffs: whose work went to whom, why, whether that was done, and whether it helped. */
import { getRouteApi } from '@tanstack/react-router'
import type { HandoffsView } from '../../../../src/contract/handoff-views.ts'
import { useStatus } from '../../live/store.ts'
import { Asked } from '../../parts/asked.tsx'
import { Button } from '../../parts/button.tsx'
import { Empty, NotYet } from '../../parts/notice.tsx'
import { rateWords } from '../../parts/handoff/words.ts'
import { Filters } from './filters.tsx'
import { HandoffRow } from './handoff-row.tsx'
import { useFreshHandoffs, useHandoffs } from './use-handoffs.ts'

const route = getRouteApi('/handoffs')

export function HandoffsPage() {
  const search = route.useSearch()
  const status = useStatus()
  useFreshHandoffs()
  const query = useHandoffs(search)
  if (status === undefined) return <NotYet what="the hand-offs" rows={8} height={48} />
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-3">
        <h1 className="text-title font-semibold">Handoffs</h1>
        {query.data !== undefined && <Rates view={query.data} />}
      </div>
      <Filters />
      <Asked what="the hand-offs" rows={6} query={query}>
        {(view) => <List view={view} />}
      </Asked>
    </div>
  )
}

/** Done and helped are two questions, and two figures. */
function Rates({ view: { operation, recovery } }: { view: HandoffsView }) {
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2">
      <Rate name="Done" rate={operation} about="Of those that were begun and are over: the successor went on." />
      <Rate name="Helped" rate={recovery} about="Of those that were done and are judged: the work made progress." />
    </dl>
  )
}

interface RateProps {
  name: string
  rate: HandoffsView['operation']
  about: string
}

function Rate({ name, rate, about }: RateProps) {
  return (
    <div title={about}>
      <dt className="text-small text-ink-soft">{name}</dt>
      <dd className="text-large font-semibold">{rateWords(rate)}</dd>
    </div>
  )
}

function List({ view: { handoffs, total } }: { view: HandoffsView }) {
  const { open, ...filters } = route.useSearch()
  const navigate = route.useNavigate()
  if (handoffs.length === 0) return <Nothing isFiltered={Object.keys(filters).length > 0} />
  const toggle = (id: string): void =>
    void navigate({ search: open === id ? filters : { ...filters, open: id }, replace: true, resetScroll: false })
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <ul aria-label="Hand-offs, newest first" className="border-t border-line">
        {handoffs.map((handoff) => (
          <HandoffRow
            key={handoff.id}
            handoff={handoff}
            isOpen={handoff.id === open}
            onToggle={() => toggle(handoff.id)}
          />
        ))}
      </ul>
      {total > handoffs.length && (
        <p className="text-ink-soft">{`The newest ${handoffs.length} of ${total}; set the filters finer to see others.`}</p>
      )}
    </div>
  )
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  const navigate = route.useNavigate()
  if (isFiltered) {
    return (
      <Empty title="No hand-off is like that.">
        <Button onClick={() => void navigate({ search: {}, replace: true })}>Show all</Button>
      </Empty>
    )
  }
  return (
    <Empty title="Nothing was handed over yet.">
      <p>
        When the work of an agent passes to another model, runtime or specialist, it appears here. Begin one on an
        agent's page, or with <code className="font-mono">pan handoff start</code>.
      </p>
    </Empty>
  )
}
