/**
 * The cost of an agent: computed from its transcripts, and held against the total that its program itself tells. The
 * difference is shown, never corrected away.
 */
import type { ClientCost, CostView } from '../../contract/cost-views.ts'
import type { AgentId } from '../../contract/ids.ts'
import { priceOfAll, sumOf, tokensOf, usdOf, type Prices, type UseByModel } from './price.ts'

export interface AgentUse {
  agent: AgentId
  at: number
  sessions: readonly string[]
  models: UseByModel
  /** Sessions whose transcript was deleted. */
  gone?: readonly string[]
  client?: ClientTotal
}

/** What the program says of its present session. */
export interface ClientTotal {
  usd: number
  at: number
  session?: string
  /** What that session alone used; missing when it is not known, and everything is compared. */
  models?: UseByModel
}

export function costOf(use: AgentUse, prices: Prices): CostView {
  const models = Object.entries(use.models)
  const sum = sumOf(models.map(([, model]) => model))
  const { usd, unpriced } = priceOfAll(use.models, prices)
  const client = use.client === undefined ? null : held(use.client, use.models, prices)
  return {
    agent: use.agent,
    at: use.at,
    sessions: [...use.sessions],
    models: models.map(([model, used]) => ({
      model,
      tokens: tokensOf(used),
      messages: used.messages,
      usd: usdOf(model, used, prices) ?? null,
    })),
    total: { tokens: tokensOf(sum), messages: sum.messages, usd: usd ?? null, unpriced },
    client,
    ...difference(client),
    why: sentences(
      why(client, use.client === undefined ? unpriced : priceOfAll(covered(use.client, use.models), prices).unpriced),
      goneInWords(use.gone ?? []),
    ),
  }
}

function covered(client: ClientTotal, all: UseByModel): UseByModel {
  return client.models ?? all
}

function held(client: ClientTotal, all: UseByModel, prices: Prices): ClientCost {
  const { usd, at, session } = client
  const computed = priceOfAll(covered(client, all), prices).usd ?? null
  return { usd, at, ...(session === undefined ? {} : { session }), computedUsd: computed }
}

function difference(client: ClientCost | null): Pick<CostView, 'differenceUsd' | 'differencePercent'> {
  if (client === null || client.computedUsd === null) return { differenceUsd: null, differencePercent: null }
  const usd = client.computedUsd - client.usd
  return { differenceUsd: usd, differencePercent: client.usd === 0 ? null : (usd / client.usd) * 100 }
}

/** Less than this is rounding. */
const SAME_USD = 0.000_05

function why(client: ClientCost | null, unpriced: readonly string[]): string {
  const missing = unpriced.length === 0 ? '' : `${unpriced.join(', ')}: no list price, and not in our sum.`
  if (client === null) return sentences('The program has not told a total of its own.', missing)
  if (client.computedUsd === null) return sentences('The two cannot be compared.', missing)
  const off = client.computedUsd - client.usd
  if (Math.abs(off) < SAME_USD) return sentences('The two agree.', missing)
  return sentences(off > 0 ? MORE : LESS, missing)
}

function goneInWords(gone: readonly string[]): string {
  if (gone.length === 0) return ''
  const [noun, them] = gone.length === 1 ? ['The transcript', 'it'] : ['The transcripts', 'them']
  const are = gone.length === 1 ? 'is' : 'are'
  return `${noun} of ${gone.join(', ')} ${are} gone; what was read of ${them} before is counted.`
}

function sentences(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}

const MORE =
  'Ours is more: it has answers that the program does not count, such as those of a session before it was cleared, or its prices are lower than the list.'
const LESS =
  'Ours is less: the program also counts what it writes to no transcript, such as titles and summaries, carries its total over when a session goes on, and may price long prompts higher.'
