/**
 * An agent at rest goes to sleep: its work is saved, its processes end, its session is kept. A switch of the model is
 * the same, and is woken at once.
 *
 *   salvaging ──done──▶ ending ──done──▶ saving ──done──▶ suspended
 *       │                  │                └──not_done, fenced, timed out──▶ suspended (a person is told what is missing)
 *       │                  ├──survivors, timed out──▶ incomplete (a person is asked, it is not woken)
 *       ├──awake (it works again)──▶ refused
 *       └──not_done, fenced, timed out──▶ refused (the agent lives on)
 *   unknown, and not_done while ending: the step is tried again, as in a kill.
 */
import type { Table } from '../machine.ts'
import type { KillAction, KillInput } from './kill.ts'

export type SuspendState = 'salvaging' | 'ending' | 'saving' | 'suspended' | 'incomplete' | 'refused'
export type SuspendInput = KillInput | 'awake'
export type SuspendAction = KillAction

const nothing = (to: SuspendState) => ({ to, do: 'none' as const })
const over = (to: SuspendState) => ({
  done: nothing(to),
  over: nothing(to),
  survivors: nothing(to),
  not_done: nothing(to),
  unknown: nothing(to),
  fenced: nothing(to),
  timed_out: nothing(to),
  awake: nothing(to),
})

export const SUSPEND: Table<SuspendState, SuspendInput, SuspendAction> = {
  salvaging: {
    done: { to: 'ending', do: 'end' },
    over: nothing('salvaging'),
    survivors: nothing('salvaging'),
    not_done: { to: 'refused', do: 'refuse' },
    unknown: { to: 'salvaging', do: 'retry' },
    fenced: { to: 'refused', do: 'refuse' },
    timed_out: { to: 'refused', do: 'refuse' },
    awake: { to: 'refused', do: 'refuse' },
  },
  ending: {
    done: { to: 'saving', do: 'save' },
    over: { to: 'suspended', do: 'finish' },
    survivors: { to: 'incomplete', do: 'report' },
    not_done: { to: 'ending', do: 'retry' },
    unknown: { to: 'ending', do: 'retry' },
    fenced: { to: 'refused', do: 'refuse' },
    timed_out: { to: 'incomplete', do: 'report' },
    awake: nothing('ending'),
  },
  saving: {
    done: { to: 'suspended', do: 'finish' },
    over: nothing('saving'),
    survivors: nothing('saving'),
    not_done: { to: 'suspended', do: 'finish_unsaved' },
    unknown: { to: 'saving', do: 'retry' },
    fenced: { to: 'suspended', do: 'finish_unsaved' },
    timed_out: { to: 'suspended', do: 'finish_unsaved' },
    awake: nothing('saving'),
  },
  suspended: over('suspended'),
  incomplete: over('incomplete'),
  refused: over('refused'),
}
