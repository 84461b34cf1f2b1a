/** Hand-offs as people read them: states, triggers, methods, money, rates. */
import type { ContextPart } from '../../../../src/contract/handoff-context.ts'
import type { HandoffEvent, HandoffsView } from '../../../../src/contract/handoff-views.ts'
import type { HandoffMethod, HandoffSavings, HandoffState, HandoffTrigger } from '../../../../src/contract/handoffs.ts'
import { percent, usd } from '../words.ts'

export const STATE_WORDS: Record<HandoffState, string> = {
  proposed: 'proposed',
  awaiting_approval: 'waits for your yes',
  resting: 'comes to rest',
  saving: 'saves its state',
  capturing: 'its work is written down',
  stopping: 'is ended',
  starting: 'the successor starts',
  proving: 'the successor has to show that it goes on',
  rolling_back: 'is being undone',
  done: 'done',
  rolled_back: 'undone',
  needs_you: 'left to you',
  refused: 'refused',
  lapsed: 'lapsed',
  cancelled: 'cancelled',
}

/** Those that nothing follows. */
export const HANDOFF_OVER: readonly HandoffState[] = [
  'done',
  'rolled_back',
  'needs_you',
  'refused',
  'lapsed',
  'cancelled',
]

export const TRIGGER_WORDS: Record<HandoffTrigger, string> = {
  planning_complete: 'planning is complete',
  stuck_escalation: 'it is stuck',
  test_failure: 'tests failed',
  manual: 'a person asked',
  task_complete: 'a task is complete',
  implementation_complete: 'implementation is complete',
  tests_pass: 'tests pass',
  merge_conflict: 'merge conflict',
  ci_failed: 'CI failed',
  security_concern: 'security concern',
  review_approved: 'review approved',
  cost_downgrade: 'cost',
  next_task_complexity: 'the next task asks for another model',
  context_limit: 'its context is nearly full',
  help_failed: 'the specialist did not do its part',
}

export const METHOD_WORDS: Record<HandoffMethod, string> = {
  kill_spawn: 'new session',
  specialist_wake: 'specialist',
  runtime_switch: 'other runtime',
  context_cycle: 'fresh context',
}

export const PART_WORDS: Record<ContextPart, string> = {
  stateFile: 'STATE.md',
  claudeMd: 'CLAUDE.md',
  gitBranch: 'its branch',
  uncommittedFiles: 'uncommitted files',
  lastCommit: 'the last commit',
  tasks: 'its tasks',
  lastWords: 'its last words',
  whatWasDone: 'what was done',
  whatRemains: 'what remains',
  blockers: 'blockers',
  decisions: 'decisions',
  tokenUsage: 'tokens',
  costSoFar: 'cost',
}

/** A newer daemon may know words that this page does not. */
export function wordOf(words: Readonly<Record<string, string>>, name: string): string {
  return words[name] ?? name.replaceAll('_', ' ')
}

interface Priced {
  estimatedSavings?: number | undefined
  estimate?: HandoffEvent['estimate']
}

/** «saves about $0.40», «costs about $1.20 more»; undefined where prices are not known. */
export function savingsOf({ estimatedSavings }: Priced): string | undefined {
  if (estimatedSavings === undefined) return undefined
  if (Math.abs(estimatedSavings) < 0.00005) return 'costs the same'
  return estimatedSavings > 0 ? `saves about ${usd(estimatedSavings)}` : `costs about ${usd(-estimatedSavings)} more`
}

/** What it came to where that is known, else what it was thought to. */
export function moneyOf(handoff: Priced & Pick<HandoffEvent, 'savings'>): string | undefined {
  const saved = handoff.savings?.againstStaying
  if (saved === undefined) return savingsOf(handoff)
  return saved < 0 ? `cost ${usd(-saved)} more` : `saved ${usd(saved)}`
}

/** What the figure means, for those who want to know. */
export function estimateWords({ estimate }: Priced, to: string): string | undefined {
  if (estimate === undefined) return undefined
  return `So far its session cost ${usd(estimate.from)}; with ${to} the same would have cost ${usd(estimate.to)}.`
}

/** What it really came to, as far as prices are known. */
export function reckonedWords({ usedUsd, againstStaying, againstOpus }: Omit<HandoffSavings, 'why'>): string[] {
  const against = (what: string, saved: number | undefined): string[] => {
    if (saved === undefined) return []
    return [saved < 0 ? `Against ${what} it cost ${usd(-saved)} more.` : `Against ${what} it saved ${usd(saved)}.`]
  }
  return [
    ...(usedUsd === undefined ? [] : [`Its successor used ${usd(usedUsd)}.`]),
    ...against('staying', againstStaying),
    ...against('opus', againstOpus),
  ]
}

/** «7 of 9, 78 %»; what was never tried is no failure. */
export function rateWords({ good, of, share }: HandoffsView['operation']): string {
  return of === 0 || share === undefined ? 'none yet' : `${good} of ${of}, ${percent(share)}`
}

/** Whether it helped, apart from whether it was done. */
export function helpedWords({ outcome }: Pick<HandoffEvent, 'outcome'>): string {
  if (outcome === undefined) return 'nothing to judge'
  if (outcome.verificationMethod === undefined) return 'not judged yet'
  if (!outcome.verified) return 'nobody knows'
  return outcome.agentRecovered ? 'it helped' : 'it did not help'
}

export const JUDGED_BY: Record<string, string> = {
  heartbeat: 'by its progress afterwards',
  task_complete: 'by a task that was completed',
  manual: 'by a person',
}

/** Why, once: that a person asked is the usual reason of a person. */
export function whyWords({ trigger, reason }: Pick<HandoffEvent, 'trigger' | 'reason'>): string {
  return trigger === 'manual' ? reason : `${wordOf(TRIGGER_WORDS, trigger)}: ${reason}`
}

/** The model, and the runtime or the specialist where that changes. */
export function partiesOf(from: Party, to: Party): { from: string; to: string } {
  const isOther = from.runtime !== to.runtime
  const isSame = !isOther && from.model === to.model && from.specialist === to.specialist
  if (isSame) return { from: named(from, false), to: 'a fresh context' }
  return { from: named(from, isOther), to: named(to, isOther) }
}

interface Party {
  model: string
  runtime: string
  specialist?: string | undefined
}

function named({ model, runtime, specialist }: Party, isOther: boolean): string {
  if (specialist !== undefined) return specialist
  return isOther ? `${model} in ${runtime}` : model
}

/** What will happen, for whoever is asked to confirm it. */
export function planWords(of: { agent: string; from: Party; to: Party }): string {
  const { from, to } = partiesOf(of.from, of.to)
  if (of.to.specialist !== undefined) {
    return (
      `${of.agent} is brought to rest and saves its state. ${of.to.specialist} gets its work and gives it back when it ` +
      `is done; ${of.agent} rests meanwhile.`
    )
  }
  return (
    `${of.agent} is brought to rest, saves its state, and its work is salvaged. Then its session is ended, and a new one ` +
    `with ${to} goes on from what was written down. If that does not show in time that it goes on, the old session ` +
    `goes on with ${from}.`
  )
}

/** «refs/cloister/agent-pan-18/3-1» is «3-1» to `pan restore`. */
export function restoreCommand(agent: string, salvage: string): string {
  return `pan restore ${agent} --ref ${salvage.slice(salvage.lastIndexOf('/') + 1)}`
}
