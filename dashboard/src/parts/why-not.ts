/** Why nothing can be done from here at the moment. */
import { clockNow, useConnection } from '../live/store.ts'
import { clock } from './words.ts'

/** Undefined while the page is live: then everything can be done. */
export function useWhyNot(): string | undefined {
  const { state, since } = useConnection()
  if (state === 'live') return undefined
  if (state !== 'offline') return 'This page is not connected yet.'
  return `Offline since ${clock(since, clockNow())}: this cannot be done until the daemon is heard again.`
}
