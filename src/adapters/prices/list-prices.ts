/** List prices by model. A model that is not on the list by its very name has none: the next version costs otherwise. */
import type { Prices, Rates } from '../../core/costs/price.ts'
import { CLAUDE_RATES } from './claude-rates.ts'

/** Not in the library yet, and measured: what the client 2.1.325 itself counts for a million tokens of each kind. */
const CLIENT_RATES: typeof CLAUDE_RATES = {
  'claude-sonnet-5-5': [2, 10, 0.1, 2.5, 4],
  'claude-fable-5-2': [8, 40, 0.2, 10, 16],
}
const RATES = { ...CLIENT_RATES, ...CLAUDE_RATES }

/** Answers in fast mode, by what the client 2.1.325 counts for them; no other model has a price for it. */
const FAST_RATES: typeof CLAUDE_RATES = {
  'claude-fable-5-2': [16, 80, 0.4, 20, 32],
  'claude-mythos-5-2': [16, 80, 0.4, 20, 32],
  'claude-opus-4-6': [30, 150, 3, 37.5, 60],
  'claude-opus-4-7': [30, 150, 3, 37.5, 60],
  'claude-opus-4-8': [10, 50, 1, 12.5, 20],
  'claude-opus-5': [10, 50, 1, 12.5, 20],
  'claude-opus-5-5': [8, 40, 0.4, 10, 16],
}
const FAST = '[fast]'

/** Agents are often started with the name of a tier, and every figure has to know which model that is by the settings. */
export function tierPrices(tiers: Readonly<Record<string, string>>): Prices {
  const modelOf = (tier: string) => (Object.hasOwn(tiers, tier) ? tiers[tier] : undefined) ?? ''
  return { ratesOf: (model) => ratesOf(model) ?? ratesOf(modelOf(model)) }
}

function ratesOf(model: string): Rates | undefined {
  const isFast = model.endsWith(FAST)
  const list = isFast ? FAST_RATES : RATES
  const name = plainModel(isFast ? model.slice(0, -FAST.length) : model)
  const rates = Object.hasOwn(list, name) ? list[name] : undefined
  if (rates === undefined) return undefined
  const [input, output, cacheRead, cacheWrite5m, cacheWrite1h] = rates
  return { input, output, cacheRead, cacheWrite5m, cacheWrite1h }
}

/** Without what does not change the price: the size of the context, the day of the version, who serves it. */
export function plainModel(model: string): string {
  return model
    .toLowerCase()
    .replace(/^(?:[a-z]+\.)?anthropic[./]/, '')
    .replace(/\[1m\]$/, '')
    .replace(/-v\d+:\d+$/, '')
    .replace(/(?:[-@]\d{8}|-latest)$/, '')
    .replaceAll('.', '-')
}
