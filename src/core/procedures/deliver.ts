/**
 * One message is typed to an agent, and followed until the agent has it. It is typed again only when it is known that
 * it did not arrive, so that it never arrives twice.
 *
 *   doing ──typed, unsure, timed out──▶ confirming ──heard──▶ heard
 *     │                                   └──timed out──▶ checking ──found, heard──▶ heard
 *     ├──accepted, heard──▶ heard                            ├──typed (its Enter was lost)──▶ confirming
 *     ├──held, absent──▶ queued (nothing was typed)          ├──absent──▶ queued (again, MAX_TRIES in all)
 *     └──unfit, fenced──▶ undelivered                           └──spent, unsure, timed out, fenced──▶ undelivered
 */
import type { Outcome } from '../../contract/effects.ts'
import type { MessageRecord } from '../../contract/messages.ts'
import type { Table } from '../machine.ts'

export type DeliverState = 'doing' | 'confirming' | 'checking' | 'heard' | 'queued' | 'undelivered'
export type DeliverInput =
  | 'typed'
  | 'accepted'
  | 'held'
  | 'absent'
  | 'spent'
  | 'found'
  | 'unsure'
  | 'unfit'
  | 'fenced'
  | 'heard'
  | 'timed_out'
export type DeliverAction = 'await' | 'finish' | 'wait' | 'check' | 'retry' | 'give_up' | 'none'

export const MAX_TRIES = 3

const nothing = (to: DeliverState) => ({ to, do: 'none' as const })
const over = (to: DeliverState) => ({
  typed: nothing(to),
  accepted: nothing(to),
  held: nothing(to),
  absent: nothing(to),
  spent: nothing(to),
  found: nothing(to),
  unsure: nothing(to),
  unfit: nothing(to),
  fenced: nothing(to),
  heard: nothing(to),
  timed_out: nothing(to),
})

export const DELIVER: Table<DeliverState, DeliverInput, DeliverAction> = {
  doing: {
    typed: { to: 'confirming', do: 'await' },
    accepted: { to: 'heard', do: 'finish' },
    held: { to: 'queued', do: 'wait' },
    absent: { to: 'queued', do: 'wait' },
    spent: { to: 'undelivered', do: 'give_up' },
    found: { to: 'heard', do: 'finish' },
    unsure: { to: 'confirming', do: 'await' },
    unfit: { to: 'undelivered', do: 'give_up' },
    fenced: { to: 'undelivered', do: 'give_up' },
    heard: { to: 'heard', do: 'finish' },
    timed_out: { to: 'confirming', do: 'await' },
  },
  confirming: {
    ...over('confirming'),
    heard: { to: 'heard', do: 'finish' },
    found: { to: 'heard', do: 'finish' },
    timed_out: { to: 'checking', do: 'check' },
  },
  checking: {
    typed: { to: 'confirming', do: 'await' },
    accepted: nothing('checking'),
    held: nothing('checking'),
    absent: { to: 'queued', do: 'retry' },
    spent: { to: 'undelivered', do: 'give_up' },
    found: { to: 'heard', do: 'finish' },
    unsure: { to: 'undelivered', do: 'give_up' },
    unfit: nothing('checking'),
    fenced: { to: 'undelivered', do: 'give_up' },
    heard: { to: 'heard', do: 'finish' },
    timed_out: { to: 'undelivered', do: 'give_up' },
  },
  heard: over('heard'),
  queued: over('queued'),
  undelivered: over('undelivered'),
}

/** What an outcome is to the machine. A person who wants it tried again has looked: his doubt counts as «absent». */
export function deliverInput(
  step: 'doing' | 'confirming' | 'checking',
  { result, unconfirmed, held, unfit, found }: Outcome,
  { attempts, insisted }: Pick<MessageRecord, 'attempts' | 'insisted'>,
): DeliverInput {
  if (result === 'fenced') return 'fenced'
  if (result === 'done') return found !== undefined ? 'found' : unconfirmed === true ? 'typed' : 'accepted'
  if (step === 'doing' && unfit === true) return 'unfit'
  if (step !== 'checking') return result === 'unknown' ? 'unsure' : held === true ? 'held' : 'absent'
  if (insisted === true) return 'absent'
  if (result === 'unknown') return 'unsure'
  return attempts >= MAX_TRIES ? 'spent' : 'absent'
}
