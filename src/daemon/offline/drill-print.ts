/** A drill for people: a line for each thing as it is seen, and the table in the end. */
import type { DrillReport } from '../../contract/drill.ts'
import { seconds, type Drill } from '../../core/drill/follow.ts'

/** What is new since the drill was as before. */
export function lines(before: Drill, now: Drill): string[] {
  const { plan, injectedAt, detected, done, met, wrong } = now
  const found: string[] = []
  if (before.injectedAt === undefined && injectedAt !== undefined) found.push(at(0, `injected: ${plan.fault}`))
  if (before.detected === undefined && detected !== undefined) {
    found.push(at(detected.afterMs, `detected as ${detected.as} (bound ${seconds(plan.boundMs)})`))
  }
  for (const { afterMs, sentence } of done.slice(before.done.length)) found.push(at(afterMs, sentence))
  for (const step of met)
    if ('deed' in step && !before.met.has(step)) found.push(`  ${' '.repeat(TIME)}  the drill ${step.words}`)
  if (before.wrong === undefined && wrong !== undefined) found.push(`  ${' '.repeat(TIME)}  WRONG: ${wrong}`)
  return found
}

const TIME = 9

function at(ms: number, text: string): string {
  return `  ${`+${seconds(ms)}`.padStart(TIME)}  ${text}`
}

export function verdictLine({ fault, passed, outcome, detectedMs, seenAs }: DrillReport): string {
  const seen = detectedMs === undefined ? '' : ` Seen as ${seenAs} after ${seconds(detectedMs)}.`
  return `${passed ? 'PASS' : 'FAIL'}  ${fault}: ${outcome}.${seen}`
}

/** The longest texts come last, where a narrow terminal may break them. */
const HEADS = ['FAULT', 'RESULT', 'SEEN AS', 'AFTER', 'BOUND', 'WHAT WAS DONE', 'VERIFIED OUTCOME'] as const

export function table(reports: readonly DrillReport[]): string[] {
  const rows = reports.map((report) => [
    report.fault,
    report.passed ? 'pass' : 'FAIL',
    report.seenAs ?? '-',
    report.detectedMs === undefined ? '-' : seconds(report.detectedMs),
    seconds(report.boundMs),
    doneIn(report),
    report.outcome,
  ])
  const widths = HEADS.map((head, n) => Math.max(head.length, ...rows.map((row) => row[n]?.length ?? 0)))
  return [HEADS, ...rows].map((row) =>
    row
      .map((cell, n) => cell.padEnd(widths[n] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** Each thing once; what was only planned is not worth a word where it was done. */
function doneIn({ done }: DrillReport): string {
  const words = new Set(done.map(({ what }) => what))
  for (const [lesser, greater] of IMPLIED) if (words.has(greater)) words.delete(lesser)
  return [...words].join(', ') || 'nothing'
}

const IMPLIED = [
  ['restart planned', 'started again'],
  ['act held', 'all acts held'],
] as const
