import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { MINUTE } from '../durations.ts'
import { COOLDOWN_MS, isRemindedOut, openTasks, PATIENCE_MS } from './open-tasks.ts'

const LIST: AgentRecord['tasks'] = {
  source: 'beads',
  counts: { open: 2, in_progress: 0, blocked: 0, closed: 3 },
  tasks: ['Parse', 'Print'].map((title, n) => ({
    ...{ id: `t-${n + 1}`, title, state: 'open', tags: [], blockedBy: [] },
  })) as NonNullable<AgentRecord['tasks']>['tasks'],
}
const rests = (given: Partial<AgentRecord> = {}) =>
  agentRecord({ lifecycle: 'idle', lifecycleWhy: 'it finished its turn', tasks: LIST, ...given })
const asked = (agent: AgentRecord, now: number, given: { nudgeAssigned?: boolean; graceAt?: number } = {}) => {
  const { nudgeAssigned = true, graceAt = 0 } = given
  return openTasks({ agent, now, wallAt: now, graceAt, settings: { ...SETTINGS, nudgeAssigned }, chance: () => 0 })
}

test('it is told, by name, of what it could do', () => {
  const { proposal, drafts } = asked(rests(), PATIENCE_MS)
  expect(drafts).toEqual([])
  expect(proposal).toMatchObject({
    kind: 'nudge',
    precedence: 'routing',
    by: 'open tasks',
    reason: 'it rests and 2 tasks of its issue are open: «Parse» (t-1), «Print» (t-2)',
    experiment: { judgeAt: PATIENCE_MS + COOLDOWN_MS },
  })
  expect(proposal?.text).toContain('«Parse» (t-1), «Print» (t-2)')
})

const told = (times: number, lastAt: number, closed = 3) => ({ taskReminders: { times, lastAt, closed } })

test.each<[string, AgentRecord, Parameters<typeof asked>[2], { wakeAt: number | undefined; isTold: boolean }]>([
  ['just came to rest', rests({ lifecycleAt: 59 * MINUTE }), {}, { wakeAt: 61 * MINUTE, isTold: false }],
  ['is watched again since a moment', rests(), { graceAt: 59 * MINUTE }, { wakeAt: 61 * MINUTE, isTold: false }],
  ['was told', rests(told(1, 50 * MINUTE)), {}, { wakeAt: 65 * MINUTE, isTold: false }],
  ['was told long ago', rests(told(2, 45 * MINUTE)), {}, { wakeAt: 60.5 * MINUTE, isTold: true }],
  ['was told three times', rests(told(3, 0)), {}, { wakeAt: undefined, isTold: false }],
  ['closed one since', rests(told(3, 50 * MINUTE, 2)), {}, { wakeAt: 60.5 * MINUTE, isTold: true }],
  ['has reminders off', rests(), { nudgeAssigned: false }, { wakeAt: undefined, isTold: false }],
  ['was cut short', rests({ lifecycleWhy: 'its turn was cut short' }), {}, { wakeAt: undefined, isTold: false }],
  ['works', rests({ lifecycle: 'active' }), {}, { wakeAt: undefined, isTold: false }],
  ['sleeps', rests({ lifecycle: 'suspended' }), {}, { wakeAt: undefined, isTold: false }],
  [
    'has other work',
    rests({ assignment: { what: 'x', by: 'you', at: 0, nudges: 0 } }),
    {},
    { wakeAt: undefined, isTold: false },
  ],
  ['is handed over', rests({ handoff: { id: 'h-1' } as never }), {}, { wakeAt: undefined, isTold: false }],
  ['has no list', rests({ tasks: { ...LIST, source: undefined } as never }), {}, { wakeAt: undefined, isTold: false }],
])('one that %s', (_, agent, given, expected) => {
  const { wakeAt, proposal } = asked(agent, 60 * MINUTE, given)
  expect({ wakeAt, isTold: proposal !== undefined }).toEqual(expected)
})

test.each<[string, AgentRecord, boolean, boolean]>([
  ['told three times', rests(told(3, 0)), false, true],
  ['told three times, the last just now', rests(told(3, 59 * MINUTE)), false, false],
  ['told twice', rests(told(2, 0)), false, false],
  ['asleep since', rests({ ...told(3, 0), lifecycle: 'suspended' }), false, true],
  ['at work since', rests({ ...told(3, 0), lifecycle: 'active' }), false, false],
  ['put away by a person', rests({ taskReminders: { times: 3, closed: 3, acknowledged: true } }), false, false],
  ['told nothing, since that is off', rests(), true, true],
  ['cut short, and that is off', rests({ lifecycleWhy: 'it was interrupted' }), true, false],
  ['done', rests({ ...told(3, 0), tasks: { ...LIST, tasks: [] } }), false, false],
])('whether a person is asked: %s', (_, agent, isOff, expected) => {
  expect(isRemindedOut(agent, { now: 60 * MINUTE, graceAt: 0, isOff })).toBe(expected)
})
