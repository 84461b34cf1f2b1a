/** One agent in five lines: state and name, what it does, how far it is, what it works with, its ribbon. */
import { Link } from '@tanstack/react-router'
import { Flag, GitBranch, ListTodo } from 'lucide-react'
import { memo, useState } from 'react'
import type { Ribbon } from '../../../../src/contract/ribbon.ts'
import { adoptedWords } from '../../parts/agent-deeds.tsx'
import { useAgent, type LiveAgent } from '../../live/store.ts'
import { ContextGauge } from '../../parts/context-gauge.tsx'
import { DoingWords } from '../../parts/doing.tsx'
import { usePointedMinute } from '../../parts/ribbon/cursor.tsx'
import { segmentAt, type Span } from '../../parts/ribbon/geometry.ts'
import { RibbonBand } from '../../parts/ribbon/ribbon.tsx'
import { becauseOf } from '../../parts/ribbon/said.ts'
import { shadeOf } from '../../parts/shade.ts'
import { StateMark } from '../../parts/state-mark.tsx'
import { isHeldByLimit } from '../../../../src/contract/limit-sentence.ts'
import { keptOf } from '../../parts/kept.ts'
import { tasksLine, tasksTitle } from '../../parts/task-words.ts'
import { ago, clock } from '../../parts/words.ts'
import { CardCost } from './card-cost.tsx'
import { CardActions } from './card-actions.tsx'
import { CardHandoff, HandoffDialog } from './card-handoff.tsx'

export interface CardRibbon {
  ribbon: Ribbon
  span: Span
}

interface AgentCardProps {
  id: string
  ribbon: Ribbon | undefined
  place: Span | undefined
  needsYou: boolean
}

export const AgentCard = memo(function AgentCard({ id, ribbon, place, needsYou }: AgentCardProps) {
  const agent = useAgent(id)
  const [isHanding, setIsHanding] = useState<boolean>()
  if (agent === undefined) return null
  return (
    <article
      aria-label={id}
      className={`group relative flex h-31 min-w-0 flex-col rounded-box border bg-surface px-3 pt-2 pb-1 ${needsYou ? 'border-accent' : 'border-line'} hover:border-line-strong`}
    >
      <Name agent={agent} needsYou={needsYou} onHandoff={() => setIsHanding(true)} />
      <Doing agent={agent} ribbon={ribbon} />
      <div className="flex min-w-0 items-center justify-between gap-2">
        <Progress agent={agent} />
        <CardHandoff agent={agent} onPress={() => setIsHanding(true)} />
      </div>
      <Means agent={agent} />
      <div className="mt-auto min-w-0">
        {ribbon !== undefined && place !== undefined && <RibbonBand ribbon={ribbon} span={place} size="card" />}
      </div>
      {isHanding !== undefined && <HandoffDialog id={id} isOpen={isHanding} onClose={() => setIsHanding(false)} />}
    </article>
  )
})

interface NameProps {
  agent: LiveAgent
  needsYou: boolean
  onHandoff: () => void
}

function Name({ agent, needsYou, onHandoff }: NameProps) {
  return (
    <div className="flex min-w-0 items-center gap-2 pointer-coarse:pr-6">
      <StateMark shade={shadeOf(agent)} isNow isRinging />
      <Link
        to="/agents/$id"
        params={{ id: agent.id }}
        className="shrink-0 font-mono font-medium hover:text-accent hover:underline"
      >
        {agent.id}
      </Link>
      <span className="min-w-0 flex-1 truncate text-ink-soft" title={agent.title}>
        {agent.title}
      </span>
      {needsYou && (
        <span className="flex shrink-0 items-center gap-1 font-medium text-accent">
          <Flag size={14} aria-hidden="true" /> needs you
        </span>
      )}
      <CardActions agent={agent} onHandoff={onHandoff} />
    </div>
  )
}

/** Now, or at the minute that is pointed at. */
function Doing({ agent, ribbon }: { agent: LiveAgent; ribbon: Ribbon | undefined }) {
  const minute = usePointedMinute()
  const segment = minute === undefined || ribbon === undefined ? undefined : segmentAt(ribbon.segments, minute)
  if (minute !== undefined && ribbon !== undefined) {
    return (
      <p className="truncate">
        <span className="text-ink-soft">{clock(minute, agent.asOf)}</span>{' '}
        {segment === undefined ? 'not there yet' : `${segment.shade}${reasonIn(segment)}`}
      </p>
    )
  }
  const { lastAction } = agent
  return (
    <p className="truncate" title={agent.reason}>
      {agent.desired !== undefined && agent.desired.state !== 'stop' && !isHeldByLimit(agent) && (
        <span className="font-medium">{keptOf(agent.desired, agent.asOf)} · </span>
      )}
      <DoingWords agent={agent} />
      {lastAction !== undefined && (
        <span className="text-ink-soft">
          {' · '}
          {lastAction.what}, {ago(Date.parse(lastAction.at), agent.asOf)}
        </span>
      )}
    </p>
  )
}

function reasonIn(segment: Ribbon['segments'][number]): string {
  const because = becauseOf(segment)
  return because === undefined ? '' : `: ${because}`
}

function Progress({ agent: { tasks } }: { agent: LiveAgent }) {
  return (
    <p className="flex min-w-0 items-center gap-1 text-small text-ink-soft" title={tasksTitle(tasks)}>
      <ListTodo size={12} className="shrink-0" aria-hidden="true" />
      <span className="truncate">{tasksLine(tasks)}</span>
    </p>
  )
}

function Means({ agent: { id, model, runtime, branch, simulated, adopted, context } }: { agent: LiveAgent }) {
  return (
    <p className="flex min-w-0 items-center gap-x-2 text-small text-ink-soft">
      <span className="truncate">
        {model} · {runtime}
        {simulated && runtime !== 'simulated' && ' · simulated'}
        {adopted !== undefined && ` · ${adoptedWords({ adopted })}`}
      </span>
      {branch !== undefined && (
        <span className="flex min-w-0 items-center gap-1 font-mono">
          <GitBranch size={12} className="shrink-0" aria-hidden="true" />
          <span className="sr-only">branch</span>
          <span className="truncate">{branch}</span>
        </span>
      )}
      <span className="ml-auto flex shrink-0 items-center gap-x-2">
        <CardCost id={id} />
        {context !== undefined && <ContextGauge context={context} />}
      </span>
    </p>
  )
}
