/**
 * The context cycle, as the hand-off machine walks it (hand-off.ts): the agent hands its work to itself in an empty
 * context. «Stopping» is the clear, and ends with a new session id; «starting» is the delivery of its document. Until the
 * clear nothing is lost: the agent goes on as it was, and is told so. After it the document is delivered once more, then
 * its old session is gone on with. Whatever failed, a person is told.
 *
 *   resting ──rests──▶ saving ──saved──▶ capturing ──captured──▶ stopping ──stopped──▶ starting ──started──▶ proving
 *      ▲                 └──again (no document, or one that is not whole)──┐    └──again (not confirmed)      │
 *      └───────────────────────────────────────────────────────────────────┘                                  │
 *   proving ──proved──▶ done            proving ──again (nothing was seen of it)──▶ starting ◀────────────────┘
 *   resting: failed, died, timed out ──▶ cancelled (nothing was asked of it yet)
 *   saving, capturing, stopping: failed, timed out ──▶ rolling_back (it lives on)      died ──▶ cancelled
 *   starting, proving: failed, died, timed out ──▶ rolling_back (its old session)
 *   rolling_back ──resumed──▶ rolled_back, and a person is told
 */
import type { HandoffState } from '../../contract/handoffs.ts'
import type { Table } from '../machine.ts'
import { HAND_OFF, over, type HandoffAction, type HandoffInput } from './hand-off.ts'

const cancelled = { to: 'cancelled', do: 'finish' } as const
const rest = { to: 'resting', do: 'rest' } as const
const start = { to: 'starting', do: 'start' } as const
const rollBack = { to: 'rolling_back', do: 'roll_back' } as const

export const CONTEXT_CYCLE: Table<HandoffState, HandoffInput, HandoffAction> = {
  ...HAND_OFF,
  resting: {
    ...over('resting'),
    refused: cancelled,
    rests: { to: 'saving', do: 'save' },
    failed: cancelled,
    died: cancelled,
    held: cancelled,
    cancelled,
    timed_out: cancelled,
  },
  saving: {
    ...over('saving'),
    refused: cancelled,
    saved: { to: 'capturing', do: 'capture' },
    failed: rollBack,
    died: cancelled,
    held: cancelled,
    cancelled,
    timed_out: rollBack,
    again: rest,
  },
  stopping: {
    ...over('stopping'),
    stopped: start,
    failed: rollBack,
    died: cancelled,
    held: cancelled,
    cancelled,
    timed_out: rollBack,
    again: { to: 'stopping', do: 'stop' },
  },
  proving: { ...HAND_OFF.proving, again: start },
  rolling_back: { ...HAND_OFF.rolling_back, resumed: { to: 'rolled_back', do: 'ask_person' } },
}
