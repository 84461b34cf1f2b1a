/** One agent of the stack: who, its ribbon, and what is true now or was at the minute that is pointed at. */
import { Link } from '@tanstack/react-router'
import { Flag } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import type { Ribbon } from '../../../../src/contract/ribbon.ts'
import { useAgent, type LiveAgent } from '../../live/store.ts'
import { DoingWords } from '../../parts/doing.tsx'
import { usePointedMinute } from '../../parts/ribbon/cursor.tsx'
import { segmentAt, type Span } from '../../parts/ribbon/geometry.ts'
import { RibbonBand } from '../../parts/ribbon/ribbon.tsx'
import { becauseOf } from '../../parts/ribbon/said.ts'
import { shadeOf, type Shade } from '../../parts/shade.ts'
import { StateMark } from '../../parts/state-mark.tsx'
import { doingOf } from '../../parts/words.ts'

export const ROW_HEIGHTS = { wide: 44, narrow: 76 }

export const ROW_GRID =
  'grid grid-cols-1 gap-x-4 sm:grid-cols-[12rem_minmax(0,1fr)] lg:grid-cols-[14rem_minmax(0,1fr)_16rem]'

interface RibbonRowProps {
  id: string
  ribbon: Ribbon | undefined
  span: Span
  top: number
  isTabStop: boolean
  needsYou: boolean
}

export const RibbonRow = memo(function RibbonRow({ id, ribbon, span, top, isTabStop, needsYou }: RibbonRowProps) {
  const agent = useAgent(id)
  if (agent === undefined) return null
  return (
    <div
      className={`absolute inset-x-0 ${ROW_GRID} content-center items-center border-b border-line hover:bg-surface max-sm:h-19 sm:h-11`}
      style={{ transform: `translateY(${top}px)` }}
    >
      <Who agent={agent} ribbon={ribbon} needsYou={needsYou} />
      {ribbon === undefined ? <span /> : <RibbonBand ribbon={ribbon} span={span} isTabStop={isTabStop} />}
      <What agent={agent} ribbon={ribbon} />
    </div>
  )
})

function Who({ agent, ribbon, needsYou }: { agent: LiveAgent; ribbon: Ribbon | undefined; needsYou: boolean }) {
  const { shade, because } = useSeen(agent, ribbon)
  return (
    <div className="flex min-w-0 items-center gap-2">
      <div className="min-w-0 flex-1">
        <span className="flex min-w-0 items-baseline gap-2">
          <Link
            to="/agents/$id"
            params={{ id: agent.id }}
            className="max-w-full shrink-0 truncate font-mono hover:text-accent hover:underline"
          >
            {agent.id}
          </Link>
          {agent.simulated && <span className="min-w-0 truncate text-small text-ink-faint lg:hidden">simulated</span>}
        </span>
        <span className="block min-w-0 truncate text-small text-ink-faint max-lg:hidden">
          {agent.simulated && 'simulated · '}
          {agent.title ?? agent.model}
        </span>
        <span className="flex min-w-0 gap-2 text-small text-ink-soft lg:hidden">
          <StateMark shade={shade} isNow />
          <span className="min-w-0 truncate">{because}</span>
        </span>
      </div>
      {needsYou && <Flag size={14} className="shrink-0 self-center text-accent" role="img" aria-label="needs you" />}
    </div>
  )
}

function What({ agent, ribbon }: { agent: LiveAgent; ribbon: Ribbon | undefined }) {
  const { shade, because, title } = useSeen(agent, ribbon)
  return (
    <div className="min-w-0 max-lg:hidden">
      <StateMark shade={shade} isNow />
      <p className="truncate text-small text-ink-soft" title={title}>
        {because}
      </p>
    </div>
  )
}

/** At the minute that is pointed at, else now. */
function useSeen(agent: LiveAgent, ribbon: Ribbon | undefined): Seen {
  const minute = usePointedMinute()
  if (minute === undefined || ribbon === undefined)
    return { shade: shadeOf(agent), because: <DoingWords agent={agent} />, title: doingOf(agent, agent.asOf) }
  const segment = segmentAt(ribbon.segments, minute)
  const because = segment === undefined ? 'not there yet' : (becauseOf(segment) ?? '')
  return { shade: segment?.shade ?? 'unwatched', because, title: because }
}

interface Seen {
  shade: Shade
  because: ReactNode
  title: string
}
