/** Overview: who needs you first, then the last hours of everybody, one ribbon under the other. */
import { getRouteApi } from '@tanstack/react-router'
import { useStatus } from '../../live/store.ts'
import { Choice } from '../../parts/choice.tsx'
import { Loading } from '../../parts/notice.tsx'
import type { Hours } from '../../search.ts'
import { NeedsYouFirst } from './needs-you-first.tsx'
import { RibbonStack } from './ribbon-stack.tsx'
import { Summary } from './summary.tsx'

const route = getRouteApi('/')

const HOURS = [
  { value: 0, word: 'Auto' },
  { value: 2, word: '2 h' },
  { value: 8, word: '8 h' },
  { value: 24, word: '24 h' },
  { value: 72, word: '3 d' },
] as const

const ORDERS = [
  { value: 'worst', word: 'Worst first' },
  { value: 'name', word: 'By name' },
] as const

export function OverviewPage() {
  const { hours = 0, order } = route.useSearch()
  const navigate = route.useNavigate()
  const status = useStatus()
  if (status === undefined) return <Loading what="the overview" rows={10} height={44} />
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div className="flex flex-wrap items-baseline gap-x-6 gap-y-1">
          <h1 className="text-title font-semibold">Overview</h1>
          <Summary />
        </div>
        <div className="flex flex-wrap gap-2">
          <Choice
            label="Order"
            options={ORDERS}
            value={order ?? 'worst'}
            onChange={(chosen) =>
              void navigate({
                search: { ...given(hours), ...(chosen === 'name' ? { order: chosen } : {}) },
                replace: true,
              })
            }
          />
          <Choice
            label="How far back"
            options={HOURS}
            value={hours}
            onChange={(chosen) =>
              void navigate({ search: { ...given(chosen), ...(order && { order }) }, replace: true })
            }
          />
        </div>
      </div>
      <NeedsYouFirst items={status.needsYou} />
      <RibbonStack hours={hours} isByName={order === 'name'} />
    </div>
  )
}

/** What goes by itself is not in the address. */
function given(hours: Hours | 0): { hours?: Hours } {
  return hours === 0 ? {} : { hours }
}
