import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import { handoffRecord } from '../../../tests/samples/handoffs.ts'
import type { HandoffState } from '../../contract/handoffs.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Task } from '../../contract/tasks.ts'
import { HOUR, MINUTE } from '../durations.ts'
import { contextAdvice, cycleOutlook, STAGGER_MS } from './context.ts'

const NOW = 10 * HOUR
const settings = SETTINGS.handoffs.cycle

/** Of 200,000 tokens 180,000 can be used, so that 153,000 are 85 %. */
function full(tokens: number, given: Partial<AgentRecord> = {}): AgentRecord {
  return agentRecord({ gauges: { context: { tokens, window: 200_000, source: 'status_line' } }, ...given })
}

function cycleAt(startedAt: number, state: HandoffState = 'done') {
  const cycle = { document: '.bmad/handoffs/handoff-2026-01-20-22-00-abcd.md', nonce: 'abcd', tries: {} }
  return { ...handoffRecord(), method: 'context_cycle' as const, cycle, state, startedAt, endedAt: startedAt + MINUTE }
}

const task = (id: string, state: Task['state'], given: Partial<Task> = {}): Task => ({
  ...{ id, title: id, state, tags: [], blockedBy: [] },
  ...given,
})
const tasks = (...list: Task[]) => ({
  counts: { open: 0, in_progress: 0, blocked: 0, closed: 0 },
  source: 'beads' as const,
  tasks: list,
})
/** 5,000 tokens a minute: 85 % in a few minutes. */
const growing = [0, 5, 10, 15, 20].map((k) => ({ at: NOW - (20 - k) * MINUTE, tokens: 40_000 + 5_000 * k }))

const begins = (from: string, to: string) => ({
  want: 'cycle',
  reason: `its context is ${from} full, and from ${to} on it begins a fresh one`,
})
const nothing = { want: 'nothing' }

test.each<[string, AgentRecord, object]>([
  ['exactly 85 %', full(153_000), begins('85 %', '85 %')],
  ['one token less', full(152_999), nothing],
  ['from little to much in one look', full(176_400), begins('98 %', '85 %')],
  [
    'a window that is not known',
    agentRecord({ gauges: { context: { tokens: 900_000, source: 'transcript' } } }),
    nothing,
  ],
  ['no word of it', agentRecord(), nothing],
  ['one that rests and has nothing to do', full(160_000, { lifecycle: 'idle' }), nothing],
  [
    'one that rests, and a task waits',
    full(160_000, { lifecycle: 'idle', tasks: tasks(task('a', 'open')) }),
    begins('88.8 %', '85 %'),
  ],
  [
    'one that rests, and all tasks are blocked',
    full(160_000, { lifecycle: 'idle', tasks: tasks(task('a', 'blocked')) }),
    nothing,
  ],
  ['a second one in the hour', full(153_000, { handoffs: [cycleAt(NOW - 30 * MINUTE)] }), begins('85 %', '85 %')],
  [
    'a third one in the hour',
    full(160_199, { handoffs: [cycleAt(NOW - 30 * MINUTE), cycleAt(NOW - 10 * MINUTE)] }),
    nothing,
  ],
  [
    'a third one in the hour, at what holds then',
    full(160_200, { handoffs: [cycleAt(NOW - 30 * MINUTE), cycleAt(NOW - 12 * MINUTE)] }),
    begins('89 %', '89 %'),
  ],
  [
    'full again at once: a third one waits',
    full(180_000, { handoffs: [cycleAt(NOW - 8 * MINUTE), cycleAt(NOW - 6 * MINUTE)] }),
    { want: 'nothing', wakeAt: NOW + 5 * MINUTE },
  ],
  [
    'and a fourth longer',
    full(180_000, { handoffs: [cycleAt(NOW - 30 * MINUTE), cycleAt(NOW - 8 * MINUTE), cycleAt(NOW - 6 * MINUTE)] }),
    { want: 'nothing', wakeAt: NOW + 15 * MINUTE },
  ],
  [
    'after one that failed, it waits',
    full(160_000, { handoffs: [cycleAt(NOW - 5 * MINUTE, 'rolled_back')] }),
    { want: 'nothing', wakeAt: NOW + 6 * MINUTE },
  ],
  [
    'after two that failed, longer',
    full(160_000, { handoffs: [cycleAt(NOW - HOUR, 'rolled_back'), cycleAt(NOW - 5 * MINUTE, 'cancelled')] }),
    { want: 'nothing', wakeAt: NOW + 16 * MINUTE },
  ],
  [
    'what failed before one that was done does not count',
    full(160_000, { handoffs: [cycleAt(NOW - 3 * HOUR, 'rolled_back'), cycleAt(NOW - 2 * HOUR)] }),
    begins('88.8 %', '85 %'),
  ],
  [
    'between two tasks, when it is forecast within the next one',
    full(140_000, { fills: growing, tasks: tasks(task('a', 'closed'), task('b', 'open')) }),
    {
      want: 'cycle',
      reason:
        'its context is 77.7 % full. The threshold is forecast in 2 min, and a task takes about 15 min: it is better now, between two of them',
    },
  ],
  [
    'in the middle of a task',
    full(140_000, { fills: growing, tasks: tasks(task('a', 'in_progress'), task('b', 'open')) }),
    nothing,
  ],
  [
    'between two tasks that are short',
    full(140_000, {
      fills: growing,
      tasks: tasks(
        task('a', 'closed', { changedWallAt: 0 }),
        task('b', 'closed', { changedWallAt: MINUTE }),
        task('c', 'open'),
      ),
    }),
    nothing,
  ],
])('%s', (_, agent, expected) => {
  expect(contextAdvice({ agent, now: NOW, settings, lastBegunAt: () => undefined })).toEqual(expected)
})

test('another one that began just now puts it off, and switched off nothing begins', () => {
  const given = { agent: full(160_000), now: NOW, settings, lastBegunAt: () => NOW - 1_000 }
  expect(contextAdvice(given)).toEqual({ want: 'nothing', wakeAt: NOW - 1_000 + STAGGER_MS })
  expect(contextAdvice({ ...given, now: NOW - 1_000 + STAGGER_MS })).toMatchObject({ want: 'cycle' })
  expect(contextAdvice({ ...given, now: NOW + HOUR, settings: { ...settings, enabled: false } })).toEqual(nothing)
})

test('the outlook: how full, from when on, and when that will be', () => {
  expect(cycleOutlook(full(140_000, { fills: growing }), NOW, settings)).toEqual({
    fill: 140_000 / 180_000,
    share: 0.85,
    tokensPerMinute: 5_000,
    dueAt: NOW + 2.6 * MINUTE,
  })
  expect(cycleOutlook(full(140_000), NOW, settings)).toEqual({ fill: 140_000 / 180_000, share: 0.85 })
})
