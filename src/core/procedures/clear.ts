/**
 * A context is cleared at rest: the program's own command is typed, and a new session must be reported. That report,
 * whoever caused it, begins the new generation (core/new-context.ts).
 *
 *   doing ──typed, unsure, timed out──▶ confirming ──cleared──▶ cleared
 *     ├──cleared──▶ cleared               └──timed out──▶ failed, and said
 *     └──refused, fenced──▶ failed
 */
import type { Outcome } from '../../contract/effects.ts'
import type { Table } from '../machine.ts'

export type ClearState = 'doing' | 'confirming' | 'cleared' | 'failed'
export type ClearInput = 'typed' | 'unsure' | 'refused' | 'fenced' | 'cleared' | 'timed_out'
export type ClearAction = 'await' | 'finish' | 'give_up' | 'none'

const nothing = (to: ClearState) => ({ to, do: 'none' as const })
const over = (to: ClearState) => ({
  typed: nothing(to),
  unsure: nothing(to),
  refused: nothing(to),
  fenced: nothing(to),
  cleared: nothing(to),
  timed_out: nothing(to),
})

export const CLEAR: Table<ClearState, ClearInput, ClearAction> = {
  doing: {
    typed: { to: 'confirming', do: 'await' },
    unsure: { to: 'confirming', do: 'await' },
    refused: { to: 'failed', do: 'give_up' },
    fenced: { to: 'failed', do: 'give_up' },
    cleared: { to: 'cleared', do: 'finish' },
    timed_out: { to: 'confirming', do: 'await' },
  },
  confirming: {
    ...over('confirming'),
    cleared: { to: 'cleared', do: 'finish' },
    timed_out: { to: 'failed', do: 'give_up' },
  },
  cleared: over('cleared'),
  failed: over('failed'),
}

export function clearInput({ result }: Outcome): ClearInput {
  return ({ done: 'typed', not_done: 'refused', unknown: 'unsure', fenced: 'fenced' } as const)[result]
}
