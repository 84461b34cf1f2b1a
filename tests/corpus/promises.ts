/** What the judge promises on the corpus, whatever the seed. */
import type { Summary } from './summary.ts'

const PROMISES: readonly (readonly [promise: string, holds: (summary: Summary) => boolean])[] = [
  ['at least 200 sessions', ({ sessions }) => sessions >= 200],
  ['no destructive act on a sound agent', ({ harmful }) => harmful === 0],
  ['false alarms in at most 0.5 % of agent-hours', ({ falseAlarmShare }) => falseAlarmShare <= 0.005],
  ['at least 99 % of hangs found within their bound and one look', ({ hangRecall }) => hangRecall >= 0.99],
  ['loops found within 20 calls, where all of them were reported', ({ loopCalls }) => loopCalls <= 20],
  ['loops with a precision of at least 95 %', ({ loopPrecision }) => loopPrecision >= 0.95],
  ['no answer in words taken for a recovery', ({ falseRecoveries }) => falseRecoveries === 0],
  ['every recovery seen', ({ missedRecoveries }) => missedRecoveries === 0],
  ['no verdict given again that a person called wrong', ({ stillWrong }) => stillWrong === 0],
  ['no real trouble missed', ({ missed }) => missed === 0],
]

export function brokenPromises(summary: Summary): string[] {
  return PROMISES.flatMap(([promise, holds]) => (holds(summary) ? [] : promise))
}
