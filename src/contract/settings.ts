/**
 * The settings that the core decides by: cloister.yaml translated once, in milliseconds and camelCase.
 * config/ owns the keys, the defaults and the translation (toSettings).
 */
import type { Witness } from './evidence.ts'

export interface Settings {
  autoStart: boolean
  thresholds: { staleMs: number; warningMs: number; stuckMs: number }
  pokeOnWarning: boolean
  lookEveryMs: number
  /** Passive witnesses that are switched off; they are neither asked nor believed. */
  witnessesOff: readonly Witness[]
}
