/**
 * Emergency stop, latched. The deed itself needs neither this machine nor the journal; this is its record.
 *
 *   armed ──trigger, sentinel seen──▶ stopping ──confirmed, survived──▶ stopped
 *                                     stopping ──failed, timed out──▶ stopping (again, MAX_STOPS in all) ──▶ stopped
 *   stopped ──resume (a person)──▶ rearming ──rearmed──▶ armed
 *                                  rearming ──failed, timed out──▶ stopped
 *   stopped, rearming ──trigger──▶ stopping.  A vanished sentinel never re-arms.
 *   stopping, stopped ──explained──▶ the same: who asked is noted, of a stop that the sentinel told of.
 *   any ──found over──▶ armed: it came, and a person resumed, while no daemon ran; only the record is made good.
 */
import type { EmergencyState } from '../../contract/house-record.ts'
import type { Table } from '../machine.ts'

export type EmergencyInput =
  | 'trigger'
  | 'explained'
  | 'sentinel_seen'
  | 'confirmed'
  | 'survived'
  | 'failed'
  | 'timed_out'
  | 'exhausted'
  | 'resume'
  | 'rearmed'
  | 'found_over'
export type EmergencyAction =
  | 'stop'
  | 'retry'
  | 'finish'
  | 'give_up'
  | 'rearm'
  | 'stay'
  | 'arm'
  | 'catch_up'
  | 'note'
  | 'refuse'
  | 'none'

export const MAX_STOPS = 3

export const EMERGENCY: Table<EmergencyState, EmergencyInput, EmergencyAction> = {
  armed: {
    trigger: { to: 'stopping', do: 'stop' },
    explained: { to: 'armed', do: 'none' },
    sentinel_seen: { to: 'stopping', do: 'stop' },
    confirmed: { to: 'armed', do: 'none' },
    survived: { to: 'armed', do: 'none' },
    failed: { to: 'armed', do: 'none' },
    timed_out: { to: 'armed', do: 'none' },
    exhausted: { to: 'armed', do: 'none' },
    resume: { to: 'armed', do: 'refuse' },
    rearmed: { to: 'armed', do: 'none' },
    found_over: { to: 'armed', do: 'catch_up' },
  },
  stopping: {
    trigger: { to: 'stopping', do: 'none' },
    explained: { to: 'stopping', do: 'note' },
    sentinel_seen: { to: 'stopping', do: 'none' },
    confirmed: { to: 'stopped', do: 'finish' },
    survived: { to: 'stopped', do: 'finish' },
    failed: { to: 'stopping', do: 'retry' },
    timed_out: { to: 'stopping', do: 'retry' },
    exhausted: { to: 'stopped', do: 'give_up' },
    resume: { to: 'stopping', do: 'refuse' },
    rearmed: { to: 'stopping', do: 'none' },
    found_over: { to: 'armed', do: 'catch_up' },
  },
  stopped: {
    trigger: { to: 'stopping', do: 'stop' },
    explained: { to: 'stopped', do: 'note' },
    sentinel_seen: { to: 'stopped', do: 'none' },
    confirmed: { to: 'stopped', do: 'none' },
    survived: { to: 'stopped', do: 'none' },
    failed: { to: 'stopped', do: 'none' },
    timed_out: { to: 'stopped', do: 'none' },
    exhausted: { to: 'stopped', do: 'none' },
    resume: { to: 'rearming', do: 'rearm' },
    rearmed: { to: 'stopped', do: 'none' },
    found_over: { to: 'armed', do: 'catch_up' },
  },
  rearming: {
    trigger: { to: 'stopping', do: 'stop' },
    explained: { to: 'rearming', do: 'none' },
    sentinel_seen: { to: 'rearming', do: 'none' },
    confirmed: { to: 'rearming', do: 'none' },
    survived: { to: 'rearming', do: 'none' },
    failed: { to: 'stopped', do: 'stay' },
    timed_out: { to: 'stopped', do: 'stay' },
    exhausted: { to: 'stopped', do: 'stay' },
    resume: { to: 'rearming', do: 'refuse' },
    rearmed: { to: 'armed', do: 'arm' },
    found_over: { to: 'armed', do: 'catch_up' },
  },
}
