/** Keys that work on every page; none while somebody types or a dialog is open. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isBusy } from './parts/is-busy.ts'

export const PLACES_BY_KEY = { o: '/', a: '/agents', h: '/handoffs', i: '/inbox', s: '/settings' } as const
/** The field that `/` goes to carries this attribute. */
export const SEARCH_FIELD = 'data-search-field'

const SECOND_KEY_MS = 1_500

export function useShortcuts(onHelp: () => void): void {
  const navigate = useNavigate()
  const wentAt = useRef(Number.NEGATIVE_INFINITY)
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return
      const isSecond = event.timeStamp - wentAt.current < SECOND_KEY_MS
      wentAt.current = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY
      const place = isSecond ? PLACES_BY_KEY[event.key as keyof typeof PLACES_BY_KEY] : undefined
      if (place !== undefined) void navigate({ to: place })
      else if (event.key === '?') onHelp()
      else if (event.key === '/') void search(() => navigate({ to: '/agents' }))
      else return
      event.preventDefault()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [navigate, onHelp])
}

/** Where there is no search, the agents' page has one. */
async function search(goToAgents: () => Promise<void>): Promise<void> {
  const field = (): HTMLElement | null => document.querySelector(`[${SEARCH_FIELD}]`)
  if (field() === null) {
    await goToAgents()
    await new Promise(requestAnimationFrame)
  }
  field()?.focus()
}
