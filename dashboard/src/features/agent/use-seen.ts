/** Whoever has an agent's page before his eyes has looked at what it finished. */
import { useEffect } from 'react'
import type { AgentView } from '../../../../src/contract/views.ts'
import { call } from '../../live/store.ts'

export function useSeen({ id, finished }: Pick<AgentView, 'id' | 'finished'>): void {
  const at = finished?.seen === undefined ? finished?.wallAt : undefined
  useEffect(() => {
    if (at === undefined) return
    const look = (): void => {
      if (document.visibilityState !== 'visible') return
      document.removeEventListener('visibilitychange', look)
      // It stays on the list, and is tried again when the page is opened anew.
      void call('POST /api/agents/:id/seen', { id }).catch(() => undefined)
    }
    document.addEventListener('visibilitychange', look)
    look()
    return () => document.removeEventListener('visibilitychange', look)
  }, [id, at])
}
