/** What is asked for around an agent's hand-offs: asked while somebody looks, and anew when the stream says that it changed. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call, watchChanges } from '../../live/store.ts'
import { paced } from '../paced.ts'

const PAUSE_MS = 1_000
/** Much that a suggestion comes from is told by no event. */
const EVERY_MS = 30_000

export function useSuggestion(id: string, isWanted = true) {
  return useQuery({
    queryKey: ['agent', id, 'handoff', 'suggestion'],
    queryFn: () => call('GET /api/agents/:id/handoff/suggestion', { id }),
    refetchInterval: EVERY_MS,
    staleTime: EVERY_MS / 2,
    enabled: isWanted,
  })
}

export function useChoices(id: string) {
  return useQuery({
    queryKey: ['agent', id, 'handoff', 'choices'],
    queryFn: () => call('GET /api/agents/:id/handoff/choices', { id }),
  })
}

export function useHandoff(id: string) {
  return useQuery({ queryKey: ['handoff', id], queryFn: () => call('GET /api/handoffs/:id', { id }) })
}

/** Call it once where suggestion and choices are shown. */
export function useFreshHandoff(id: string): void {
  const queries = useQueryClient()
  useEffect(() => {
    const { call: ask, cancel } = paced(
      () => void queries.invalidateQueries({ queryKey: ['agent', id, 'handoff'] }),
      PAUSE_MS,
    )
    const unwatch = watchChanges(({ agents, anew }) => {
      if (anew || agents.includes(id)) ask()
    })
    return () => {
      unwatch()
      cancel()
    }
  }, [queries, id])
}
