import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../tests/samples/agents.ts'
import { houseView, unwatched } from './house-condition.ts'
import { lastStopView } from './last-stop.ts'
import { tellUnseenStop, type UnseenStop } from './unseen-stop.ts'
import { createWorld, type World } from './world.ts'

const NOTE = { person: 'ana', reason: 'wrong branch', askedWallAt: 7, ended: ['agent-1', 'r-2'], found: 3 }
const at = (wallAt: number) => `<${wallAt}>`

function world(change: (house: World['house']) => Partial<World['house']> = () => ({})): World {
  const agents = [
    agentRecord({ id: 'agent-1', lifecycle: 'active' }),
    agentRecord({ id: 'agent-2', lifecycle: 'idle', run: 'r-2' }),
    agentRecord({ id: 'agent-3', lifecycle: 'active' }),
  ]
  const empty = createWorld(SETTINGS, { agents })
  return createWorld(SETTINGS, { agents, house: { ...empty.house, ...change(empty.house) } })
}

const inForce = (house: World['house']): Partial<World['house']> => ({
  emergency: { ...house.emergency, state: 'stopped', by: 'you' },
})

function told(before: World, stop: UnseenStop) {
  tellUnseenStop(before, stop)
  const { emergency } = before.house
  const stopped = lastStopView(before)
  return { state: emergency.state, says: houseView(unwatched(before), at).sentence, startable: stopped?.startable }
}

const BLIND = 'Cannot see the agents: no daemon watches'

test.each<[string, World, UnseenStop, ReturnType<typeof told>]>([
  ['nothing happened', world(), { latched: false }, { state: 'armed', says: BLIND, startable: undefined }],
  [
    'it is in force',
    world(),
    { ...NOTE, latched: true },
    { state: 'stopped', says: 'Stopped at <7> by ana: 2 of 3 ended', startable: ['agent-1', 'agent-2'] },
  ],
  [
    'its file says nothing',
    world(),
    { latched: true },
    { state: 'stopped', says: 'Stopped: the agents were ended', startable: undefined },
  ],
  [
    'its file is of an older version',
    world(),
    { person: 'ana', askedWallAt: 7, latched: true },
    { state: 'stopped', says: 'Stopped: the agents were ended', startable: undefined },
  ],
  [
    'it came and a person resumed',
    world(),
    { ...NOTE, latched: false },
    { state: 'armed', says: BLIND, startable: ['agent-1', 'agent-2'] },
  ],
  [
    'the journal knows of it, and a person resumed',
    world(inForce),
    { latched: false },
    { state: 'armed', says: BLIND, startable: undefined },
  ],
  [
    'the journal knows of it',
    world(inForce),
    { ...NOTE, latched: true },
    { state: 'stopped', says: 'Stopped by you: the agents were ended', startable: undefined },
  ],
])('%s', (_, before, stop, expected) => {
  expect(told(before, stop)).toEqual(expected)
})

test('what a daemon has recorded is not told again, nor is a stop long over forgotten', () => {
  const lastStop = { ...NOTE, by: 'ana', wallAt: 7, of: 2, ended: ['agent-1'], survivors: [], saved: [] }
  const recorded = () => world(() => ({ lastStop: { ...lastStop, questions: [], handoffs: [] } }))
  for (const stop of [{ ...NOTE, latched: false }, { latched: false }]) {
    const before = recorded()
    tellUnseenStop(before, stop)
    expect(before.house).toEqual(recorded().house)
    expect(before.agents.get('agent-1')?.lifecycle).toBe('active')
  }
})

test('what one had asked whom it ended is offered to nobody, and told with the stop', () => {
  const item = {
    id: 'n-1',
    kind: 'waiting',
    agent: 'agent-1',
    sentence: 'It asks.',
    hint: 'Answer it.',
    raisedWallAt: 0,
  } as const
  const doing = { kind: 'permission', what: 'rm -rf build' } as const
  const evidence = { hook: { seenAt: 1, changedAt: 1, doingAt: 1, doing } }
  const asks = agentRecord({ id: 'agent-1', lifecycle: 'active', evidence, needsYou: [item] })
  const before = createWorld(SETTINGS, { agents: [asks] })
  tellUnseenStop(before, { ...NOTE, ended: ['agent-1'], latched: true })
  expect(before.agents.get('agent-1')?.needsYou).toEqual([])
  expect(before.house.lastStop?.questions).toEqual([
    { agent: 'agent-1', sentence: 'agent-1 had asked for permission: rm -rf build' },
  ])
})
