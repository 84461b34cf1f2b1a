/** What the page asks for: the list by its filters, and of the one that is open its steps; anew when one goes on. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call, watchChanges } from '../../live/store.ts'
import { paced } from '../../parts/paced.ts'
import type { HandoffsSearch } from '../../search.ts'

const PAUSE_MS = 500
export const LISTED = 100

export function useHandoffs({ open: _, ...filters }: HandoffsSearch) {
  return useQuery({
    queryKey: ['handoffs', filters],
    queryFn: () => call('GET /api/handoffs', { query: { limit: LISTED, ...filters } }),
    // What is set finer should not empty the page first.
    placeholderData: keepPreviousData,
  })
}

export function useTimeline(id: string) {
  return useQuery({
    queryKey: ['handoff', id, 'timeline'],
    queryFn: () => call('GET /api/handoffs/:id/timeline', { id }),
  })
}

export function useDocument(id: string, isWanted: boolean) {
  return useQuery({
    queryKey: ['handoff', id, 'document'],
    queryFn: () => call('GET /api/handoffs/:id/document', { id }),
    enabled: isWanted,
    retry: false,
  })
}

export function useFreshHandoffs(): void {
  const queries = useQueryClient()
  useEffect(() => {
    const { call: ask, cancel } = paced(() => {
      void queries.invalidateQueries({ queryKey: ['handoffs'] })
      void queries.invalidateQueries({ queryKey: ['handoff'] })
    }, PAUSE_MS)
    const unwatch = watchChanges(({ events, gone, anew }) => {
      if (anew || gone.length > 0 || events.some(({ type }) => type.startsWith('handoff.'))) ask()
    })
    return () => {
      unwatch()
      cancel()
    }
  }, [queries])
}
