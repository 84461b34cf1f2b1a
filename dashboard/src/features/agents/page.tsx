/** Agents: specialists, issues and projects as cards, found by text and by state. */
import { getRouteApi } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useAgents, useStatus } from '../../live/store.ts'
import { ActButton, Button } from '../../parts/button.tsx'
import { Empty, NotYet } from '../../parts/notice.tsx'
import { CursorProvider } from '../../parts/ribbon/cursor.tsx'
import { CardList } from './card-list.tsx'
import { Filter } from './filter.tsx'
import { found } from './found.ts'
import { SpawnDialog } from './spawn-dialog.tsx'

const route = getRouteApi('/agents')

export function AgentsPage() {
  const search = route.useSearch()
  const status = useStatus()
  const agents = useAgents()
  const [isSpawning, setIsSpawning] = useState(false)
  if (status === undefined) return <NotYet what="the agents" rows={8} height={120} />
  const shown = found(agents, search)
  return (
    <CursorProvider>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3">
          <h1 className="text-title font-semibold">Agents</h1>
          <ActButton kind="accent" onClick={() => setIsSpawning(true)}>
            <Plus size={16} aria-hidden="true" />
            Start an agent
          </ActButton>
        </div>
        {agents.length > 0 && <Filter agents={agents} shown={shown.length} />}
        <NothingFound agents={agents.length} shown={shown.length} />
        <CardList agents={shown} />
      </div>
      <SpawnDialog isOpen={isSpawning} onClose={() => setIsSpawning(false)} />
    </CursorProvider>
  )
}

function NothingFound({ agents, shown }: { agents: number; shown: number }) {
  const navigate = route.useNavigate()
  if (agents === 0) {
    return (
      <Empty title="There are no agents yet.">
        <p>
          Start one here, or in a terminal with <code className="font-mono">pan agents spawn</code>.
        </p>
      </Empty>
    )
  }
  if (shown > 0) return null
  return (
    <Empty title="No agent is like that.">
      <Button onClick={() => void navigate({ search: {}, replace: true })}>Show all {agents}</Button>
    </Empty>
  )
}
