/** What it cost so far, small, on its card; nothing while nothing is known. */
import { useCost } from '../../parts/use-cost.ts'
import { tokens, usd } from '../../parts/words.ts'

export function CardCost({ id }: { id: string }) {
  const { data } = useCost(id)
  if (data === undefined || data.models.length === 0) return null
  const { total, client } = data
  const isTold = total.usd === null && client !== null
  const { input, output, cacheRead, cacheWrite5m, cacheWrite1h } = total.tokens
  const said = [
    `${tokens(input)} input`,
    `${tokens(output)} output`,
    `${tokens(cacheRead)} read from and ${tokens(cacheWrite5m + cacheWrite1h)} written to the cache`,
    ...total.unpriced.map((model) => `${model} is unpriced`),
    ...(isTold ? ['the sum is what its program says of its present session'] : []),
  ]
  return (
    <span className="shrink-0 tabular-nums" title={said.join(', ')}>
      <span className="sr-only">cost </span>
      {usd(isTold ? client.usd : total.usd)}
      {total.usd !== null && total.unpriced.length > 0 && '+'}
    </span>
  )
}
