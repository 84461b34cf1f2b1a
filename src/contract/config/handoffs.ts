/** Keys of hand-offs: what triggers one, what needs approval, how many, how long. */
import * as z from 'zod'
import { inEffect, section } from './key.ts'
import { count, minutes, model, seconds, specialistName, usd } from './values.ts'

function enabled(by: boolean) {
  return inEffect('Whether this trigger is on.', z.boolean().default(by))
}

const fromModel = inEffect('Only agents of this tier or model.', model.default('opus'))
const toModel = inEffect('Tier or model that goes on with the work.', model.default('sonnet'))
const toSpecialist = inEffect('Specialist that gets the work.', specialistName.default('test-agent'))

const signal = z
  .strictObject({
    beads_task_closed: z.string().min(1).max(100).optional(),
    prd_file_created: z.boolean().optional(),
    exit_plan_mode: z.boolean().optional(),
  })
  .refine((value) => Object.keys(value).length === 1, 'must have exactly one signal in each list entry')

const planningComplete = section('The plan is done.', {
  enabled: enabled(true),
  detection: inEffect(
    'Signals, one per entry: a task with this word in its title is closed, the PRD file is complete, plan mode was left.',
    z
      .array(signal)
      .min(1)
      .max(10)
      .default([{ beads_task_closed: 'plan' }, { prd_file_created: true }, { exit_plan_mode: true }]),
  ),
  detection_mode: inEffect(
    'any: a closed plan task suffices, without one any other signal; all: every signal is needed.',
    z.enum(['any', 'all']).default('any'),
  ),
  from_model: fromModel,
  to_model: toModel,
})

const stuckEscalation = section('An agent is hung or loops: it is ended, work saved, and a dearer model goes on.', {
  enabled: inEffect(
    'Whether an agent that hangs or loops is ended by itself, work saved, and its work handed on.',
    z.boolean().default(true),
  ),
  to_specialist_first: inEffect(
    'Stuck on tests, review or a conflict goes to that specialist before a dearer model.',
    z.boolean().default(true),
  ),
  thresholds: section('Minutes stuck, by tier.', {
    haiku_to_sonnet_minutes: inEffect('Haiku is handed to Sonnet.', minutes.default(10)),
    sonnet_to_opus_minutes: inEffect('Sonnet is handed to Opus.', minutes.default(20)),
    opus_to_human_minutes: inEffect('Opus asks for a person.', minutes.default(30)),
  }),
})

const autoTriggers = section('What hands work on by itself.', {
  planning_complete: planningComplete,
  implementation_complete: section('All implement tasks of the issue are closed.', {
    enabled: enabled(true),
    beads_task_closed: inEffect(
      'Word in the title of implement tasks.',
      z.string().min(1).max(100).default('implement'),
    ),
    to_specialist: toSpecialist,
  }),
  tests_pass: section(
    'Somebody reported that the tests pass (`pan agents report`; no agent can send that itself yet).',
    { enabled: enabled(true), to_model: toModel },
  ),
  stuck_escalation: stuckEscalation,
  test_failure: section('Tests failed.', {
    enabled: enabled(true),
    trigger_on: inEffect(
      'The first failure, or the second in a row.',
      z.enum(['any_failure', '2_consecutive']).default('any_failure'),
    ),
    from_model: inEffect('Only agents of this tier or model.', model.default('haiku')),
    to_model: toModel,
  }),
  next_task_complexity: section('The next task asks for another model than the present one.', {
    enabled: enabled(true),
  }),
  cost_downgrade: section('An agent became expensive.', {
    enabled: enabled(false),
    threshold_usd: inEffect('Cost of the agent so far.', usd.default(5)),
  }),
  review_approved: section('The review-agent was reported to approve: clean up before the merge-agent merges.', {
    enabled: enabled(false),
    to_model: inEffect('Tier or model that cleans up.', model.default('haiku')),
  }),
  merge_conflict: section('The branch conflicts.', {
    enabled: enabled(true),
    to_specialist: inEffect('Specialist that gets the work.', specialistName.default('merge-agent')),
  }),
  ci_failed: section('Somebody reported that CI failed (`pan agents report`).', {
    enabled: enabled(true),
    to_specialist: inEffect('Specialist that gets the work.', specialistName.default('merge-agent')),
  }),
  security_concern: section(
    'A security concern of the review-agent was reported (`pan agents report`; it cannot send that itself yet).',
    {
      enabled: enabled(true),
      to_model: inEffect('Tier or model that goes on with the work.', model.default('opus')),
    },
  ),
})

const approval = z.enum(['cross_runtime', 'escalate_to_opus', 'downgrade_from_opus'])

export const handoffs = section('Handing work from one model, runtime or session to another.', {
  auto_triggers: autoTriggers,
  require_approval: inEffect('Hand-offs that wait for a person.', z.array(approval).max(3).default(['cross_runtime'])),
  limits: section('How many.', {
    per_issue_per_hour: inEffect(
      'Hand-offs of one issue in an hour at most, context cycles not counted.',
      count.default(3),
    ),
  }),
  timeouts: section('How long each step may take.', {
    state_update_seconds: inEffect('For the agent to write .planning/STATE.md.', seconds.default(60)),
    idle_seconds: inEffect('For the agent to become idle.', seconds.default(30)),
  }),
})
