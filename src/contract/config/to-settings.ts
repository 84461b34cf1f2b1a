/** The one translation from cloister.yaml's keys to what the core decides by. */
import type { Witness } from '../evidence.ts'
import type { Settings } from '../settings.ts'
import type { Config } from './schema.ts'
import { HEARTBEAT_SOURCES } from './watching.ts'

const WITNESS_OF: Record<(typeof HEARTBEAT_SOURCES)[number], Witness> = {
  jsonl_mtime: 'transcript',
  tmux_activity: 'terminal',
  git_activity: 'git',
}

export function toSettings(config: Config): Settings {
  const { startup, thresholds, auto_actions, monitoring } = config
  return {
    autoStart: startup.auto_start,
    thresholds: {
      staleMs: thresholds.stale * 60_000,
      warningMs: thresholds.warning * 60_000,
      stuckMs: thresholds.stuck * 60_000,
    },
    pokeOnWarning: auto_actions.poke_on_warning,
    lookEveryMs: monitoring.check_interval * 1000,
    witnessesOff: HEARTBEAT_SOURCES.filter((source) => !monitoring.heartbeat_sources.includes(source)).map(
      (source) => WITNESS_OF[source],
    ),
  }
}
