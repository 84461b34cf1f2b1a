/** When an agent goes on in a fresh context, as it goes now. */
import type { CycleView } from '../../../../src/contract/cycle-view.ts'
import { duration, percent, tokens } from '../words.ts'

/** «60 % of what it can use; a fresh context at 85 %, in about 25 min» */
export function cycleWords({ share, threshold, dueInMs, tokensPerMinute }: CycleView, grownMs: number): string {
  const left = dueInMs === undefined ? undefined : Math.max(0, dueInMs - grownMs)
  const when = left === undefined ? '' : left === 0 ? ', due now' : `, in about ${duration(left)}`
  const pace =
    tokensPerMinute === undefined || tokensPerMinute <= 0 ? '' : ` (${tokens(Math.round(tokensPerMinute))} a minute)`
  return `${percent(share)} of what it can use; a fresh context at ${percent(threshold)}${when}${pace}`
}
