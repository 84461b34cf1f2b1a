/** Reckons what a hand-off saved, from the transcripts of the sessions that its successor had. */
import type { Outcome } from '../contract/effects.ts'
import type { Handoff, HandoffSavings } from '../contract/handoffs.ts'
import type { AgentRecord } from '../contract/records.ts'
import { priceOfAll, type Prices } from '../core/costs/price.ts'
import { computeSavings } from '../core/handoffs/savings.ts'
import type { Handoffs } from '../core/ports.ts'
import type { Runtime } from '../core/runtime-port.ts'

export interface SavingsSources {
  runtimes: ReadonlyMap<string, Pick<Runtime, 'usage'>>
  /** They know the tiers, too. */
  prices: Prices
}

/** The same hand-offs, which can be reckoned. */
export function withSavings(handoffs: Handoffs, sources: SavingsSources): Handoffs {
  return {
    writeDown: (agent, handoff, giver) => handoffs.writeDown(agent, handoff, giver),
    seeDocument: (agent, handoff) => handoffs.seeDocument(agent, handoff),
    prompt: (handoff) => handoffs.prompt(handoff),
    reckon: async (agent, id): Promise<Outcome> => {
      const savings = await reckonSavings(sources, agent, id)
      return savings === undefined
        ? { result: 'not_done', detail: 'what its successor used is not known' }
        : { result: 'done', savings }
    },
  }
}

/** Undefined when nobody can tell what was used. */
export async function reckonSavings(
  { runtimes, prices }: SavingsSources,
  agent: AgentRecord,
  id: string,
): Promise<HandoffSavings | undefined> {
  const handoff = agent.handoffs?.find((each) => each.id === id)
  const usage = runtimes.get(agent.runtime)?.usage
  const sessions = handoff === undefined ? [] : sessionsAfter(agent, handoff)
  if (handoff === undefined || usage === undefined || sessions.length === 0) return undefined
  const { models: used } = await usage(sessions)
  const overheadTokens = Math.ceil((handoff.captured?.bytes ?? 0) / BYTES_PER_TOKEN)
  const compared = computeSavings({ used, stayed: handoff.from.model, opus: 'opus', overheadTokens }, prices)
  const { againstStaying, againstOpus, why } = compared
  const { usd, unpriced } = priceOfAll(used, prices)
  const isPriced = Object.keys(used).length > 0 && unpriced.length === 0 && usd !== undefined
  return {
    ...(isPriced ? { usedUsd: usd } : {}),
    ...(againstStaying === undefined ? {} : { againstStaying: againstStaying.estimatedSavings }),
    ...(againstOpus === undefined ? {} : { againstOpus: againstOpus.estimatedSavings }),
    why: why.slice(0, 400),
  }
}

/** About what a token of prose takes. */
const BYTES_PER_TOKEN = 4

/** From the successor's first one up to where the next hand-off's successor begins. */
function sessionsAfter({ sessions = [], handoffs = [] }: AgentRecord, { id, successor }: Handoff): string[] {
  const from = successor === undefined ? -1 : sessions.indexOf(successor)
  if (from < 0) return []
  const later = handoffs.slice(handoffs.findIndex((each) => each.id === id) + 1)
  const next = later.flatMap((each) => each.successor ?? []).map((each) => sessions.indexOf(each))
  const until = next.find((index) => index > from)
  return sessions.slice(from, until)
}
