/**
 * The settings that the core decides by: cloister.yaml translated once, in milliseconds and camelCase.
 * config/ owns the keys, the defaults and the translation (toSettings).
 */
import type { Witness } from './evidence.ts'

export interface Settings {
  autoStart: boolean
  thresholds: { staleMs: number; warningMs: number; stuckMs: number }
  pokeOnWarning: boolean
  /** What a poke says; {seen} stands for what was seen. Null: the built-in words. */
  pokeText: string | null
  interruptOnStuck: boolean
  killOnStuck: boolean
  restartOnKill: boolean
  restartOnCrash: boolean
  nudgeAssigned: boolean
  lifecycle: {
    autoSuspend: boolean
    autoResume: boolean
    specialistIdleMs: number
    workIdleMs: number
    /** Specialists with a time of their own. */
    idleMs: Readonly<Record<string, number>>
    /** Never suspended by a rule. */
    keepAwake: readonly string[]
    /** How dear a resume may be for an agent to be suspended; null is no limit. */
    maxResumeUsd: number | null
  }
  lookEveryMs: number
  /** Passive witnesses that are switched off; they are neither asked nor believed. */
  witnessesOff: readonly Witness[]
}
