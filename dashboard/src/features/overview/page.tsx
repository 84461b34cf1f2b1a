/** Overview: who needs you first, then who finished, then the last hours of everybody, one ribbon under the other. */
import { getRouteApi } from '@tanstack/react-router'
import { useStatus } from '../../live/store.ts'
import { Choice } from '../../parts/choice.tsx'
import { Finished } from '../../parts/finished.tsx'
import { NotYet } from '../../parts/notice.tsx'
import { HOW_FAR_BACK, type Hours } from '../../parts/ribbon/how-far-back.ts'
import { Interventions } from './interventions.tsx'
import { NeedsYouFirst } from './needs-you-first.tsx'
import { RibbonStack } from './ribbon-stack.tsx'
import { Summary } from './summary.tsx'

const route = getRouteApi('/')

/** Of those who finished; the others stand in the inbox. */
const SHOWN = 4

const ORDERS = [
  { value: 'worst', word: 'Worst first' },
  { value: 'name', word: 'By name' },
] as const

export function OverviewPage() {
  const { hours = 0, order } = route.useSearch()
  const navigate = route.useNavigate()
  const status = useStatus()
  if (status === undefined) return <NotYet what="the overview" rows={10} height={44} />
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
            options={HOW_FAR_BACK}
            value={hours}
            onChange={(chosen) =>
              void navigate({ search: { ...given(chosen), ...(order && { order }) }, replace: true })
            }
          />
        </div>
      </div>
      <NeedsYouFirst items={status.needsYou} />
      <Finished finished={status.finished} most={SHOWN} />
      <RibbonStack hours={hours} isByName={order === 'name'} />
      <Interventions />
    </div>
  )
}

/** What goes by itself is not in the address. */
function given(hours: Hours | 0): { hours?: Hours } {
  return hours === 0 ? {} : { hours }
}
