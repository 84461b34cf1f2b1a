/** What it used by model, what that costs, and how that compares with what its own program says. */
import type { CostView } from '../../../../src/contract/cost-views.ts'
import { Asked } from '../../parts/asked.tsx'
import { useCost } from '../../parts/use-cost.ts'
import { tokens, usd } from '../../parts/words.ts'
import { Section } from './section.tsx'

export function Cost({ id }: { id: string }) {
  const query = useCost(id)
  const total = query.data?.total
  return (
    <Section title="Cost" aside={total !== undefined && total.messages > 0 && usd(total.usd)}>
      <Asked what="its cost" rows={2} query={query}>
        {(view) => <Used view={view} />}
      </Asked>
    </Section>
  )
}

const HEADS = ['Model', 'Input', 'Output', 'Cache read', 'Cache written', 'Cost']

function Used({ view: { models, client, differenceUsd, differencePercent, why } }: { view: CostView }) {
  if (models.length === 0)
    return <p className="text-ink-soft">It has used nothing yet, as far as its transcripts tell.</p>
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="overflow-x-auto">
        <table className="w-full text-small tabular-nums">
          <thead>
            <tr className="border-b border-line text-ink-soft">
              {HEADS.map((head, n) => (
                <th key={head} scope="col" className={`py-1 pr-3 font-normal ${n === 0 ? 'text-left' : 'text-right'}`}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {models.map(({ model, tokens: used, usd: cost }) => (
              <tr key={model} className="border-b border-line">
                <th scope="row" className="py-1 pr-3 text-left font-mono font-normal">
                  {model}
                </th>
                {[used.input, used.output, used.cacheRead, used.cacheWrite5m + used.cacheWrite1h].map((sum, n) => (
                  <td key={HEADS[n + 1]} className="py-1 pr-3 text-right">
                    {tokens(sum)}
                  </td>
                ))}
                <td className="py-1 pr-3 text-right">{usd(cost)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {client !== null && (
        <p>
          Its program says {usd(client.usd)} for its present session; ours for the same is {usd(client.computedUsd)}
          {differenceUsd !== null && `, ${signed(differenceUsd, differencePercent)}`}.
        </p>
      )}
      <p className="text-ink-soft">{why}</p>
    </div>
  )
}

function signed(off: number, percent: number | null): string {
  const sign = off < 0 ? '−' : '+'
  return `${sign}${usd(Math.abs(off))}${percent === null ? '' : ` (${sign}${Math.abs(percent).toFixed(1)} %)`}`
}
