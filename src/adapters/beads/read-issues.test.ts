import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { task as taskSchema, type Task } from '../../contract/tasks.ts'
import type { Fields } from '../../core/tasks/bounded-task.ts'
import { needsReady, tasksIn } from './read-issues.ts'

const rows = (name: string) =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8')) as Fields[]
const ready = new Set(rows('ready-1.0.5').map(({ id }) => id))

test('reads what bd 1.0.5 printed', () => {
  expect(needsReady(rows('list-1.0.5'))).toBe(true)
  expect(tasksIn(rows('list-1.0.5'), ready)).toEqual<Task[]>([
    {
      id: 'pan-l5l.1',
      title: 'Plan the heartbeat monitor',
      state: 'blocked',
      tags: ['cloister', 'complexity:expert', 'feature', 'planning'],
      parent: 'pan-l5l',
      blockedBy: ['pan-l5l.2'],
      priority: 1,
      complexity: { value: 'expert', from: 'metadata' },
      suggestedModel: 'opus',
      changedWallAt: Date.parse('2026-11-15T18:09:20Z'),
    },
    {
      id: 'pan-l5l',
      title: 'Cloister phase 1',
      state: 'open',
      group: true,
      tags: ['cloister', 'feature'],
      blockedBy: [],
      priority: 1,
      complexity: { value: 'complex', from: 'metadata' },
      changedWallAt: Date.parse('2026-11-15T18:09:19Z'),
    },
    expect.objectContaining({ id: 'pan-l5l.3', state: 'blocked', blockedBy: ['pan-l5l.2'] }) as Task,
    expect.objectContaining({ id: 'pan-l5l.2', state: 'open', parent: 'pan-l5l', blockedBy: [] }) as Task,
  ])
})

test.each<[Fields, Task['state']]>([
  [{ status: 'open' }, 'open'],
  [{ status: 'in_progress' }, 'in_progress'],
  [{ status: 'hooked' }, 'in_progress'],
  [{ status: 'blocked' }, 'blocked'],
  [{ status: 'deferred' }, 'blocked'],
  [{ status: 'pinned' }, 'blocked'],
  [{ status: 'closed' }, 'closed'],
  [{ status: 'shipped', closed_at: '2026-11-15T18:09:20Z' }, 'closed'],
  [{ status: 'in_review', started_at: '2026-11-15T18:09:20Z' }, 'in_progress'],
  [{ status: 'someday' }, 'open'],
  [{ status: 'toString' }, 'open'],
  [{}, 'open'],
])('%j is %s', (row, state) => {
  expect(tasksIn([{ id: 'a-1', ...row }], undefined).map((task) => task.state)).toEqual([state])
})

const blocked = (type: string) => ({ id: 'a', status: 'open', dependencies: [{ depends_on_id: 'b', type }] })

test.each<[string, Fields[], boolean]>([
  ['nothing blocks', [{ id: 'a', status: 'open' }], false],
  ['an open blocker', [blocked('blocks'), { id: 'b', status: 'open' }], true],
  ['a blocker that is not in the list', [blocked('waits-for')], true],
  ['a closed blocker', [blocked('conditional-blocks'), { id: 'b', status: 'closed' }], false],
  ['only related', [blocked('related'), { id: 'b', status: 'open' }], false],
  [
    'a parent on ice',
    [
      { id: 'a', status: 'open', parent: 'b' },
      { id: 'b', status: 'deferred' },
    ],
    true,
  ],
])('with %s, whether bd must be asked what is ready', (_, list, asked) => {
  expect(needsReady(list)).toBe(asked)
})

test('whatever stands in the rows, tasks have their shape', () => {
  const keys = [
    ...['id', 'title', 'status', 'priority', 'issue_type', 'labels', 'metadata', 'dependencies', 'parent'],
    ...['assignee', 'description', 'closed_at', 'updated_at', 'complexity', 'suggested_model', '__proto__'],
  ]
  const value = fc.oneof(fc.anything(), fc.string({ unit: 'binary', maxLength: 500 }), fc.constant('a'))
  const row = fc.dictionary(fc.constantFrom(...keys), value)
  fc.assert(
    fc.property(fc.array(row, { maxLength: 5 }), fc.boolean(), (list, isTold) => {
      needsReady(list)
      for (const each of tasksIn(list, isTold ? new Set(['a']) : undefined)) {
        expect(taskSchema.safeParse(each)).toMatchObject({ success: true })
      }
    }),
  )
})
