/** What it would cost to go on with a session: all of its context is read anew and put into the cache. */
import type { AgentRecord } from '../contract/records.ts'
import type { ResumeView } from '../contract/standing.ts'
import { priceOf } from './costs/price.ts'
import type { World } from './world.ts'

const NOTHING = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }

/** Undefined when nobody knows how much context there is. */
export function resumeOf({ prices }: Pick<World, 'prices'>, agent: AgentRecord): ResumeView | undefined {
  const tokens = agent.gauges?.context?.tokens
  if (tokens === undefined) return undefined
  const rates = prices.ratesOf(agent.model)
  const usd = rates === undefined ? undefined : priceOf({ ...NOTHING, cacheWrite5m: tokens }, rates)
  return { tokens, ...(usd === undefined ? {} : { usd }) }
}

export function resumeInWords(resume: ResumeView | undefined): string {
  if (resume === undefined) return 'what its waking will cost is not known'
  const tokens = `its waking reads ${String(resume.tokens).replaceAll(/\B(?=(\d{3})+$)/g, ',')} tokens anew`
  return resume.usd === undefined ? `${tokens}, unpriced` : `${tokens}, about ${resume.usd.toFixed(2)} USD`
}
