/** All triggers in the order in which they count, and the first that fires. Each fires at most once for one occasion. */
import { contextLimit, costDowngrade } from './gauges.ts'
import { implementationComplete } from './implementation-complete.ts'
import { nextTask } from './next-task.ts'
import { planningComplete } from './planning-complete.ts'
import { ciFailed, mergeConflict, reviewApproved, securityConcern, testsPass } from './reports.ts'
import { stuckEscalation } from './stuck-escalation.ts'
import { testFailure } from './test-failure.ts'
import { type Rule, type Trigger, type TriggerFacts, type TriggerRules } from './trigger.ts'

/** A full context cannot wait; what is stuck counts before what would only be better. */
const RULES: readonly Rule[] = [
  contextLimit,
  stuckEscalation,
  testFailure,
  mergeConflict,
  ciFailed,
  securityConcern,
  planningComplete,
  implementationComplete,
  testsPass,
  reviewApproved,
  nextTask,
  costDowngrade,
]

export function firstTrigger(facts: TriggerFacts, rules: TriggerRules): Trigger | undefined {
  for (const rule of RULES) {
    const found = rule(facts, rules)
    if (found !== undefined && !facts.settled.has(found.key)) return found
  }
  return undefined
}
