/** The one translation of the keys of hand-offs to what the core decides by. */
import type { HandoffSettings } from '../handoff-settings.ts'
import type { Config } from './schema.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

export function toHandoffSettings(config: Config): HandoffSettings {
  const { handoffs, model_selection, context_cycle, specialists } = config
  const { auto_triggers: triggers, timeouts } = handoffs
  const { escalation } = model_selection
  return {
    ...triggerSettings(triggers),
    requireApproval: handoffs.require_approval,
    perIssuePerHour: handoffs.limits.per_issue_per_hour,
    maxEscalations: escalation.max_escalations,
    autoEscalate: escalation.auto_escalate,
    restMs: timeouts.idle_seconds * SECOND,
    saveMs: timeouts.state_update_seconds * SECOND,
    cycle: {
      enabled: context_cycle.enabled,
      threshold: context_cycle.threshold_percent / 100,
      writeMs: context_cycle.handoff_timeout_minutes * MINUTE,
      retries: context_cycle.retries,
      verifyMs: context_cycle.verify_seconds * SECOND,
      warnPerHour: context_cycle.warn_per_hour,
    },
    specialistsOff: Object.entries(specialists)
      .filter(([, { enabled }]) => !enabled)
      .map(([name]) => name),
  }
}

type Triggers = Config['handoffs']['auto_triggers']

function triggerSettings(triggers: Triggers) {
  const { planning_complete: planning, stuck_escalation: stuck, test_failure: failure } = triggers
  const { thresholds } = stuck
  return {
    planningComplete: {
      enabled: planning.enabled,
      taskWords: planning.detection.flatMap(({ beads_task_closed }) => beads_task_closed ?? []),
      planFile: planning.detection.some(({ prd_file_created }) => prd_file_created === true),
      exitPlanMode: planning.detection.some(({ exit_plan_mode }) => exit_plan_mode === true),
      mode: planning.detection_mode,
      from: planning.from_model,
      to: planning.to_model,
    },
    implementationComplete: {
      enabled: triggers.implementation_complete.enabled,
      taskWord: triggers.implementation_complete.beads_task_closed,
      specialist: triggers.implementation_complete.to_specialist,
    },
    testsPass: { enabled: triggers.tests_pass.enabled, to: triggers.tests_pass.to_model },
    stuck: {
      enabled: stuck.enabled,
      specialistFirst: stuck.to_specialist_first,
      haikuMs: thresholds.haiku_to_sonnet_minutes * MINUTE,
      sonnetMs: thresholds.sonnet_to_opus_minutes * MINUTE,
      opusMs: thresholds.opus_to_human_minutes * MINUTE,
    },
    testFailure: { enabled: failure.enabled, on: failure.trigger_on, from: failure.from_model, to: failure.to_model },
    nextTask: { enabled: triggers.next_task_complexity.enabled },
    costDowngrade: { enabled: triggers.cost_downgrade.enabled, thresholdUsd: triggers.cost_downgrade.threshold_usd },
    reviewApproved: { enabled: triggers.review_approved.enabled, to: triggers.review_approved.to_model },
    mergeConflict: { enabled: triggers.merge_conflict.enabled, specialist: triggers.merge_conflict.to_specialist },
    ciFailed: { enabled: triggers.ci_failed.enabled, specialist: triggers.ci_failed.to_specialist },
    securityConcern: { enabled: triggers.security_concern.enabled, to: triggers.security_concern.to_model },
  }
}
