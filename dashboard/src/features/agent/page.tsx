/** One agent: its night on top, what is known of it on the left, its live terminal on the right. */
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo, useRef } from 'react'
import { useAgent, useStatus } from '../../live/store.ts'
import { agentsOf } from '../../parts/agents-of.ts'
import { useLingering } from '../../parts/lingering.ts'
import { NeedsYouItem } from '../../parts/needs-you.tsx'
import { Empty, NotYet } from '../../parts/notice.tsx'
import { Activity } from './activity.tsx'
import { Cost } from './cost.tsx'
import { Day } from './day.tsx'
import { useFreshDetails } from './details.ts'
import { Explain } from './explain.tsx'
import { Facts } from './facts.tsx'
import { FinishedHere } from './finished-here.tsx'
import { GitState } from './git-state.tsx'
import { Handoff } from './handoff.tsx'
import { Head } from './head.tsx'
import { Messages } from './messages.tsx'
import { Night } from './night.tsx'
import { Salvages } from './salvages.tsx'
import { sectionId } from './section.tsx'
import { Tasks } from './tasks.tsx'
import { TerminalSection } from './terminal-section.tsx'
import { useSeen } from './use-seen.ts'

const route = getRouteApi('/agents/$id')

export function AgentPage() {
  const { id } = route.useParams()
  const status = useStatus()
  const agent = useAgent(id)
  if (status === undefined) return <NotYet what={id} rows={10} height={64} />
  if (agent === undefined) return <NoSuchAgent id={id} />
  // Another agent is another page: nothing of the one may be left on the other.
  return <Known key={id} id={id} />
}

function Known({ id }: { id: string }) {
  useFreshDetails(id)
  const agent = useAgent(id)
  useSeen({ id, finished: agent?.finished })
  if (agent === undefined) return null
  return (
    <div className="flex min-w-0 flex-col gap-6">
      <Head agent={agent} />
      <NeedsYouHere id={id} />
      <FinishedHere agent={agent} />
      <Night id={id} />
      <Contents />
      <div className="grid min-w-0 gap-x-8 gap-y-6 lg:grid-cols-[minmax(20rem,28rem)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <Facts agent={agent} />
          <Explain id={id} />
          <Tasks id={id} />
          <Handoff agent={agent} />
          <Day id={id} />
          <Activity id={id} />
          <Messages id={id} />
          <Cost id={id} />
          <GitState id={id} />
          <Salvages agent={agent} />
        </div>
        <TerminalSection agent={agent} />
      </div>
    </div>
  )
}

const SECTIONS = [
  'Facts',
  'Why',
  'Tasks',
  'Hand-off',
  'Day',
  'Activity',
  'Messages',
  'Cost',
  'Git',
  'Salvages',
  'Terminal',
]

/** Where everything stands one under the other, the terminal is far down. */
function Contents() {
  return (
    <nav aria-label="Sections" className="flex flex-wrap gap-x-4 gap-y-1 lg:hidden">
      {SECTIONS.map((title) => (
        <a key={title} href={`#${sectionId(title)}`} className="py-1 text-accent hover:underline">
          {title}
        </a>
      ))}
    </nav>
  )
}

function NeedsYouHere({ id }: { id: string }) {
  const all = useStatus()?.needsYou
  const open = useMemo(() => all?.filter((item) => agentsOf(item).includes(id)) ?? [], [all, id])
  const place = useRef<HTMLElement>(null)
  const items = useLingering(open, place)
  if (items.length === 0) return null
  return (
    <section ref={place} aria-label="Needs you" className="flex flex-col gap-2">
      {items.map(({ item, isSettled }) => (
        <NeedsYouItem key={item.id} item={item} isSettled={isSettled} isAtHome />
      ))}
    </section>
  )
}

function NoSuchAgent({ id }: { id: string }) {
  return (
    <Empty isPage title={`There is no agent ${id}.`}>
      <p>
        It may have been forgotten, or the address is mistyped.{' '}
        <Link to="/agents" className="text-accent underline">
          Show all agents
        </Link>
      </p>
    </Empty>
  )
}
