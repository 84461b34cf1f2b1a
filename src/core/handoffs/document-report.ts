/** What one look at a hand-off document says, for those who wait for it. */
import type { DocumentReport } from '../../contract/context-cycle.ts'
import type { Checked, FindingKind } from './check-document.ts'

const FINDINGS_KEPT = 10

/** Of one who has nothing left to do, and says so. */
const WHEN_FINISHED: readonly FindingKind[] = ['no_next_step', 'no_current_task', 'missing_file', 'git_mismatch']

export function documentReport(seen: (Checked & { stamp: string }) | { why: string }): DocumentReport {
  if ('why' in seen) return { isWhole: false, isUsable: false, isFinished: false, findings: [seen.why.slice(0, 300)] }
  const { isWhole, isUsable, findings, stamp } = seen
  return {
    stamp,
    isWhole,
    isUsable,
    isFinished: isWhole && !isUsable && findings.every(({ kind }) => WHEN_FINISHED.includes(kind)),
    findings: findings.slice(0, FINDINGS_KEPT).map(({ what }) => what),
  }
}
