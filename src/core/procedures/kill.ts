/**
 * A kill never loses work: a snapshot comes first, and without it there is no kill. What was written until the end is
 * in a second one, which is taken only when nothing of the tree lives any more, so that nothing can be written after it.
 *
 *   salvaging ──done──▶ ending ──done──▶ saving ──done──▶ ended
 *       │                  │                └──not_done, fenced, timed out──▶ ended (a person is told what is missing)
 *       │                  ├──survivors, timed out──▶ incomplete (a person is asked, no successor)
 *       └──not_done, fenced, timed out──▶ refused (a person is asked, the agent lives on)
 *   ending, over (as recordings of before have it: nothing was saved again)──▶ ended
 *   unknown, and not_done while ending: the step is tried again (all are idempotent), MAX_ATTEMPTS in all.
 */
import type { Outcome } from '../../contract/effects.ts'
import type { Table } from '../machine.ts'

export type KillState = 'salvaging' | 'ending' | 'saving' | 'ended' | 'incomplete' | 'refused'
export type KillInput = Outcome['result'] | 'over' | 'survivors' | 'timed_out'
export type KillAction = 'end' | 'save' | 'finish' | 'finish_unsaved' | 'report' | 'refuse' | 'retry' | 'none'

export const MAX_ATTEMPTS = 3

const nothing = (to: KillState) => ({ to, do: 'none' as const })
const over = (to: KillState) => ({
  done: nothing(to),
  over: nothing(to),
  survivors: nothing(to),
  not_done: nothing(to),
  unknown: nothing(to),
  fenced: nothing(to),
  timed_out: nothing(to),
})

export const KILL: Table<KillState, KillInput, KillAction> = {
  salvaging: {
    done: { to: 'ending', do: 'end' },
    over: nothing('salvaging'),
    survivors: nothing('salvaging'),
    not_done: { to: 'refused', do: 'refuse' },
    unknown: { to: 'salvaging', do: 'retry' },
    fenced: { to: 'refused', do: 'refuse' },
    timed_out: { to: 'refused', do: 'refuse' },
  },
  ending: {
    done: { to: 'saving', do: 'save' },
    over: { to: 'ended', do: 'finish' },
    survivors: { to: 'incomplete', do: 'report' },
    not_done: { to: 'ending', do: 'retry' },
    unknown: { to: 'ending', do: 'retry' },
    fenced: { to: 'refused', do: 'refuse' },
    timed_out: { to: 'incomplete', do: 'report' },
  },
  saving: {
    done: { to: 'ended', do: 'finish' },
    over: nothing('saving'),
    survivors: nothing('saving'),
    not_done: { to: 'ended', do: 'finish_unsaved' },
    unknown: { to: 'saving', do: 'retry' },
    fenced: { to: 'ended', do: 'finish_unsaved' },
    timed_out: { to: 'ended', do: 'finish_unsaved' },
  },
  ended: over('ended'),
  incomplete: over('incomplete'),
  refused: over('refused'),
}

/** The steps in which a tree is being ended, in order. */
export type EndingStep = 'salvaging' | 'ending' | 'saving'

export function isEndingStep(step: string): step is EndingStep {
  return step === 'salvaging' || step === 'ending' || step === 'saving'
}

/** What an outcome is to the machine. A step that was tried too often counts as timed out. */
export function killInput(outcome: Outcome, attempts: number): KillInput {
  if (outcome.result === 'done' && (outcome.survivors?.length ?? 0) > 0) return 'survivors'
  if (outcome.result === 'done' && outcome.final === true) return 'over'
  const again = outcome.result === 'unknown' || outcome.result === 'not_done'
  return again && attempts >= MAX_ATTEMPTS ? 'timed_out' : outcome.result
}
