/**
 * The settings that the core decides by: cloister.yaml translated once, in milliseconds and camelCase.
 * config/ owns the keys, the defaults and the translation (toSettings).
 */
import type { Complexity } from './config/values.ts'
import type { Witness } from './evidence.ts'
import type { HandoffSettings } from './handoff-settings.ts'

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
  handoffs: HandoffSettings
  lookEveryMs: number
  /** Passive witnesses that are switched off; they are neither asked nor believed. */
  witnessesOff: readonly Witness[]
  routing: RoutingSettings
}

/** By what the complexity of a task is found, and by what it is given to a model and a runtime. */
export interface RoutingSettings {
  detection: {
    mediumAboveFiles: number
    complexAboveFiles: number
    otherwise: Complexity
    tags: Readonly<Record<string, Complexity>>
    keywords: Readonly<Record<string, Complexity>>
  }
  byComplexity: Readonly<Record<Complexity, string | { model: string; runtime: string }>>
  tiers: Readonly<Record<'opus' | 'sonnet' | 'haiku' | 'cheap', string>>
  defaultModel: string
  /** By tier or model; the default is for all others. */
  runtimes: Readonly<Record<string, string>>
  defaultRuntime: string
  specialists: Readonly<Record<string, { model: string; runtime: string | null; enabled: boolean; autoWake: boolean }>>
}
