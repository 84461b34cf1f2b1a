/**
 * What is asked for when somebody looks at one agent: asked once, and again only when the stream says that something
 * of it changed. What is dear to find out is asked for less often, however much happens.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ShownEvent } from '../../../../src/contract/views.ts'
import { call, clockNow, watchChanges, type LiveChange } from '../../live/store.ts'
import { paced } from '../../parts/paced.ts'

const ASK = {
  explain: (id: string) => call('GET /api/agents/:id/explain', { id }),
  activity: (id: string) => call('GET /api/agents/:id/activity', { id }),
  health: (id: string) => call('GET /api/agents/:id/health', { id, query: { limit: 200 } }),
  messages: (id: string) => call('GET /api/agents/:id/messages', { id }),
  tasks: (id: string) => call('GET /api/agents/:id/tasks', { id }),
  git: (id: string) => call('GET /api/agents/:id/git', { id }),
  finished: (id: string) => call('GET /api/agents/:id/finished', { id }),
}
type Kind = keyof typeof ASK

/** Not sooner than this after the last time. */
const PAUSE_MS: Record<Kind, number> = {
  explain: 500,
  activity: 500,
  health: 500,
  messages: 500,
  tasks: 3_000,
  git: 3_000,
  finished: 3_000,
}

/** The answer, and when it was true by the daemon's clock. */
export function useDetail<K extends Kind>(kind: K, id: string) {
  return useQuery({
    queryKey: ['agent', id, kind],
    queryFn: async () => ({ view: (await ASK[kind](id)) as Awaited<ReturnType<(typeof ASK)[K]>>, asOf: clockNow() }),
  })
}

/** Call it once on a page that shows details. */
export function useFreshDetails(id: string): void {
  const queries = useQueryClient()
  useEffect(() => {
    const askAgain = (kind: Kind): void => void queries.invalidateQueries({ queryKey: ['agent', id, kind] })
    const pacers = (Object.keys(ASK) as Kind[]).map((kind) => ({
      kind,
      ...paced(() => askAgain(kind), PAUSE_MS[kind]),
    }))
    const unwatch = watchChanges((change) => {
      for (const { kind, call: ask } of pacers) if (concerns(kind, id, change)) ask()
    })
    return () => {
      unwatch()
      for (const { cancel } of pacers) cancel()
    }
  }, [queries, id])
}

function concerns(kind: Kind, id: string, { agents, events, anew }: LiveChange): boolean {
  if (anew) return true
  if (kind === 'health') return events.some((event) => event.type === 'agent.health-changed' && event.agent === id)
  if (kind === 'messages') return events.some((event) => event.type.startsWith('message.') && isOf(event, id))
  return agents.includes(id)
}

function isOf(event: ShownEvent, id: string): boolean {
  return 'agent' in event && event.agent === id
}
