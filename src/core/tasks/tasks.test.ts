import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SETTINGS } from '../../../tests/samples/agents.ts'
import { agentTasks, TASKS_KEPT, type Task } from '../../contract/tasks.ts'
import { changesTasks } from './changes-tasks.ts'
import { nextTask } from './next-task.ts'
import { ancestorsOf, keptTasks, noTasks, ownTasks, taskListOf } from './own-tasks.ts'
import { progressView, ratedTasks, tasksView } from './tasks-view.ts'

const { routing } = SETTINGS

function task(id: string, given: Partial<Task> = {}): Task {
  return { id, title: `Task ${id}`, state: 'open', tags: [], blockedBy: [], ...given }
}

const epic = task('pan-18', { group: true, complexity: { value: 'expert', from: 'metadata' } })
const LIST: Task[] = [
  epic,
  task('pan-18.1', { parent: 'pan-18', state: 'closed', changedWallAt: 1 }),
  task('pan-18.2', { parent: 'pan-18', state: 'in_progress' }),
  task('pan-18.2.1', { parent: 'pan-18.2', state: 'blocked', blockedBy: ['pan-18.2'] }),
  task('pan-18.3', { parent: 'pan-18', state: 'closed', changedWallAt: 2 }),
  task('x-1', { tags: ['PAN-18'], priority: 3 }),
  task('x-2', { tags: ['issue:pan-18'], priority: 1, title: 'Fix a typo' }),
  task('x-3', { tags: ['pan-180'] }),
  task('x-4', { assignee: 'agent-pan-18', parent: 'e-2', priority: 4 }),
  task('e-2', { group: true }),
]

const ids = (tasks: readonly Task[]) => tasks.map(({ id }) => id)
const mine = ownTasks(LIST, { id: 'agent-pan-18', kind: 'issue', issue: 'pan-18' })

test('of a list that many share, its own are those below its issue, tagged with it, or given to it', () => {
  expect(ids(mine)).toEqual(['pan-18', 'pan-18.1', 'pan-18.2', 'pan-18.2.1', 'pan-18.3', 'x-1', 'x-2', 'x-4', 'e-2'])
  expect(ids(ownTasks(LIST, { id: 'shop-ps', kind: 'project' }))).toEqual(ids(LIST))
  expect(ids(ownTasks(LIST, { id: 'merge-agent', kind: 'specialist' }))).toEqual([])
})

test('what is left to do is kept first, of what is closed the newest', () => {
  const kept = keptTasks('beads', mine)
  expect(kept.counts).toEqual({ open: 3, in_progress: 1, blocked: 1, closed: 2 })
  expect(ids(kept.tasks)).toEqual([
    'pan-18',
    'e-2',
    'pan-18.2',
    'x-1',
    'x-2',
    'x-4',
    'pan-18.2.1',
    'pan-18.3',
    'pan-18.1',
  ])
  const many = Array.from({ length: 500 }, (_, n) => task(`t-${n}`))
  expect(keptTasks('beads', many)).toMatchObject({ counts: { open: 500 }, tasks: { length: TASKS_KEPT } })
  expect(agentTasks.parse(noTasks('x'.repeat(500)))).toMatchObject({ why: 'x'.repeat(400), tasks: [] })
})

test('parents in a circle end', () => {
  const a = task('a', { parent: 'b' })
  const b = task('b', { parent: 'a' })
  expect(ids(ancestorsOf(a, new Map([a, b].map((each) => [each.id, each]))))).toEqual(['b'])
})

test.each<[string, Task[], Pick<Task, 'parent'> | undefined, string | undefined]>([
  ['nothing is left', [task('a', { state: 'closed' })], undefined, undefined],
  [
    'what is blocked or begun is not next',
    [task('a', { state: 'blocked' }), task('b', { state: 'in_progress' })],
    undefined,
    undefined,
  ],
  ['nor is a group', [task('a', { group: true }), task('b')], undefined, 'b'],
  ['the first of the list', [task('b'), task('a')], undefined, 'b'],
  [
    'the most urgent; without a priority it is 2',
    [task('a', { priority: 3 }), task('b'), task('c', { priority: 2 })],
    undefined,
    'b',
  ],
  [
    'others of the same group come first',
    [task('a', { priority: 0 }), task('b', { parent: 'e' })],
    { parent: 'e' },
    'b',
  ],
  ['unless none is left there', [task('a', { priority: 0 }), task('b', { parent: 'f' })], { parent: 'e' }, 'a'],
])('next: %s', (_, tasks, after, id) => {
  expect(nextTask(tasks, routing, after)?.task.id).toBe(id)
})

