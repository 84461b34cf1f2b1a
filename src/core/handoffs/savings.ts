/**
 * What a hand-off saves: estimated before it, computed after it; against staying with the model, and against doing all of
 * it with the dearest tier. By list prices, and never where one of them is not known. A dearer successor saves less than
 * nothing, and that is said, too.
 */
import type { TokenSums } from '../../contract/cost-views.ts'
import { priceOf, priceOfAll, tokensOf, type ModelUse, type Prices, type UseByModel } from '../costs/price.ts'

export interface Savings {
  /** US dollars; below zero where it costs more. */
  estimatedSavings: number
  estimate: { from: number; to: number }
}

export interface Compared {
  againstStaying?: Savings
  againstOpus?: Savings
  /** What was reckoned with, or why nothing could be. */
  why: string
}

export interface Plan {
  /** Models, or tiers that have a price. */
  from: string
  to: string
  opus: string
  /** What the rest of the work may use (`expectedUse`). */
  expected: TokenSums
  /** What the successor has to read in before it begins. */
  overheadTokens: number
}

/** @later Called when a hand-off is offered, so that its price is said before it. */
export function estimateSavings({ from, to, opus, expected, overheadTokens }: Plan, prices: Prices): Compared {
  const rates = { from: prices.ratesOf(from), to: prices.ratesOf(to), opus: prices.ratesOf(opus) }
  if (rates.to === undefined) return { why: `${to} has no known price.` }
  const target = priceOf({ ...expected, cacheWrite5m: expected.cacheWrite5m + overheadTokens }, rates.to)
  const against = (other: typeof rates.from) =>
    other === undefined ? undefined : savings(priceOf(expected, other), target)
  const [staying, all] = [against(rates.from), against(rates.opus)]
  return {
    ...(staying === undefined ? {} : { againstStaying: staying }),
    ...(all === undefined ? {} : { againstOpus: all }),
    why:
      staying === undefined
        ? `${from} has no known price.`
        : `It reckons with ${count(totalOf(expected))} tokens for the rest of the work and ${count(overheadTokens)} to read in.`,
  }
}

export interface Pace {
  /** What was used so far. */
  use: ModelUse
  tasksDone: number
  tasksLeft: number
}

/**
 * As much for each task as for one so far; for one task where none is counted. Undefined before there is anything to go
 * by.
 *
 * @later Called together with `estimateSavings`.
 */
export function expectedUse({ use, tasksDone, tasksLeft }: Pace): TokenSums | undefined {
  if (use.messages === 0) return undefined
  const share = Math.max(1, tasksLeft) / Math.max(1, tasksDone)
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = tokensOf(use)
  const scaled = (tokens: number) => Math.round(tokens * Math.min(share, SHARE_LIMIT))
  return {
    input: scaled(input),
    output: scaled(output),
    cacheRead: scaled(cacheRead),
    cacheWrite5m: scaled(cacheWrite5m),
    cacheWrite1h: scaled(cacheWrite1h),
  }
}

/** A first task out of very many says little of all of them. */
const SHARE_LIMIT = 20

export interface Done {
  /** What was used since the hand-off, by model. */
  used: UseByModel
  /** The model that it would have stayed with. */
  stayed: string
  opus: string
  /** Of that, what the successor read in, which staying would not have. */
  overheadTokens: number
}

export function computeSavings({ used, stayed, opus, overheadTokens }: Done, prices: Prices): Compared {
  const actual = priceOfAll(used, prices)
  if (Object.keys(used).length === 0) return { why: 'Nothing was used since.' }
  if (actual.usd === undefined || actual.unpriced.length > 0) {
    return { why: `${actual.unpriced.join(', ')} has no known price.` }
  }
  const { usd } = actual
  const against = (model: string) => {
    const rates = prices.ratesOf(model)
    if (rates === undefined) return undefined
    const same = Object.values(used).reduce((sum, use) => sum + priceOf(use, rates), 0)
    const overhead = priceOf({ ...NOTHING, cacheWrite5m: overheadTokens }, rates)
    return savings(Math.max(0, same - overhead), usd)
  }
  const [staying, all] = [against(stayed), against(opus)]
  return {
    ...(staying === undefined ? {} : { againstStaying: staying }),
    ...(all === undefined ? {} : { againstOpus: all }),
    why: staying === undefined ? `${stayed} has no known price.` : 'The same tokens at the other price.',
  }
}

const NOTHING: TokenSums = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }

function savings(from: number, to: number): Savings {
  return { estimatedSavings: round(from - to), estimate: { from: round(from), to: round(to) } }
}

/** To a hundredth of a cent. */
function round(usd: number): number {
  return Math.round(usd * 10_000) / 10_000
}

function totalOf(tokens: TokenSums): number {
  return Object.values(tokensOf(tokens)).reduce((sum, each) => sum + each, 0)
}

function count(tokens: number): string {
  return String(tokens).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}
