/**
 * A saved session is gone on with, as a new generation. It counts when the new generation reports itself; a session
 * that turns out to be of no use is begun anew with the kept summary, and that is said.
 *
 *   doing ──started, unsure, timed out──▶ proving ──reported──▶ resumed
 *     ├──fresh (no such session)──▶ proving  ├──died──▶ lost (begun anew; a second time it failed)
 *     └──refused, fenced──▶ failed           └──timed out──▶ resumed, as far as anybody knows
 */
import type { Outcome } from '../../contract/effects.ts'
import type { Table } from '../machine.ts'

export type ResumeState = 'doing' | 'proving' | 'resumed' | 'lost' | 'failed'
export type ResumeInput = 'started' | 'fresh' | 'refused' | 'unsure' | 'fenced' | 'reported' | 'died' | 'timed_out'
export type ResumeAction = 'prove' | 'begin_anew' | 'finish' | 'report' | 'none'

const nothing = (to: ResumeState) => ({ to, do: 'none' as const })
const over = (to: ResumeState) => ({
  started: nothing(to),
  fresh: nothing(to),
  refused: nothing(to),
  unsure: nothing(to),
  fenced: nothing(to),
  reported: nothing(to),
  died: nothing(to),
  timed_out: nothing(to),
})

export const RESUME: Table<ResumeState, ResumeInput, ResumeAction> = {
  doing: {
    ...over('doing'),
    started: { to: 'proving', do: 'prove' },
    fresh: { to: 'proving', do: 'prove' },
    refused: { to: 'failed', do: 'report' },
    unsure: { to: 'proving', do: 'prove' },
    fenced: { to: 'failed', do: 'report' },
    timed_out: { to: 'proving', do: 'prove' },
  },
  proving: {
    ...over('proving'),
    reported: { to: 'resumed', do: 'finish' },
    died: { to: 'lost', do: 'begin_anew' },
    timed_out: { to: 'resumed', do: 'finish' },
  },
  resumed: over('resumed'),
  lost: over('lost'),
  failed: over('failed'),
}

export function resumeInput({ result, fresh }: Outcome): ResumeInput {
  if (result === 'done') return fresh === undefined ? 'started' : 'fresh'
  return result === 'not_done' ? 'refused' : result === 'unknown' ? 'unsure' : 'fenced'
}
