/** Tokens into money by list prices. A model without a price has no cost that could be told; it is never free. */
import type { TokenSums } from '../../contract/cost-views.ts'

/** US dollars for a million tokens. */
export type Rates = TokenSums

/** List prices, as somebody keeps them. */
export interface Prices {
  /** Undefined for a model that is not on the list. */
  ratesOf(model: string): Rates | undefined
}

/** What one model was used for. */
export interface ModelUse extends TokenSums {
  messages: number
}

export type UseByModel = Readonly<Record<string, ModelUse>>

export interface SessionsUse {
  /** Every message once, whatever sessions, forks and subagents it stands in. */
  models: UseByModel
  /** Those of the sessions of which there is a record. */
  sessions: readonly string[]
  /** Those of them whose record was deleted since; what was read of it before is counted. */
  gone?: readonly string[]
}

const KINDS = ['input', 'output', 'cacheRead', 'cacheWrite5m', 'cacheWrite1h'] as const
const MILLION = 1_000_000

export function priceOf(tokens: TokenSums, rates: Rates): number {
  return KINDS.reduce((usd, kind) => usd + tokens[kind] * rates[kind], 0) / MILLION
}

export interface Priced {
  /** Of the models that have a price; undefined when something was used and none of it has one. */
  usd: number | undefined
  unpriced: string[]
}

export function priceOfAll(models: UseByModel, prices: Prices): Priced {
  const priced = Object.entries(models).map(([model, use]) => ({ model, usd: usdOf(model, use, prices) }))
  const unpriced = priced.filter(({ usd }) => usd === undefined).map(({ model }) => model)
  const isNone = priced.length > 0 && unpriced.length === priced.length
  return { usd: isNone ? undefined : priced.reduce((sum, { usd = 0 }) => sum + usd, 0), unpriced }
}

export function usdOf(model: string, use: ModelUse, prices: Prices): number | undefined {
  const rates = prices.ratesOf(model)
  return rates === undefined ? undefined : priceOf(use, rates)
}

export function tokensOf(use: TokenSums): TokenSums {
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = use
  return { input, output, cacheRead, cacheWrite5m, cacheWrite1h }
}

export function sumOf(uses: readonly ModelUse[]): ModelUse {
  const sum: ModelUse = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, messages: 0 }
  for (const use of uses) {
    for (const kind of KINDS) sum[kind] += use[kind]
    sum.messages += use.messages
  }
  return sum
}
