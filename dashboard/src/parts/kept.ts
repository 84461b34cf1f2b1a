/** What is wanted of an agent beside that it runs, and what its waking costs, in words. */
import { heldUntil } from '../../../src/contract/limit-sentence.ts'
import type { DesiredView, ResumeView } from '../../../src/contract/standing.ts'
import { clock } from './words.ts'

const STATES: Record<DesiredView['state'], string> = { run: 'to run', hold: 'held', stop: 'stopped', frozen: 'frozen' }

export function keptOf(desired: DesiredView, now: number): string {
  return `${STATES[desired.state]} by ${desired.by}${heldUntil(desired, (at) => clock(at, now))}`
}

export function wakingOf({ tokens, usd }: ResumeView): string {
  const read = `reads ${tokens.toLocaleString('en')} tokens anew`
  return usd === undefined ? `${read}, unpriced` : `${read}, about $${usd.toFixed(2)}`
}
