/** What an agent cost so far; asked for while somebody looks, and anew now and then, since no event tells of tokens. */
import { useQuery } from '@tanstack/react-query'
import { call } from '../live/api.ts'

const EVERY_MS = 30_000

export function useCost(id: string) {
  return useQuery({
    queryKey: ['agent', id, 'cost'],
    queryFn: () => call('GET /api/agents/:id/cost', { id }),
    refetchInterval: EVERY_MS,
    staleTime: EVERY_MS / 2,
    retry: false,
  })
}
