/** Everything the core is ever told. Time, ids and chance come in with it; it has none of its own. */
import type { Command } from '../contract/commands.ts'
import type { Effect, Outcome } from '../contract/effects.ts'
import type { Sighting } from '../contract/evidence.ts'
import type { AgentId } from '../contract/ids.ts'
import type { Settings } from '../contract/settings.ts'

/** What the house itself can have trouble with: its settings file, and what it writes. */
export type Trouble = 'settings' | 'journal'

interface Stamp {
  /** Unique; ids of effects are derived from it. */
  id: string
  wallAt: number
  monoAt: number
  /** From 0 up to 1, anew for each input: what spreads out what would else happen to many at once. */
  chance?: number
}

/** What the file of an emergency stop says of it. */
export interface StopNote {
  reason?: string
  /** Who asked for it. */
  person?: string
  askedWallAt?: number
}

export type Input = Stamp &
  /** `stop`: whom an emergency stop ended from which a person resumed, and why, all while no daemon ran. */
  (
    | { type: 'boot'; openEffects: number; stop?: { gone: readonly AgentId[] } & StopNote }
    /** Time passed. `lateMs` is how late the daemon's own timer was. */
    | { type: 'tick'; lateMs: number }
    /** One look at all agents. Only what changed is in it; `blind` says why nothing could be seen, the rest what the sentinel says. */
    | ({ type: 'look'; sightings: readonly Sighting[]; blind?: string; sentinel: boolean } & StopNote)
    | { type: 'report'; sighting: Sighting }
    | { type: 'command'; by: string; command: Command }
    | { type: 'outcome'; effect: Effect; outcome: Outcome }
    | { type: 'settings'; settings: Settings; keys: readonly string[] }
    /** Something of the house itself is not as it should be, or, without `what`, is so again. */
    | { type: 'trouble'; of: Trouble; what?: string }
  )

export type InputOf<T extends Input['type']> = Extract<Input, { type: T }>
