/** How automatic acts have done, by kind: the most frequent first. */
import type { HouseRecord } from '../contract/house-record.ts'
import type { InterventionsView } from '../contract/standing.ts'

export function interventionsView({ interventions = {} }: Pick<HouseRecord, 'interventions'>): InterventionsView {
  const kinds = Object.entries(interventions).map(([act, tally]) => {
    const { tried, recovered, answered, notRecovered, unknown } = tally
    const known = recovered + answered + notRecovered
    const open = Math.max(0, tried - known - unknown)
    return { act, ...tally, open, ...(known === 0 ? {} : { rate: recovered / known }) }
  })
  return { kinds: kinds.toSorted((a, b) => b.tried - a.tried || (a.act < b.act ? -1 : 1)) }
}
