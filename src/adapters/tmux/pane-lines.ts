/** What tmux is asked about every pane, and how its answer is read. A line that is not one of ours is passed over. */
import { ID_PATTERN } from '../../contract/ids.ts'
import type { Pane } from '../../core/ports.ts'

/** A pane and all that makes sure it is this one: ids repeat after a restart of the server. */
export interface FoundPane extends Pane {
  serverPid: number
  serverStartedAt: string
  /** `%3` */
  paneId: string
}

/** Nothing in it can be text of a program, and a separator inside a value makes the line one field too long. */
const FIELDS = [
  '#{@cloister_home}',
  '#{@cloister_agent}',
  '#{@cloister_generation}',
  '#{@cloister_run}',
  '#{pid}',
  '#{start_time}',
  '#{pane_id}',
  '#{pane_dead}',
  '#{pane_dead_status}',
  '#{pane_dead_signal}',
  '#{window_activity}',
  '#{history_size}.#{cursor_x}.#{cursor_y}',
]
export const PANE_FORMAT = FIELDS.join('|')

const DIGITS = /^\d+$/

/**
 * tmux counts activity in whole seconds. While such a second was not over when it was asked (`wallAt`), more may
 * have been printed in it unseen, so the stamp says so with a «+» and is another one at the next look.
 */
export function readPanes(stdout: string, homeId: string, wallAt: number): FoundPane[] {
  return stdout.split('\n').flatMap((line) => readPane(line.split('|'), homeId, wallAt) ?? [])
}

function readPane(fields: readonly string[], homeId: string, wallAt: number): FoundPane | undefined {
  const [home, agent = '', generation = '', run = '', pid = '', startedAt = '', paneId = '', ...rest] = fields
  const [dead, status = '', signal = '', activity = '', shape = ''] = rest
  if (fields.length !== FIELDS.length || home !== homeId) return undefined
  if (!ID_PATTERN.test(agent) || !ID_PATTERN.test(run)) return undefined
  if (![generation, pid, startedAt, activity].every((number) => DIGITS.test(number))) return undefined
  const activityAt = Number(activity) * 1000
  return {
    agent,
    generation: Number(generation),
    run,
    stamp: `${activity}${wallAt - activityAt < 1000 ? '+' : ''}.${shape}`,
    ageMs: Math.max(0, wallAt - activityAt),
    dead: dead === '1',
    ...exitCode(status, signal),
    serverPid: Number(pid),
    serverStartedAt: startedAt,
    paneId,
  }
}

/** As a shell says it: an exit code, or 128 and the number of the signal. */
function exitCode(status: string, signal: string): { exitCode?: number } {
  if (DIGITS.test(status)) return { exitCode: Number(status) }
  return DIGITS.test(signal) ? { exitCode: 128 + Number(signal) } : {}
}
