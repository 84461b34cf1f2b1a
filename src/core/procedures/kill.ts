/**
 * A kill never loses work: the snapshot comes first, and without it there is no kill.
 *
 *   salvaging ──done──▶ ending ──done──▶ ended
 *       │                  ├──survivors, timed out──▶ incomplete (a person is asked, no successor)
 *       └──not_done, fenced, timed out──▶ refused (a person is asked, the agent lives on)
 *   unknown, and not_done while ending: the step is tried again (both are idempotent), MAX_ATTEMPTS in all.
 */
import type { Outcome } from '../../contract/effects.ts'
import type { Table } from '../machine.ts'

export type KillState = 'salvaging' | 'ending' | 'ended' | 'incomplete' | 'refused'
export type KillInput = Outcome['result'] | 'survivors' | 'timed_out'
export type KillAction = 'end' | 'finish' | 'report' | 'refuse' | 'retry' | 'none'

export const MAX_ATTEMPTS = 3

const nothing = (to: KillState) => ({ to, do: 'none' as const })
const over = (to: KillState) => ({
  done: nothing(to),
  survivors: nothing(to),
  not_done: nothing(to),
  unknown: nothing(to),
  fenced: nothing(to),
  timed_out: nothing(to),
})

export const KILL: Table<KillState, KillInput, KillAction> = {
  salvaging: {
    done: { to: 'ending', do: 'end' },
    survivors: nothing('salvaging'),
    not_done: { to: 'refused', do: 'refuse' },
    unknown: { to: 'salvaging', do: 'retry' },
    fenced: { to: 'refused', do: 'refuse' },
    timed_out: { to: 'refused', do: 'refuse' },
  },
  ending: {
    done: { to: 'ended', do: 'finish' },
    survivors: { to: 'incomplete', do: 'report' },
    not_done: { to: 'ending', do: 'retry' },
    unknown: { to: 'ending', do: 'retry' },
    fenced: { to: 'refused', do: 'refuse' },
    timed_out: { to: 'incomplete', do: 'report' },
  },
  ended: over('ended'),
  incomplete: over('incomplete'),
  refused: over('refused'),
}

/** What an outcome is to the machine. A step that was tried too often counts as timed out. */
export function killInput(outcome: Outcome, attempts: number): KillInput {
  if (outcome.result === 'done' && (outcome.survivors?.length ?? 0) > 0) return 'survivors'
  const again = outcome.result === 'unknown' || outcome.result === 'not_done'
  return again && attempts >= MAX_ATTEMPTS ? 'timed_out' : outcome.result
}
