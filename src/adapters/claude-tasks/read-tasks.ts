/** The files of one task list as tasks. A file that cannot be read, as one that is being written, is left out. */
import type { Task, TaskState } from '../../contract/tasks.ts'
import { boundedTask, fieldsOf, type Fields } from '../../core/tasks/bounded-task.ts'

export interface TaskFile {
  text: string
  changedWallAt: number
}

const STATES: Readonly<Record<string, TaskState>> = {
  pending: 'open',
  in_progress: 'in_progress',
  completed: 'closed',
}

export function readTasks(files: readonly TaskFile[]): Task[] {
  const rows = files.map(({ text, changedWallAt }) => ({ fields: parsed(text), changedWallAt }))
  const states = new Map(rows.map(({ fields }) => [fields['id'], stateOf(fields)]))
  return rows.flatMap(({ fields, changedWallAt }) => {
    const state = stateOf(fields)
    // Those that are completed stay in the list of blockers, and those that are deleted, too.
    const waitsFor = listOf(fields['blockedBy']).filter((id) => (states.get(id) ?? 'closed') !== 'closed')
    const metadata = fieldsOf(fields['metadata'])
    const task = boundedTask({
      id: fields['id'],
      title: fields['subject'],
      state: state === 'open' && waitsFor.length > 0 ? 'blocked' : state,
      tags: metadata['tags'] ?? metadata['labels'],
      blockedBy: state === 'closed' ? [] : waitsFor,
      assignee: fields['owner'],
      metadata,
      description: fields['description'],
      changedWallAt,
    })
    return task ?? []
  })
}

function stateOf({ status }: Fields): TaskState {
  return (typeof status === 'string' && Object.hasOwn(STATES, status) ? STATES[status] : undefined) ?? 'open'
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, 1000) : []
}

function parsed(text: string): Fields {
  try {
    return fieldsOf(JSON.parse(text) as unknown)
  } catch {
    return {}
  }
}
