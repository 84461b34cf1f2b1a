/** The one translation from cloister.yaml's keys to what the core decides by. */
import type { Witness } from '../evidence.ts'
import type { RoutingSettings, Settings } from '../settings.ts'
import type { Config } from './schema.ts'
import { toHandoffSettings } from './to-handoff-settings.ts'
import { HEARTBEAT_SOURCES } from './watching.ts'

const WITNESS_OF: Record<(typeof HEARTBEAT_SOURCES)[number], Witness> = {
  jsonl_mtime: 'transcript',
  tmux_activity: 'terminal',
  git_activity: 'git',
}

export function toSettings(config: Config): Settings {
  const { startup, thresholds, auto_actions, monitoring, lifecycle } = config
  return {
    autoStart: startup.auto_start,
    thresholds: {
      staleMs: thresholds.stale * 60_000,
      warningMs: thresholds.warning * 60_000,
      stuckMs: thresholds.stuck * 60_000,
    },
    pokeOnWarning: auto_actions.poke_on_warning,
    pokeText: auto_actions.poke_message,
    interruptOnStuck: auto_actions.interrupt_on_stuck,
    killOnStuck: auto_actions.kill_on_stuck,
    restartOnKill: auto_actions.restart_on_kill,
    restartOnCrash: auto_actions.restart_on_crash,
    nudgeAssigned: auto_actions.nudge_assigned,
    lifecycle: {
      autoSuspend: lifecycle.auto_suspend,
      autoResume: lifecycle.auto_resume,
      specialistIdleMs: lifecycle.specialist_idle_minutes * 60_000,
      workIdleMs: lifecycle.work_agent_idle_minutes * 60_000,
      idleMs: ownIdleTimes(config),
      keepAwake: lifecycle.keep_awake,
      maxResumeUsd: lifecycle.max_resume_usd,
    },
    handoffs: toHandoffSettings(config),
    lookEveryMs: monitoring.check_interval * 1000,
    witnessesOff: HEARTBEAT_SOURCES.filter((source) => !monitoring.heartbeat_sources.includes(source)).map(
      (source) => WITNESS_OF[source],
    ),
    routing: routingOf(config),
  }
}

function routingOf({ model_selection: models, runtimes, specialists }: Config): RoutingSettings {
  const { medium_above_files, complex_above_files, otherwise, tags, keywords } = models.complexity_detection
  return {
    detection: {
      mediumAboveFiles: medium_above_files,
      complexAboveFiles: complex_above_files,
      otherwise,
      tags,
      keywords,
    },
    byComplexity: models.complexity_routing,
    tiers: models.tiers,
    defaultModel: models.default_model,
    runtimes: runtimes.model_routing,
    defaultRuntime: runtimes.default,
    specialists: Object.fromEntries(
      Object.entries(specialists).map(([name, { model, runtime, enabled, auto_wake: autoWake }]) => [
        name,
        { model, runtime, enabled, autoWake },
      ]),
    ),
  }
}

function ownIdleTimes({ specialists }: Config): Record<string, number> {
  return Object.fromEntries(
    Object.entries(specialists).flatMap(([name, { idle_minutes: minutes }]) =>
      minutes === null ? [] : [[name, minutes * 60_000] as const],
    ),
  )
}
