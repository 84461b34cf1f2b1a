/** The agent's own night: the large ribbon, and how its health changed. */
import { useMemo, useState } from 'react'
import type { HealthView } from '../../../../src/contract/views.ts'
import { useNow, useRibbon, type LiveRibbon } from '../../live/store.ts'
import { Button } from '../../parts/button.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Loading } from '../../parts/notice.tsx'
import { RibbonAxis } from '../../parts/ribbon/axis.tsx'
import { CursorProvider } from '../../parts/ribbon/cursor.tsx'
import { fitted } from '../../parts/ribbon/geometry.ts'
import { HOW_FAR_BACK, MOST_HOURS, type Hours } from '../../parts/ribbon/how-far-back.ts'
import { RibbonLegend } from '../../parts/ribbon/legend.tsx'
import { RibbonReadout } from '../../parts/ribbon/readout.tsx'
import { RibbonBand } from '../../parts/ribbon/ribbon.tsx'
import { StateMark } from '../../parts/state-mark.tsx'
import { Ago } from '../../parts/time.tsx'
import { useDetail } from './details.ts'

export function Night({ id }: { id: string }) {
  const [hours, setHours] = useState<Hours | 0>(0)
  const live = useRibbon(id, hours === 0 ? MOST_HOURS : hours)
  return (
    <section aria-label="The last hours" className="flex min-w-0 flex-col gap-1">
      <CursorProvider>
        <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <div className="min-w-0 flex-1 basis-60">{live !== undefined && <Pointed live={live} />}</div>
          <Choice label="How far back" options={HOW_FAR_BACK} value={hours} onChange={setHours} />
        </div>
        {live === undefined ? (
          <Loading what="the ribbon" rows={1} height={100} />
        ) : (
          <Large live={live} isFitted={hours === 0} />
        )}
        <RibbonLegend />
      </CursorProvider>
      <History id={id} />
    </section>
  )
}

function Pointed({ live }: { live: LiveRibbon }) {
  const now = useNow()
  return <RibbonReadout ribbons={[live.ribbon]} now={now} idle="Point at the ribbon to look at one minute." />
}

function Large({ live, isFitted }: { live: LiveRibbon; isFitted: boolean }) {
  const { ribbon } = live
  const { from, to } = isFitted ? fitted({ ...live, ribbons: [ribbon] }) : live
  const span = useMemo(() => ({ from, to }), [from, to])
  return (
    <div className="min-w-0">
      <RibbonBand ribbon={ribbon} span={span} size="large" />
      <RibbonAxis span={span} />
    </div>
  )
}

const SHOWN = 3

function History({ id }: { id: string }) {
  const { data } = useDetail('health', id)
  const [isWhole, setIsWhole] = useState(false)
  const history = data?.view.history ?? []
  if (history.length === 0) return null
  const newest = history.toReversed()
  return (
    <div className="flex flex-col items-start">
      <h2 className="pt-1 font-semibold">Health history</h2>
      <ol
        aria-label="Health history, newest first"
        className={`w-full ${isWhole ? 'max-h-80 overflow-y-auto' : ''}`}
        {...(isWhole ? { tabIndex: 0 } : {})}
      >
        {newest.slice(0, isWhole ? undefined : SHOWN).map((change) => (
          <Change key={change.seq} change={change} />
        ))}
      </ol>
      {history.length > SHOWN && (
        <Button kind="quiet" className="-ml-3" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show the newest only' : `Show all ${history.length} changes`}
        </Button>
      )}
    </div>
  )
}

function Change({ change }: { change: HealthView['history'][number] }) {
  const { shown, reason, activity, timestamp } = change
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 border-b border-line py-1">
      <span className="w-20 shrink-0">
        <StateMark shade={shown} />
      </span>
      <span className="shrink-0 text-ink-soft sm:order-last sm:text-right">
        <Ago at={Date.parse(timestamp)} />
      </span>
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">
        {reason}
        {activity !== undefined && <span className="text-ink-soft"> · {activity}</span>}
      </span>
    </li>
  )
}
