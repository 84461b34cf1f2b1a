/**
 * The work of an agent passes to another model. Nothing here ends or starts anything: each step asks for an act, and
 * goes on by how that act ended. Until the old generation is verifiably dead, it lives on when something fails; after
 * that its session is gone on with, with its old model; where that cannot be, a person is asked.
 *
 *   proposed ──gated──▶ awaiting_approval ──approved──▶ resting      refused, lapsed (timed out), cancelled (died)
 *      └──free──▶ resting ──rests──▶ saving ──saved──▶ capturing ──captured──▶ stopping ──stopped──▶ starting
 *                    └── and saving: failed, died, timed out ──▶ capturing (what it did not save is salvaged)
 *   capturing, stopping ──failed──▶ rolling_back (it lives on and is told so)
 *   stopping ──stranded (processes survived), timed out──▶ needs_you, and no successor
 *   starting ──started──▶ proving ──proved──▶ done
 *      └── and proving: failed, died, timed out ──▶ rolling_back ──resumed──▶ rolled_back
 *   starting, rolling_back ──held──▶ needs_you       rolling_back ──failed, stranded, timed out──▶ needs_you
 *   cancelled, and held before anything was ended ──▶ cancelled; so is one that is refused before it is stopping
 */
import type { HandoffState } from '../../contract/handoffs.ts'
import type { Table } from '../machine.ts'

export type HandoffInput =
  | 'gated'
  | 'free'
  | 'approved'
  | 'refused'
  | 'rests'
  | 'saved'
  | 'captured'
  | 'stopped'
  | 'started'
  | 'proved'
  | 'resumed'
  | 'failed'
  | 'died'
  | 'stranded'
  | 'held'
  | 'cancelled'
  | 'timed_out'
  /** The same step once more; only a context cycle has it. */
  | 'again'
export type HandoffAction =
  | 'ask'
  | 'rest'
  | 'save'
  | 'capture'
  | 'stop'
  | 'start'
  | 'prove'
  | 'roll_back'
  | 'ask_person'
  | 'finish'
  | 'none'

const nothing = (to: HandoffState) => ({ to, do: 'none' as const })
export const over = (to: HandoffState) => ({
  gated: nothing(to),
  free: nothing(to),
  approved: nothing(to),
  refused: nothing(to),
  rests: nothing(to),
  saved: nothing(to),
  captured: nothing(to),
  stopped: nothing(to),
  started: nothing(to),
  proved: nothing(to),
  resumed: nothing(to),
  failed: nothing(to),
  died: nothing(to),
  stranded: nothing(to),
  held: nothing(to),
  cancelled: nothing(to),
  timed_out: nothing(to),
  again: nothing(to),
})

const cancelled = { to: 'cancelled', do: 'finish' } as const
const capture = { to: 'capturing', do: 'capture' } as const
const rollBack = { to: 'rolling_back', do: 'roll_back' } as const
const askPerson = { to: 'needs_you', do: 'ask_person' } as const

export const HAND_OFF: Table<HandoffState, HandoffInput, HandoffAction> = {
  proposed: {
    ...over('proposed'),
    gated: { to: 'awaiting_approval', do: 'ask' },
    free: { to: 'resting', do: 'rest' },
    cancelled,
  },
  awaiting_approval: {
    ...over('awaiting_approval'),
    approved: { to: 'resting', do: 'rest' },
    refused: { to: 'refused', do: 'finish' },
    died: cancelled,
    cancelled,
    timed_out: { to: 'lapsed', do: 'finish' },
  },
  resting: {
    ...over('resting'),
    refused: cancelled,
    rests: { to: 'saving', do: 'save' },
    failed: capture,
    died: capture,
    held: cancelled,
    cancelled,
    timed_out: capture,
  },
  saving: {
    ...over('saving'),
    refused: cancelled,
    saved: capture,
    failed: capture,
    died: capture,
    held: cancelled,
    cancelled,
    timed_out: capture,
  },
  capturing: {
    ...over('capturing'),
    refused: cancelled,
    captured: { to: 'stopping', do: 'stop' },
    failed: rollBack,
    held: cancelled,
    cancelled,
    timed_out: rollBack,
  },
  stopping: {
    ...over('stopping'),
    stopped: { to: 'starting', do: 'start' },
    failed: rollBack,
    stranded: askPerson,
    held: cancelled,
    cancelled,
    timed_out: askPerson,
  },
  starting: {
    ...over('starting'),
    started: { to: 'proving', do: 'prove' },
    failed: rollBack,
    died: rollBack,
    held: askPerson,
    cancelled,
    timed_out: rollBack,
  },
  proving: {
    ...over('proving'),
    proved: { to: 'done', do: 'finish' },
    failed: rollBack,
    died: rollBack,
    cancelled,
    timed_out: rollBack,
  },
  rolling_back: {
    ...over('rolling_back'),
    resumed: { to: 'rolled_back', do: 'finish' },
    failed: askPerson,
    stranded: askPerson,
    held: askPerson,
    cancelled,
    timed_out: askPerson,
  },
  done: over('done'),
  rolled_back: over('rolled_back'),
  needs_you: over('needs_you'),
  refused: over('refused'),
  lapsed: over('lapsed'),
  cancelled: over('cancelled'),
}
