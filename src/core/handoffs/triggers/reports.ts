/** What specialists, git and CI report of an agent's work. Verdicts on security and review come from the review-agent only. */
import type { WorkReport } from '../../../contract/work-signals.ts'
import { compareTiers, fact, isSameModel, title, type Rule } from './trigger.ts'

/** The work goes back to where it came from. */
export const testsPass: Rule = ({ agent, reports = [] }, { settings }) => {
  const { enabled, to } = settings.testsPass
  const last = newest(reports, 'tests')
  if (!enabled || agent.specialist !== undefined || last?.passed !== true) return undefined
  return {
    trigger: 'tests_pass',
    to: { model: to },
    reason: `${last.from} reports that the tests pass, so ${to} goes on.`,
    evidence: [said(last)],
    key: `tests_pass:${last.id}`,
  }
}

export const securityConcern: Rule = ({ agent, reports = [] }, rules) => {
  const { enabled, to } = rules.settings.securityConcern
  const last = newest(reports, 'review')
  if (!enabled || agent.specialist !== undefined || last?.security !== true || last.from !== REVIEWER) return undefined
  if ((compareTiers(to, agent.model, rules) ?? 1) <= 0) return undefined
  return {
    trigger: 'security_concern',
    to: { model: to },
    reason: `The review-agent flagged a security concern, so ${to} goes on.`,
    evidence: [said(last)],
    key: `security_concern:${last.id}`,
  }
}

export const reviewApproved: Rule = ({ agent, reports = [] }, rules) => {
  const { enabled, to } = rules.settings.reviewApproved
  const last = newest(reports, 'review')
  if (!enabled || agent.specialist !== undefined || last?.passed !== true || last.from !== REVIEWER) return undefined
  if (last.security === true || isSameModel(agent.model, to, rules)) return undefined
  return {
    trigger: 'review_approved',
    to: { model: to },
    reason: `The review is passed, so ${to} cleans up before it is merged.`,
    evidence: [said(last)],
    key: `review_approved:${last.id}`,
  }
}

export const mergeConflict: Rule = ({ agent, conflict }, { settings }) => {
  const { enabled, specialist } = settings.mergeConflict
  const files = conflict?.files ?? []
  if (!enabled || files.length === 0 || agent.specialist !== undefined) return undefined
  if (settings.specialistsOff.includes(specialist)) return undefined
  return {
    trigger: 'merge_conflict',
    to: { specialist },
    reason: `Its branch conflicts in ${files.length} file${files.length === 1 ? '' : 's'}, so ${specialist} gets it.`,
    evidence: files.slice(0, 10).map((path) => fact('conflict', path)),
    key: `merge_conflict:${files.toSorted().join(',')}`.slice(0, 300),
  }
}

export const ciFailed: Rule = ({ agent, ci }, { settings }) => {
  const { enabled, specialist } = settings.ciFailed
  if (!enabled || ci === undefined || agent.specialist !== undefined) return undefined
  if (settings.specialistsOff.includes(specialist)) return undefined
  return {
    trigger: 'ci_failed',
    to: { specialist },
    reason: `CI failed, so ${specialist} gets it.`,
    evidence: [fact('CI', ci.failed)],
    key: `ci_failed:${ci.failed}`.slice(0, 300),
  }
}

function said({ id, from, says }: WorkReport) {
  return fact('report', `${id} by ${from}${says === undefined ? '' : ` ${title(says)}`}`)
}

const REVIEWER = 'review-agent'

function newest(reports: readonly WorkReport[], about: WorkReport['about']): WorkReport | undefined {
  return reports.findLast((report) => report.about === about)
}
