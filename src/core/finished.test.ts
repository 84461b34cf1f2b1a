import { describe, expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../tests/samples/agents.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { Event } from '../contract/events.ts'
import type { Task } from '../contract/tasks.ts'
import { finishedBrief, isFinished, isToBeSeen, whyItRests, whyItRestsAtOnce } from './finished.ts'
import { fold } from './fold.ts'
import { createWorld } from './world.ts'

const resting: Partial<AgentRecord> = { lifecycle: 'idle', lifecycleWhy: 'it finished its turn' }
const task = (given: Partial<Task>): Task => ({
  ...{ id: 't-1', title: 'Parse', state: 'open', tags: [], blockedBy: [] },
  ...given,
})
const tasks = (...list: Partial<Task>[]): AgentRecord['tasks'] => ({
  source: 'beads',
  counts: { open: 1, in_progress: 0, blocked: 0, closed: 0 },
  tasks: list.map(task),
})
const message = { id: 'm-1', by: 'you', text: 'Go.', generation: 1, attempts: 0, queuedAt: 0, queuedWallAt: 0 }
const item = (kind: 'handoff' | 'undelivered') => ({ id: 'n-1', kind, sentence: '', hint: '', raisedWallAt: 0 })

test.each<[string, Partial<AgentRecord>, boolean]>([
  ['rests after a turn of its own', {}, true],
  ['works', { lifecycle: 'active' }, false],
  ['sleeps, and nobody noted it before', { lifecycle: 'suspended' }, false],
  ['waits for its first prompt', { lifecycleWhy: 'it waits for its first prompt' }, false],
  ['was cut short', { lifecycleWhy: 'its turn was cut short' }, false],
  ['was interrupted', { lifecycleWhy: 'it was interrupted' }, false],
  ['came to rest as ordered', { lifecycleWhy: 'it came to rest as ordered' }, false],
  ['is a specialist', { kind: 'specialist' }, false],
  ['is of a project', { kind: 'project' }, true],
  ['was adopted', { adopted: { allow: [], leader: { pid: 1, startTime: 1 } } as never }, false],
  ['has work that waits', { assignment: { what: 'x', by: 'you', at: 0, nudges: 0 } }, false],
  ['has a message that waits', { messages: [{ ...message, state: 'queued' }] as never }, false],
  ['has heard its message', { messages: [{ ...message, state: 'heard' }] as never }, true],
  ['has an act under way', { act: { kind: 'nudge' } as never }, false],
  ['is handed over', { handoff: { id: 'h-1' } as never }, false],
  ['has lent its work', { lent: { to: 'test-agent' } as never }, false],
  ['is limited', { limit: { tries: 0 } as never }, false],
  ['was poked and answered in words', { episode: { openedAt: 5, pokes: 1, lastPokeAt: 6, exhausted: false } }, false],
  [
    'was poked, and a person talks to it since',
    { episode: { openedAt: 5, pokes: 1, lastPokeAt: 6, exhausted: false }, trail: { steps: [], turnAt: 7 } },
    true,
  ],
  ['was only slow', { episode: { openedAt: 5, pokes: 0, exhausted: false } }, true],
  [
    'was poked, and worked since',
    { episode: { openedAt: 5, pokes: 1, lastPokeAt: 6, exhausted: false }, progressedAt: 9 },
    true,
  ],
  ['was poked in vain', { episode: { openedAt: 5, pokes: 3, exhausted: true } }, false],
  ['waits for who goes on', { needsYou: [item('handoff')] }, false],
  ['has a message that was not delivered', { needsYou: [item('undelivered')] }, true],
  ['has a task to do', { tasks: tasks({}) }, false],
  ['has a task under way', { tasks: tasks({ state: 'in_progress' }) }, false],
  ['has a blocked task', { tasks: tasks({ state: 'blocked' }) }, true],
  ['has a task that waits for another', { tasks: tasks({ blockedBy: ['t-2'] }) }, true],
  ['has a closed task', { tasks: tasks({ state: 'closed' }) }, true],
  ['has only a group', { tasks: tasks({ group: true }) }, true],
  ["has somebody else's task", { tasks: tasks({ assignee: 'agent-pan-19' }) }, true],
  ['has a task of its own name', { tasks: tasks({ assignee: 'agent-pan-18' }) }, false],
  ['is of a project with open tasks', { kind: 'project', tasks: tasks({}) }, true],
])('an agent that %s', (_, given, expected) => {
  expect(isFinished(agentRecord({ ...resting, ...given }))).toBe(expected)
})

describe('why it rests', () => {
  const hook = (kind: 'thinking' | 'limited' | 'starting') => ({
    evidence: { hook: { seenAt: 1, changedAt: 1, doing: { kind }, doingAt: 1 } },
  })
  test.each<[string, Partial<AgentRecord>, { objects?: true }, string]>([
    ['a turn', hook('thinking'), {}, 'it finished its turn'],
    ['a limit', hook('limited'), {}, 'its turn was cut short'],
    ['what no hook said', hook('thinking'), { objects: true }, 'its turn was cut short'],
    ['what no hook said, where none speaks', {}, { objects: true }, 'it waits for its first prompt'],
    ['an interrupt of ours', { ...hook('thinking'), act: { kind: 'interrupt' } as never }, {}, 'it was interrupted'],
    ['an order', { ...hook('thinking'), act: { kind: 'rest' } as never }, {}, 'it came to rest as ordered'],
    ['its start', hook('starting'), {}, 'it waits for its first prompt'],
  ])('after %s', (_, given, said, expected) => {
    const before = agentRecord(given)
    expect(whyItRests(before, before, { ...said, wallAt: 0 })).toBe(expected)
  })

  test('one that was told something, and was not seen to work, finished its turn', () => {
    expect(whyItRestsAtOnce(agentRecord({ trail: { steps: [], turnAt: 1 } }))).toBe('it finished its turn')
    expect(whyItRestsAtOnce(agentRecord({ trail: { steps: [], progressUsd: 0 } }))).toBe(
      'it waits for its first prompt',
    )
  })
})

describe('the list', () => {
  const stamp = { at: 5_000, observedAt: 50, agent: 'agent-pan-18', generation: 1 }
  const after = (...events: object[]): AgentRecord => {
    const world = createWorld(SETTINGS, { agents: [agentRecord(resting)] })
    for (const [n, event] of events.entries()) fold(world, { seq: n + 1, ...stamp, ...event } as Event)
    return world.agents.get('agent-pan-18') ?? agentRecord()
  }
  const done = { type: 'agent.finished', restedAt: 20, restedWallAt: 4_970 }
  const lifecycle = (to: string) => ({ type: 'agent.lifecycle-changed', from: 'idle', to, why: 'x' })
  const decided = (act: object) => ({ type: 'act.decided', citations: [], act: { generation: 1, ...act } })

  test.each<[string, object[], boolean]>([
    ['noted', [done], true],
    ['asleep', [done, lifecycle('suspended')], true],
    ['dead by itself', [done, lifecycle('stopped')], true],
    ['looked at', [done, { type: 'agent.finished-seen', by: 'you' }], false],
    ['at work again', [done, lifecycle('active')], false],
    ['at work and at rest again', [done, lifecycle('active'), lifecycle('idle')], false],
    ['woken', [done, decided({ kind: 'resume', precedence: 'human' })], false],
    ['killed by a person', [done, decided({ kind: 'kill', precedence: 'human' })], false],
    ['suspended by a rule', [done, decided({ kind: 'suspend', precedence: 'idle' })], true],
    ['given work', [done, { type: 'work.assigned', assignment: { what: 'x', by: 'you', at: 0, nudges: 0 } }], false],
  ])('one that is %s', (_, events, expected) => {
    expect(isToBeSeen(after(...events))).toBe(expected)
  })

  test('when it slept and woke is kept', () => {
    const woken = { ...lifecycle('active'), from: 'suspended', at: 9_000 }
    expect(after(lifecycle('suspended'))).toMatchObject({ suspendedWallAt: 5_000 })
    expect(after(lifecycle('suspended'), woken)).toMatchObject({ suspendedWallAt: 5_000, resumedWallAt: 9_000 })
    expect(after(lifecycle('active'))).not.toHaveProperty('resumedWallAt')
  })

  test('what is told of it', () => {
    const run = { runner: 'vitest', result: 'passed', why: 'it says that 9 passed' } as const
    const finished = { at: 20, wallAt: 4_970 }
    const evidence = { git: { seenAt: 1, changedAt: 1, branch: 'feature/pan-18' } }
    const agent = agentRecord({ ...resting, finished, evidence, signals: { tests: [run] }, title: 'Parse' })
    expect(finishedBrief(agent)).toEqual({
      agent: 'agent-pan-18',
      issue: 'pan-18',
      title: 'Parse',
      wallAt: 4_970,
      finishedAt: '1970-01-01T00:00:04.970Z',
      lifecycle: 'idle',
      model: 'sonnet',
      branch: 'feature/pan-18',
      tests: run,
    })
  })
})
