/** Effects that no act waits for: they are done whatever became of the act that led to them. */
import type { Effect } from '../contract/effects.ts'

export const ALWAYS_WANTED: readonly Effect['type'][] = [
  'ask.close',
  'order.withdraw',
  'work.rescue',
  'task.keep',
  'task.forget',
  'handoff.capture',
  'handoff.see-document',
  'handoff.reckon',
  'fleet.forget',
]
