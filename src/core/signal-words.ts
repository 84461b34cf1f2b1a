/** Signals and savings in words. */
import type { HandoffSavings } from '../contract/handoffs.ts'
import type { WorkReport, WorkSignal } from '../contract/work-signals.ts'

export function signalInWords(agent: string, signal: WorkSignal): string {
  switch (signal.kind) {
    case 'tests':
      return `${agent} ran tests (${signal.run.runner}): ${RESULTS[signal.run.result]}, ${signal.run.why}`
    case 'plan_left':
      return `${agent} left plan mode with its plan`
    case 'plan_file':
      return `The plan of ${agent} is complete: ${signal.path}`
    case 'tasks_closed':
      return `${agent} closed ${signal.tasks.map(({ id, title }) => `${id} «${title}»`).join(', ')}`
    case 'conflict':
      return signal.files.length === 0
        ? `The conflict of ${agent} is over`
        : `The branch of ${agent} conflicts in ${signal.files.join(', ')}`
    case 'report':
      return `${signal.report.from} reports on the work of ${agent}: ${reportInWords(signal.report)}`
  }
}

const RESULTS = { passed: 'passed', failed: 'failed', not_run: 'nothing was tested' } as const

const ABOUT = { tests: 'the tests', review: 'the review', merge: 'the merge', ci: 'the build' } as const

function reportInWords({ about, passed, security, says }: WorkReport): string {
  const concern = security === true ? ', with a security concern' : ''
  return `${ABOUT[about]} ${passed ? 'passed' : 'did not pass'}${concern}${says === undefined ? '' : `: ${says}`}`
}

export function savingsInWords({ usedUsd, againstStaying, againstOpus, why }: HandoffSavings): string {
  if (usedUsd === undefined) return `what it saved is not known: ${why}`
  return [
    `its successor used ${usd(usedUsd)}`,
    ...(againstStaying === undefined ? [] : [`${saved(againstStaying)} against staying`]),
    ...(againstOpus === undefined ? [] : [`${saved(againstOpus)} against opus for all of it`]),
  ].join(', ')
}

function saved(amount: number): string {
  return amount < 0 ? `${usd(-amount)} more` : `${usd(amount)} saved`
}

function usd(amount: number): string {
  return `${amount.toFixed(2)} USD`
}
