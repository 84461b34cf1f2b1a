/** Whether the page is as narrow as a phone, for sizes that CSS alone cannot tell. */
import { useSyncExternalStore } from 'react'

const NARROW = '(width < 40rem)'

export function useIsNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches)
}

function subscribe(call: () => void): () => void {
  const media = matchMedia(NARROW)
  media.addEventListener('change', call)
  return () => media.removeEventListener('change', call)
}
