/** What a person's own tmux server is asked about its panes, and how its answer is read. */
import type { ForeignPane } from '../../core/ports.ts'

/** A pane of somebody's own server, as a look finds it. */
export interface FoundForeign extends ForeignPane {
  stamp: string
  ageMs: number
}

/** Names may hold anything, a separator too, so that they stand last; a pane that is called so is named by its id. */
const FIELDS = [
  '#{pid}',
  '#{start_time}',
  '#{pane_id}',
  '#{pane_tty}',
  '#{window_activity}',
  '#{history_size}.#{cursor_x}.#{cursor_y}',
  '#{?#{&&:#{window_active},#{pane_active}},session,#{?pane_active,window,pane}}',
  '#{window_index}',
  '#{pane_index}',
  '#{session_name}',
  '#{window_name}',
]
export const FOREIGN_FORMAT = FIELDS.join('|')

const LINE = /^(\d+)\|(\d+)\|(%\d+)\|(\/[^|]*)\|(\d+)\|([\d.]+)\|(session|window|pane)\|(\d+)\|(\d+)\|([^|]*)\|(.*)$/

/** As for our own panes, a second that is not over yet is marked with a «+». */
export function readForeign(stdout: string, socket: string, wallAt: number): FoundForeign[] {
  const panes = new Map<string, FoundForeign>()
  for (const line of stdout.split('\n')) {
    const [, pid, start, id, tty = '', activity, shape, standsFor, ...called] = LINE.exec(line) ?? []
    if (id === undefined) continue
    const [window = '', pane = '', session = '', title = ''] = called
    const activityAt = Number(activity) * 1000
    const names = namesOf({ session, windows: [window, title], pane, standsFor: standsFor ?? 'pane' })
    // A window that is linked into several sessions is listed once for each.
    const before = panes.get(id)
    panes.set(id, {
      socket,
      server: { pid: Number(pid), startTime: Number(start) },
      id,
      tty,
      names: [...(before?.names ?? []), ...names],
      stamp: `${activity}${wallAt - activityAt < 1000 ? '+' : ''}.${shape}`,
      ageMs: Math.max(0, wallAt - activityAt),
    })
  }
  return [...panes.values()]
}

interface Called {
  session: string
  windows: readonly string[]
  pane: string
  /** It is what the whole session, or its window, shows now. */
  standsFor: string
}

/** Exactly, never by a beginning: tmux itself would take `-t wor` for the session `work`. */
function namesOf({ session, windows, pane, standsFor }: Called): string[] {
  const places = [...new Set(windows)].map((window) => `${session}:${window}`)
  return [
    ...(standsFor === 'session' ? [session, `${session}:`] : []),
    ...(standsFor === 'pane' ? [] : places),
    ...places.map((place) => `${place}.${pane}`),
  ]
}
