/**
 * The work of an agent is lent to a specialist, and comes back. Nobody is ended on the way: the agent rests until it has
 * its work again. It owns its work until it verifiably rests and all is written down; the specialist owns it from the
 * moment before it is woken; and the agent again once the specialist verifiably rests or has ended.
 *
 *   WAKE   resting ─▶ saving ─▶ capturing ─▶ starting (lent, the specialist is woken) ─▶ proving ─▶ done
 *            └── failed, died, timed out ──▶ rolling_back (the specialist is ended where it may have begun; the agent has
 *                its work again and goes on) ──▶ rolled_back; failed, stranded, held, timed out ──▶ needs_you
 *   RETURN resting (the specialist) ─▶ capturing (what it said) ─▶ starting (the agent owns it, and is told) ─▶ proving ─▶ done
 *            └── failed, died, held, timed out ──▶ needs_you; what could not be written down is said in a sentence
 *   UNDONE the same where the specialist did not do its part: that the agent goes on is no help done ──▶ rolled_back
 */
import type { HandoffState } from '../../contract/handoffs.ts'
import type { Table } from '../machine.ts'
import { HAND_OFF, type HandoffAction, type HandoffInput } from './hand-off.ts'

const cancelled = { to: 'cancelled', do: 'finish' } as const
const capture = { to: 'capturing', do: 'capture' } as const
const start = { to: 'starting', do: 'start' } as const
const prove = { to: 'proving', do: 'prove' } as const
const done = { to: 'done', do: 'finish' } as const
const rollBack = { to: 'rolling_back', do: 'roll_back' } as const
const askPerson = { to: 'needs_you', do: 'ask_person' } as const

type Row = Table<HandoffState, HandoffInput, HandoffAction>['proving']

/** In which nothing happens by whatever comes. */
function still(to: HandoffState): Row {
  return Object.fromEntries(Object.keys(HAND_OFF.proposed).map((input) => [input, { to, do: 'none' }])) as Row
}

/** Whatever goes wrong leads to one place. */
function orElse(to: HandoffState, row: { to: HandoffState; do: HandoffAction }): Row {
  return { ...still(to), failed: row, died: row, held: row, timed_out: row, cancelled }
}

export const WAKE: Table<HandoffState, HandoffInput, HandoffAction> = {
  ...HAND_OFF,
  resting: { ...orElse('resting', rollBack), rests: { to: 'saving', do: 'save' }, refused: cancelled },
  // One that could not be told to save, and rests, has its repository to speak for it.
  saving: { ...orElse('saving', rollBack), saved: capture, failed: capture, refused: cancelled },
  capturing: { ...orElse('capturing', rollBack), captured: start, refused: cancelled },
  stopping: still('stopping'),
  starting: { ...orElse('starting', rollBack), started: prove },
  proving: { ...orElse('proving', rollBack), proved: done },
}

export const RETURN: Table<HandoffState, HandoffInput, HandoffAction> = {
  ...HAND_OFF,
  resting: { ...orElse('resting', askPerson), rests: capture, died: capture },
  saving: still('saving'),
  capturing: { ...orElse('capturing', start), captured: start },
  stopping: still('stopping'),
  starting: { ...orElse('starting', askPerson), started: prove },
  proving: { ...orElse('proving', askPerson), proved: done },
  rolling_back: still('rolling_back'),
}

export const UNDONE: typeof RETURN = {
  ...RETURN,
  proving: { ...RETURN.proving, proved: { to: 'rolled_back', do: 'finish' } },
}
