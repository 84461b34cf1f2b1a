/** What an agent does now, in a few words. Only a limit that comes to its end changes them by the clock alone. */
import { useNow, type LiveAgent } from '../live/store.ts'
import { doingOf } from './words.ts'

export function DoingWords({ agent }: { agent: LiveAgent }) {
  return agent.cause?.kind === 'rate_limited' ? <Limited agent={agent} /> : doingOf(agent, agent.asOf)
}

function Limited({ agent }: { agent: LiveAgent }) {
  return doingOf(agent, useNow())
}
