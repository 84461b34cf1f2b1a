/** What may hand work on: plain facts of an agent in, a trigger with its evidence out. No trigger knows another. */
import type { HandoffTask } from '../../../contract/handoff-context.ts'
import type { HandoffSettings } from '../../../contract/handoff-settings.ts'
import type { HandoffTrigger } from '../../../contract/handoffs.ts'
import type { CauseKind } from '../../../contract/verdict.ts'
import type { TestRun } from '../../../contract/test-run.ts'
import type { WorkReport } from '../../../contract/work-signals.ts'
import { LADDER, type Tier } from '../../routing/tiers.ts'

/** `fresh`: the same agent in an empty context. `person`: nobody dearer is left. */
export type Target = { model: string; runtime?: string } | { specialist: string } | { fresh: true } | { person: true }

export interface Trigger {
  trigger: HandoffTrigger
  to: Target
  /** One sentence. */
  reason: string
  evidence: { what: string; value: string }[]
  /** The same for the same occasion, so that each hands on at most once. */
  key: string
}

export interface TriggerFacts {
  agent: {
    id: string
    generation: number
    model: string
    /** Its name, where it is one. */
    specialist?: string
  }
  /** Left out: there is no list of tasks. */
  tasks?: readonly HandoffTask[]
  /** Those of them that were closed by its present generation: what was done before is nobody's occasion. */
  closed?: readonly string[]
  /** What the router says of the next task that nothing blocks. */
  nextTask?: { id: string; title: string; complexity: string; model: string; runtime?: string }
  plan?: { file?: { path: string; isComplete: boolean }; exitPlanMode?: boolean }
  /** Of its present generation, oldest first. */
  testRuns?: readonly Pick<TestRun, 'runner' | 'result' | 'why'>[]
  /** Of specialists about its work, oldest first. */
  reports?: readonly WorkReport[]
  conflict?: { files: readonly string[] }
  ci?: { failed: string }
  /** `isQuiet`: silent, with no open tool, no wait and no child that works. */
  health?: {
    cause: CauseKind
    forMs: number
    isQuiet: boolean
    /** When it last made progress: another trouble is another occasion. */
    sinceAt?: number
    /** Nothing that was tried has helped it: there is nothing to wait for. */
    isHelpless?: true
    says?: string
  }
  /** Share of the usable window, and the threshold that holds now. */
  context?: { fill: number; threshold: number }
  costUsd?: number
  /** Keys of what was handed on, refused or lapsed before. */
  settled: Pick<ReadonlySet<string>, 'has'>
}

export interface TriggerRules {
  settings: HandoffSettings
  /** The tier that a model is of, by the settings; undefined for another maker's. */
  tierOf: (model: string) => Tier | undefined
}

export type Rule = (facts: TriggerFacts, rules: TriggerRules) => Trigger | undefined

/** Of one and the same model, whether it is named by its tier or by its id. */
export function isSameModel(a: string, b: string, { tierOf }: TriggerRules): boolean {
  const tier = tierOf(a)
  return a === b || (tier !== undefined && tier === tierOf(b))
}

/** Above zero when `a` is the dearer tier; undefined when one of them is of none. */
export function compareTiers(a: string, b: string, { tierOf }: TriggerRules): number | undefined {
  const [one, other] = [tierOf(a), tierOf(b)]
  return one === undefined || other === undefined ? undefined : LADDER.indexOf(one) - LADDER.indexOf(other)
}

/** A foreign title within our own words. */
export function title(text: string): string {
  return `«${text
    .replaceAll(/[«»\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, 80)}»`
}

export function fact(what: string, value: string): Trigger['evidence'][number] {
  return { what, value: value.slice(0, 300) }
}
