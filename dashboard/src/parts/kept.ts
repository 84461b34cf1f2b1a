/** What is wanted of an agent beside that it runs, and what its waking costs, in words. */
import type { DesiredView, ResumeView } from '../../../src/contract/standing.ts'
import { clock } from './words.ts'

const STATES: Record<DesiredView['state'], string> = { run: 'to run', hold: 'held', stop: 'stopped', frozen: 'frozen' }

export function keptOf({ state, by, untilWallAt }: DesiredView, now: number): string {
  const end = untilWallAt === undefined ? '' : ` until ${clock(untilWallAt, now)}`
  return `${STATES[state]} by ${by}${end}`
}

export function wakingOf({ tokens, usd }: ResumeView): string {
  const read = `reads ${tokens.toLocaleString('en')} tokens anew`
  return usd === undefined ? `${read}, unpriced` : `${read}, about $${usd.toFixed(2)}`
}
