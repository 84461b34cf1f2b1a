import { expect, test } from 'vitest'
import type { TaskProgressView } from '../../../src/contract/tasks.ts'
import { tasksLine, tasksTitle } from './task-words.ts'

const none = { open: 0, in_progress: 0, blocked: 0, closed: 0 }
const current = { id: 'a', title: 'Build it' }
const next = { id: 'b', title: 'Test it', complexity: 'simple' as const, model: 'haiku', runtime: 'claude-code' }
const seven = { ...none, closed: 3, in_progress: 1, open: 2, blocked: 1 }

test.each<[TaskProgressView | undefined, string, string | undefined]>([
  [undefined, 'tasks not looked at yet', undefined],
  [{ counts: none, total: 0, why: 'bd is not there' }, 'no task list: bd is not there', 'bd is not there'],
  [
    { source: 'beads', counts: none, total: 0, why: 'of 9 tasks there none is of pan-18' },
    'no tasks of its own',
    'of 9 tasks there none is of pan-18',
  ],
  [
    { source: 'beads', counts: seven, total: 7, current, next },
    '3 of 7 tasks, next: Test it',
    'by beads: 3 closed, 1 in progress, 2 open, 1 blocked; now: Build it; next: Test it, simple, for haiku',
  ],
  [
    { source: 'claude-tasks', counts: { ...none, in_progress: 1 }, total: 1, current },
    '0 of 1 task, now: Build it',
    'by claude-tasks: 0 closed, 1 in progress, 0 open, 0 blocked; now: Build it',
  ],
  [
    { source: 'beads', counts: { ...none, blocked: 2 }, total: 2 },
    '0 of 2 tasks, the rest is blocked',
    'by beads: 0 closed, 0 in progress, 0 open, 2 blocked',
  ],
  [
    { source: 'beads', counts: { ...none, closed: 2 }, total: 2 },
    '2 of 2 tasks, all done',
    'by beads: 2 closed, 0 in progress, 0 open, 0 blocked',
  ],
])('%j', (tasks, line, title) => {
  expect([tasksLine(tasks), tasksTitle(tasks)]).toEqual([line, title])
})
