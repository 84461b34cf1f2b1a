/**
 * The script of a drill: which orders the understudies get, what must be seen of it and by when, what the drill itself
 * does in between, and what must not happen. Sights between two deeds may come in any order; a deed is done when every
 * sight before it was seen.
 */
import type { Event } from '../../contract/events.ts'
import type { Fault } from '../../contract/faults.ts'
import type { AgentId } from '../../contract/ids.ts'

/** The settings of the home that matter to a drill. */
export interface DrillSettings {
  warningMs: number
  lookEveryMs: number
  pokeOnWarning: boolean
  restartOnCrash: boolean
}

export interface Scene {
  /** As many as the fault needs; the first ones get it. */
  agents: readonly AgentId[]
  settings: DrillSettings
  isTemporary: boolean
}

/** Something that an event must show: the words for it, when this is the one. */
export interface Sight {
  see: string
  in: (event: Event) => string | undefined
}

export type DeedKind =
  /** Moves the wall clock of the temporary home. */
  | 'jump-ahead'
  | 'jump-back'
  | 'pass-limit'
  /** Waits for several looks, so that what must not happen has the time to. */
  | 'look-on'
  | 'answer'
  | 'settle'
  /** Look into the process table for what an agent left behind. */
  | 'find-orphan'
  | 'find-no-orphans'

export interface Deed {
  deed: DeedKind
  words: string
}

export interface Plan {
  fault: Fault
  /** Who gets the fault. */
  faulty: readonly AgentId[]
  /** What is typed to each agent, in this order. */
  orders: readonly { agent: AgentId; text: string }[]
  /** The first sight is the detection. */
  steps: readonly (Sight | Deed)[]
  boundMs: number
  /** How long all of it may take. */
  patienceMs: number
  /** What may not happen, in words. */
  wrong: Wrong
  /** What is verified when every step is done. */
  outcome: string
}

export type Wrong = (event: Event, so: SoFar) => string | undefined

export interface SoFar {
  /** All events since the fault, but for this one. */
  earlier: readonly Event[]
  /** Deeds that the drill has done. */
  deeds: readonly DeedKind[]
}

export function isDeed(step: Sight | Deed): step is Deed {
  return 'deed' in step
}
