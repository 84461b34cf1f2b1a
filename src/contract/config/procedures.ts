/** Keys of the longer procedures: costs, context cycle, suspending, continuous runs. */
import * as z from 'zod'
import { ID_PATTERN } from '../ids.ts'
import { inEffect, notYet, section } from './key.ts'
import { count, minutes, seconds, usd } from './values.ts'

export const costTracking = section('What is recorded of costs.', {
  display_enabled: notYet('Show costs in CLI and dashboard.', z.boolean().default(true)),
  log_to_jsonl: notYet('Write logs/costs.jsonl.', z.boolean().default(true)),
})

export const contextCycle = section('Saving, clearing and resuming an agent before its context is full.', {
  enabled: inEffect('Whether the cycle runs by itself.', z.boolean().default(true)),
  threshold_percent: inEffect(
    'Share of the usable context window that begins a cycle.',
    z.number().min(10).max(99).default(85),
  ),
  handoff_timeout_minutes: inEffect('For the agent to write its hand-off file.', minutes.default(5)),
  retries: inEffect('Repeats of a step that failed, before a person is asked.', count.default(1)),
  verify_seconds: inEffect(
    'For an agent that rests after its resume to show that it goes on; one that works has five minutes.',
    seconds.default(60),
  ),
  warn_per_hour: inEffect(
    'Cycles of one agent in an hour that are worth a warning; more than one raise the threshold.',
    count.default(2),
  ),
})

export const lifecycle = section('Suspending agents that wait, and resuming them.', {
  auto_suspend: inEffect('Suspend idle agents.', z.boolean().default(true)),
  auto_resume: inEffect('Resume a suspended agent when work is given to it.', z.boolean().default(true)),
  specialist_idle_minutes: inEffect('Minutes idle until a specialist is suspended.', minutes.default(5)),
  work_agent_idle_minutes: inEffect('Minutes idle until a work agent is suspended.', minutes.default(10)),
  keep_awake: inEffect(
    'Agents that are never suspended by themselves.',
    z.array(z.string().regex(ID_PATTERN, 'is not an agent id')).max(1000).default([]),
  ),
  max_resume_usd: inEffect(
    'An agent whose later resume would cost more than this is not suspended by itself; null is no limit.',
    usd.nullable().default(null),
  ),
})

const approval = z.enum(['delete_files', 'change_orchestrator', 'install_dependencies'])

export const runs = section('Continuous runs: one orchestrator after the other.', {
  max_runs: notYet('Runs in a row at most.', count.min(1).default(10)),
  seconds_between: notYet('Seconds between two runs.', z.number().nonnegative().max(86_400).default(2)),
  cost_ceiling_usd: notYet('Cost of all runs together that ends them; null is no limit.', usd.nullable().default(5)),
  check_in_every_runs: notYet(
    'Wait for a person after this many runs; null never does.',
    count.min(1).nullable().default(null),
  ),
  turns_per_agent: notYet('Turns of one agent in a run at most.', count.min(1).default(6)),
  consensus_percent: notYet('Share of agents that must agree.', z.number().min(1).max(100).default(80)),
  require_approval: notYet(
    'Changes that wait for a person.',
    z.array(approval).max(3).default(['delete_files', 'change_orchestrator', 'install_dependencies']),
  ),
})
