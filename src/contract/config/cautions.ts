/** What settings that are valid do beyond what their key says: said by `pan config validate`, before anybody wonders. */
import type { Config } from './schema.ts'
import { isToCome } from './values.ts'
import { HEARTBEAT_SOURCES } from './watching.ts'

/** One sentence each. */
export function cautionsOf(config: Config): string[] {
  return [...sourcesOff(config), ...runtimesToCome(config)]
}

/** What else goes with a source that is left out. */
export const ALSO_OFF: Record<(typeof HEARTBEAT_SOURCES)[number], string> = {
  jsonl_mtime:
    'how full the context is where no status line tells it, requests that are sent again, and turns that were cut short without a hook',
  tmux_activity: 'a terminal that was lost, and the exit code of a program that ended in it',
  git_activity:
    'commits and changed files as progress, the branch on cards and in lists, merge_conflict, ' +
    'planning_complete by prd_file_created, and a conflict as what an agent is stuck on',
}

function sourcesOff({ monitoring }: Config): string[] {
  return HEARTBEAT_SOURCES.filter((source) => !monitoring.heartbeat_sources.includes(source)).map(
    (source) => `monitoring.heartbeat_sources without ${source} also switches off: ${ALSO_OFF[source]}.`,
  )
}

/** Named by the settings and not built yet; that a model of such a runtime is merely known is nothing to say. */
function runtimesToCome({ runtimes, specialists, model_selection: models }: Config): string[] {
  const routes = Object.entries(models.complexity_routing).map(
    ([name, route]) => [`model_selection.complexity_routing.${name}`, runtimeOf(route, runtimes)] as const,
  )
  const named = [
    ['runtimes.default', runtimes.default] as const,
    ...routes,
    ...Object.entries(specialists).map(
      ([name, { model, runtime }]) => [`specialists.${name}`, runtime ?? runtimeOf(model, runtimes)] as const,
    ),
  ]
  return named
    .filter(([, runtime]) => isToCome(runtime))
    .map(
      ([key, runtime]) => `${key} names the runtime ${runtime}, which is not there yet: claude-code is used instead.`,
    )
}

function runtimeOf(route: string | { model: string; runtime: string }, runtimes: Config['runtimes']): string {
  if (typeof route !== 'string') return route.runtime
  const { model_routing: byModel, default: usual } = runtimes
  return Object.hasOwn(byModel, route) ? (byModel[route] ?? usual) : usual
}