test('the next task is for the model that its complexity asks for, or that it names', () => {
  const inherits = nextTask([epic, task('a', { parent: 'pan-18' })], routing)
  expect(inherits?.route).toMatchObject({ complexity: 'expert', decidedBy: 'parent', model: 'opus' })
  expect(nextTask([task('a', { title: 'Fix a typo' })], routing)?.route).toMatchObject({ model: 'haiku' })
  expect(nextTask([task('a', { suggestedModel: 'gpt-4' })], routing)?.route).toMatchObject({
    model: 'gpt-4',
    runtime: 'codex',
  })
})

test('whatever the list, the next task is open, no group, and none is more urgent among its siblings', () => {
  const one = fc.record({
    id: fc.uuid(),
    title: fc.string(),
    state: fc.constantFrom<Task['state']>('open', 'in_progress', 'blocked', 'closed'),
    group: fc.constantFrom(undefined, true as const),
    priority: fc.constantFrom(0, 1, 2, 3, 4),
  })
  fc.assert(
    fc.property(fc.array(one), (given) => {
      const tasks = given.map(({ group, ...rest }) => task(rest.id, { ...rest, ...(group ? { group } : {}) }))
      const ready = tasks.filter(({ state, group }) => state === 'open' && group !== true)
      const next = nextTask(tasks, routing)?.task
      expect(next === undefined).toBe(ready.length === 0)
      if (next !== undefined) expect(Math.min(...ready.map(({ priority = 2 }) => priority))).toBe(next.priority)
    }),
  )
})

test('progress is shown with what it does and what comes next', () => {
  expect(progressView(keptTasks('beads', mine), routing)).toEqual({
    source: 'beads',
    counts: { open: 3, in_progress: 1, blocked: 1, closed: 2 },
    total: 7,
    current: { id: 'pan-18.2', title: 'Task pan-18.2' },
    next: { id: 'x-2', title: 'Fix a typo', complexity: 'simple', model: 'haiku', runtime: 'claude-code' },
  })
})

test('kept with it is the complexity of what it does, else of what comes next', () => {
  const easy = task('a', { title: 'Fix a typo' })
  const rated = (tasks: Task[]) => ratedTasks(keptTasks('beads', tasks), routing).complexity
  expect([rated([easy, { ...epic, id: 'b' }]), rated([easy, task('c', { state: 'in_progress' })]), rated([])]).toEqual([
    'simple',
    'medium',
    undefined,
  ])
})

test('each task is shown with whom it is for; without a list it is said why', () => {
  const { tasks, ...rest } = tasksView({ id: 'a', tasks: keptTasks('beads', [task('a', { tags: ['docs'] })]) }, routing)
  expect(tasks[0]?.route).toEqual({ complexity: 'trivial', decidedBy: 'tags', model: 'haiku', runtime: 'claude-code' })
  expect(rest).toMatchObject({ agent: 'a', source: 'beads', total: 1 })
  expect(tasksView({ id: 'a' }, routing)).toMatchObject({
    why: 'its tasks have not been looked at yet',
    total: 0,
    tasks: [],
  })
})

test('the list of its own program has the name of its issue', () => {
  expect([taskListOf({ id: 'agent-pan-18', issue: 'pan-18' }), taskListOf({ id: 'shop-ps' })]).toEqual([
    'pan-18',
    'shop-ps',
  ])
})

test.each([
  [{ tool: 'Bash', action: 'Bash: bd close pan-18.2 --reason done' }, true],
  [{ tool: 'Bash', action: 'Bash: cd app && bd --json update x --claim' }, true],
  [{ tool: 'shell', action: 'shell: bd ready --claim' }, true],
  [{ tool: 'Bash', action: 'Bash: bd list' }, false],
  [{ tool: 'Bash', action: 'Bash: abd close' }, false],
  [{ tool: 'TaskUpdate', action: 'TaskUpdate' }, true],
  [{ action: 'task done: Plan heartbeat' }, true],
  [{ action: 'task: Plan heartbeat' }, true],
  [{ action: 'tasks are fun' }, false],
  [{ action: 'heard: bd close it' }, false],
  [{}, false],
])('%j changes tasks: %s', (activity, changes) => {
  expect(changesTasks({ ts: '', state: 'active', ...activity })).toBe(changes)
})
