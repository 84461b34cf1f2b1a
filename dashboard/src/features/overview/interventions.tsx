/** What Cloister did by itself, over all agents, and how often it helped. */
import { useQuery } from '@tanstack/react-query'
import type { InterventionsView } from '../../../../src/contract/standing.ts'
import { call } from '../../live/store.ts'
import { percent } from '../../parts/words.ts'

const EVERY_MS = 30_000

export function Interventions() {
  const { data } = useQuery({
    queryKey: ['interventions'],
    queryFn: () => call('GET /api/stats/interventions'),
    refetchInterval: EVERY_MS,
    retry: false,
  })
  if (data === undefined || data.kinds.length === 0) return null
  return (
    <section aria-labelledby="interventions" className="flex max-w-3xl min-w-0 flex-col gap-1">
      <h2 id="interventions" className="font-semibold">
        What Cloister did by itself
      </h2>
      <div className="overflow-x-auto">
        <table className="w-full text-left tabular-nums">
          <thead>
            <tr className="text-small text-ink-soft">
              {HEADS.map((head, n) => (
                <th key={head} scope="col" className={`py-1 pr-3 font-normal ${n === 0 ? '' : 'text-right'}`}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {data.kinds.map((kind) => (
              <Kind key={kind.act} kind={kind} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

const HEADS = ['Act', 'Tried', 'Helped', 'Answered only', 'Did not help', 'Not known', 'Open', 'Rate']

function Kind({ kind }: { kind: InterventionsView['kinds'][number] }) {
  const { act, tried, recovered, answered, notRecovered, unknown, open, rate } = kind
  return (
    <tr className="border-t border-line">
      <th scope="row" className="py-1 pr-3 font-normal">
        {act}
      </th>
      {[tried, recovered, answered, notRecovered, unknown, open].map((sum, n) => (
        <td key={HEADS[n + 1]} className={`py-1 pr-3 text-right ${sum === 0 ? 'text-ink-faint' : ''}`}>
          {sum}
        </td>
      ))}
      <td className="py-1 pr-3 text-right font-medium">{rate === undefined ? '–' : percent(rate)}</td>
    </tr>
  )
}
