/** What an agent cost, computed from the transcripts of all its sessions and held against its program's own total. */
import type { CostView } from '../contract/cost-views.ts'
import type { AgentRecord } from '../contract/records.ts'
import { costOf, type ClientTotal } from '../core/costs/reconcile.ts'
import type { Prices } from '../core/costs/price.ts'
import type { Runtime } from '../core/runtime-port.ts'

export interface CostSources {
  runtimes: ReadonlyMap<string, Pick<Runtime, 'usage'>>
  prices: Prices
}

/** The wall clock, and the observed time that it is. */
interface Now {
  wallAt: number
  observedAt: number
}

export async function costView({ runtimes, prices }: CostSources, agent: AgentRecord, now: Now): Promise<CostView> {
  const { id, runtime, sessions = [], sessionId } = agent
  const usage = runtimes.get(runtime)?.usage
  const use = await usage?.(sessions)
  const present = sessionId === undefined || sessions.length < 2 ? use : await usage?.([sessionId])
  const client = clientTotal(agent, now)
  return costOf(
    {
      agent: id,
      at: now.wallAt,
      sessions: use?.sessions ?? [],
      models: use?.models ?? {},
      ...(use?.gone === undefined ? {} : { gone: use.gone }),
      ...(client === undefined
        ? {}
        : { client: { ...client, ...(present === undefined ? {} : { models: present.models }) } }),
    },
    prices,
  )
}

function clientTotal({ gauges, sessionId }: AgentRecord, now: Now): ClientTotal | undefined {
  if (gauges?.sessionCostUsd === undefined) return undefined
  const ageMs = now.observedAt - (gauges.costAt ?? now.observedAt)
  return {
    usd: gauges.sessionCostUsd,
    at: now.wallAt - ageMs,
    ...(sessionId === undefined ? {} : { session: sessionId }),
  }
}
