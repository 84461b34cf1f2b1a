/**
 * `node scripts/prices.ts`: takes Claude's list prices out of the pinned `@pydantic/genai-prices` into claude-rates.ts;
 * `--check` only says whether they are up to date. The library in the daemon would be 20 MB for two dozen numbers.
 */
import { findProvider, type ModelInfo, type ModelPrice, type TieredPrices } from '@pydantic/genai-prices'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { plainModel } from '../src/adapters/prices/list-prices.ts'

const target = join(import.meta.dirname, '../src/adapters/prices/claude-rates.ts')

const text = program()
if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  console.error(`${target} is not what the pinned library says. Make it anew with \`node scripts/prices.ts\`.`)
  process.exitCode = 1
}

function program(): string {
  const models = findProvider({ providerId: 'anthropic' })?.models ?? []
  const rows = models.flatMap((model) => {
    const rates = ratesOf(pricesNow(model))
    return [...new Set([model.id, ...equals(model.match)].map(plainModel))].map((name) => ({ name, rates }))
  })
  const sorted = rows.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return [
    "/** Claude's list prices, taken from @pydantic/genai-prices by `node scripts/prices.ts`; not to be edited. */",
    '/** By model: US dollars for a million tokens of input, output, cache read, cache write for 5 minutes, for an hour. */',
    'export const CLAUDE_RATES: Readonly<Record<string, readonly [number, number, number, number, number]>> = {',
    ...sorted.map(({ name, rates }) => `  '${name}': [${rates.join(', ')}],`),
    '}',
    '',
  ].join('\n')
}

/** Of prices that changed with time, the newest: they stand in the order in which they came. */
function pricesNow({ prices }: ModelInfo): ModelPrice {
  return Array.isArray(prices) ? (prices.at(-1)?.prices ?? {}) : prices
}

/** Where the list has no price of its own for the cache: 1.25 times the input for 5 minutes, twice for an hour. */
function ratesOf(prices: ModelPrice): number[] {
  const input = base(prices['input_mtok']) ?? 0
  const output = base(prices['output_mtok']) ?? 0
  return [
    input,
    output,
    base(prices['cache_read_mtok']) ?? input / 10,
    base(prices['cache_write_mtok']) ?? input * 1.25,
    base(prices['cache_write_1h_mtok']) ?? input * 2,
  ]
}

/** Sums do not say how long each prompt was, so that the dearer tier of long ones cannot be told. */
function base(price: number | TieredPrices | undefined): number | undefined {
  return typeof price === 'object' ? price.base : price
}

/** Names that the list gives whole; those that it gives by their beginning would take in the next version, too. */
function equals(match: ModelInfo['match']): string[] {
  if ('equals' in match) return [match.equals]
  return 'or' in match ? match.or.flatMap(equals) : []
}
