/**
 * An agent that works is brought to rest: by its own interrupt key, or by an order that its hook takes. No hook says
 * that it worked, so whether it rests is asked again and again, within a limit.
 *
 *   doing ──done, unsure, timed out──▶ confirming ──rests──▶ rested
 *     ├──rests──▶ rested                 └──timed out──▶ checking ──rests──▶ rested
 *     └──refused, fenced──▶ failed                           ├──works, unsure, timed out──▶ confirming
 *                                                            ├──works on──▶ doing, the key once more
 *                                                            └──spent, refused, fenced──▶ failed, and said
 */
import type { Outcome } from '../../contract/effects.ts'
import type { Table } from '../machine.ts'

export type RestState = 'doing' | 'confirming' | 'checking' | 'rested' | 'failed'
export type RestInput =
  | 'done'
  | 'rests'
  | 'works'
  | 'works_on'
  | 'unsure'
  | 'spent'
  | 'refused'
  | 'fenced'
  | 'timed_out'
export type RestAction = 'await' | 'press' | 'check' | 'finish' | 'give_up' | 'none'

const nothing = (to: RestState) => ({ to, do: 'none' as const })
const over = (to: RestState) => ({
  done: nothing(to),
  rests: nothing(to),
  works: nothing(to),
  works_on: nothing(to),
  unsure: nothing(to),
  spent: nothing(to),
  refused: nothing(to),
  fenced: nothing(to),
  timed_out: nothing(to),
})

export const COME_TO_REST: Table<RestState, RestInput, RestAction> = {
  doing: {
    ...over('doing'),
    done: { to: 'confirming', do: 'await' },
    rests: { to: 'rested', do: 'finish' },
    unsure: { to: 'confirming', do: 'await' },
    refused: { to: 'failed', do: 'give_up' },
    fenced: { to: 'failed', do: 'give_up' },
    timed_out: { to: 'confirming', do: 'await' },
  },
  confirming: {
    ...over('confirming'),
    rests: { to: 'rested', do: 'finish' },
    timed_out: { to: 'checking', do: 'check' },
  },
  checking: {
    ...over('checking'),
    rests: { to: 'rested', do: 'finish' },
    works: { to: 'confirming', do: 'await' },
    works_on: { to: 'doing', do: 'press' },
    unsure: { to: 'confirming', do: 'await' },
    spent: { to: 'failed', do: 'give_up' },
    refused: { to: 'failed', do: 'give_up' },
    fenced: { to: 'failed', do: 'give_up' },
    timed_out: { to: 'confirming', do: 'await' },
  },
  rested: over('rested'),
  failed: over('failed'),
}

/** What an outcome is to the machine; asked too often, it is over. */
export function restInput(step: 'doing' | 'confirming' | 'checking', { result }: Outcome, isLast: boolean): RestInput {
  if (result === 'fenced') return 'fenced'
  if (step !== 'checking') return result === 'done' ? 'done' : result === 'unknown' ? 'unsure' : 'refused'
  if (result === 'done') return 'rests'
  if (isLast) return 'spent'
  return result === 'unknown' ? 'unsure' : 'works'
}
