/** Issues of beads as tasks. What `bd ready` leaves out is blocked, whatever the reason is. */
import type { Task, TaskState } from '../../contract/tasks.ts'
import { boundedTask, fieldsOf, type Fields } from '../../core/tasks/bounded-task.ts'

/** Dependencies that keep an issue from being begun. */
const GATING: readonly unknown[] = ['blocks', 'conditional-blocks', 'waits-for']

const STATES: Readonly<Record<string, TaskState>> = {
  open: 'open',
  in_progress: 'in_progress',
  hooked: 'in_progress',
  blocked: 'blocked',
  // Put on ice: it waits for somebody to take it up again.
  deferred: 'blocked',
  pinned: 'blocked',
  closed: 'closed',
}

/** Whether readiness cannot be told from the list alone. */
export function needsReady(rows: readonly Fields[]): boolean {
  const states = statesOf(rows)
  return rows.some(
    (row) =>
      states.get(row['id']) === 'open' &&
      (openBlockers(row, states).length > 0 || states.get(row['parent']) === 'blocked'),
  )
}

/** `ready` are the ids that may be begun; undefined when all that is open may. */
export function tasksIn(rows: readonly Fields[], ready: ReadonlySet<unknown> | undefined): Task[] {
  const states = statesOf(rows)
  return rows.flatMap((row) => {
    const state = states.get(row['id']) ?? 'open'
    const group = row['issue_type'] === 'epic'
    const isHeld = state === 'open' && !group && ready !== undefined && !ready.has(row['id'])
    const task = boundedTask({
      id: row['id'],
      title: row['title'],
      state: isHeld ? 'blocked' : state,
      group,
      tags: row['labels'] ?? row['tags'],
      parent: row['parent'] ?? parentEdge(row),
      blockedBy: state === 'closed' ? [] : openBlockers(row, states),
      priority: row['priority'],
      assignee: row['assignee'],
      metadata: row['metadata'],
      fields: row,
      description: row['description'],
      changedWallAt: instantOf(row['closed_at'] ?? row['updated_at']),
    })
    return task ?? []
  })
}

function statesOf(rows: readonly Fields[]): Map<unknown, TaskState> {
  return new Map(rows.map((row) => [row['id'], stateOf(row)]))
}

/** A status of somebody's own is known by what beads notes beside it. */
function stateOf({ status, closed_at: closedAt, started_at: startedAt }: Fields): TaskState {
  const known = typeof status === 'string' && Object.hasOwn(STATES, status) ? STATES[status] : undefined
  if (known !== undefined) return known
  if (typeof closedAt === 'string' && closedAt !== '') return 'closed'
  return typeof startedAt === 'string' && startedAt !== '' ? 'in_progress' : 'open'
}

function openBlockers(row: Fields, states: ReadonlyMap<unknown, TaskState>): unknown[] {
  return edgesOf(row)
    .filter(({ type }) => GATING.includes(type))
    .map(({ depends_on_id: id }) => id)
    .filter((id) => states.get(id) !== 'closed')
}

function parentEdge(row: Fields): unknown {
  return edgesOf(row).find(({ type }) => type === 'parent-child')?.['depends_on_id']
}

function edgesOf({ dependencies }: Fields): Fields[] {
  return Array.isArray(dependencies) ? dependencies.slice(0, 1000).map(fieldsOf) : []
}

function instantOf(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
