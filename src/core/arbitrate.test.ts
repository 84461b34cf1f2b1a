import { describe, expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../tests/samples/agents.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { HouseRecord } from '../contract/house-record.ts'
import { PRECEDENCE, type Act } from '../contract/acts.ts'
import { arbitrate, MAX_AUTOMATIC_ACTS, outranks, strongest } from './arbitrate.ts'
import type { Proposal } from './proposals.ts'
import { createWorld, type World } from './world.ts'

function proposal(given: Partial<Proposal> = {}): Proposal {
  return { kind: 'poke', precedence: 'stuck', by: 'attention', reason: 'silent', citations: [], ...given }
}

const byPerson = { precedence: 'human', by: 'you' } as const

function underWay(kind: Act['kind'], precedence: Act['precedence']): Act {
  const times = { attempts: 1, decidedAt: 0, deadlineAt: 60_000 }
  return { kind, effect: 'e-1', step: 'doing', generation: 1, precedence, by: 'you', reason: 'x', ...times }
}

const working = { hook: { seenAt: 0, changedAt: 0, doing: { kind: 'thinking' } as const, doingAt: 0 } }

/** A house that trusts its own eyes. */
function world(house: Partial<HouseRecord> = {}): World {
  const made = createWorld(SETTINGS)
  made.house = { ...made.house, ...house }
  made.observer.looksOwed = 0
  return made
}

function ruling(agent: Partial<AgentRecord>, given: Partial<Proposal>, house: Partial<HouseRecord> = {}): string {
  const answer = arbitrate(world(house), agentRecord({ evidence: working, ...agent }), proposal(given))
  return answer.go ? 'go' : `${answer.refusal.code}: ${answer.refusal.sentence}`
}

test('precedence is the written list', () => {
  expect(PRECEDENCE).toEqual(['emergency', 'human', 'budget', 'context', 'crash', 'stuck', 'routing', 'idle'])
  expect(outranks('human', 'budget')).toBe(true)
  expect(outranks('stuck', 'crash')).toBe(false)
  expect(outranks('stuck', 'stuck')).toBe(false)
})

test('the strongest proposal is kept, the first of equals', () => {
  const [routing, stuck, again] = [{ precedence: 'routing' }, { by: 'first' }, { by: 'second' }].map((each) =>
    proposal(each as Partial<Proposal>),
  )
  expect(strongest([routing, undefined, stuck, again])).toBe(stuck)
  expect(strongest([undefined])).toBeUndefined()
})

describe('what lets an act through, row by row', () => {
  const dialog = { hook: { seenAt: 0, changedAt: 0, doing: { kind: 'question', what: '?' } as const, doingAt: 0 } }
  const dead = { process: { seenAt: 0, changedAt: 0, alive: false } }
  const starting = { hook: { seenAt: 0, changedAt: 0, doing: { kind: 'starting' } as const, doingAt: 0 } }
  const STARTING = 'busy: agent-pan-18 is starting and cannot be typed to yet'
  const lost = { terminal: { seenAt: 0, changedAt: 0, alive: true, lost: true as const } }
  const latched: Partial<HouseRecord> = { emergency: { state: 'stopped', attempts: 1, survivors: [] } }
  const mass = { mass: { sinceAt: 0, agents: [] } }

  test.each<[string, Partial<AgentRecord>, Partial<Proposal>, Partial<HouseRecord>, string]>([
    ['a rule pokes', {}, {}, {}, 'go'],
    ['a rule, paused', {}, {}, { monitoring: 'paused' }, 'busy: monitoring is paused'],
    ['a person, paused', {}, byPerson, { monitoring: 'paused' }, 'go'],
    ['a rule, mass event', {}, {}, mass, 'busy: several agents are in trouble at once'],
    ['a person, mass event', {}, byPerson, mass, 'go'],
    ['a rule, stopped by a person', { wanted: 'stop' }, {}, {}, 'busy: a person stopped it'],
    ['a rule, latched', {}, {}, latched, 'emergency: an emergency stop is in force'],
    ['a person, latched', {}, byPerson, latched, 'emergency: an emergency stop is in force'],
    [
      'a person spawns, latched',
      { lifecycle: 'stopped' },
      { ...byPerson, kind: 'spawn' },
      latched,
      'emergency: an emergency stop is in force',
    ],
    ['a person pokes over a poke by a rule', { act: underWay('poke', 'stuck') }, byPerson, {}, 'go'],
    [
      'a person pokes over a person',
      { act: underWay('poke', 'human') },
      byPerson,
      {},
      'busy: a poke by you is under way on agent-pan-18',
    ],
    [
      'a person restores work of one that is stopped',
      { lifecycle: 'stopped' },
      { ...byPerson, kind: 'restore' },
      {},
      'go',
    ],
    [
      'nobody restores under the hands of one that runs',
      { lifecycle: 'idle' },
      { ...byPerson, kind: 'restore' },
      {},
      'conflict: agent-pan-18 runs and may be changing its files',
    ],
    [
      'nobody starts over a restore',
      { lifecycle: 'stopped', act: underWay('restore', 'human') },
      { ...byPerson, kind: 'spawn' },
      {},
      'busy: a restore by you is under way on agent-pan-18',
    ],
    ['a person kills over a message', { act: underWay('message', 'stuck') }, { ...byPerson, kind: 'kill' }, {}, 'go'],
    [
      'nobody kills over a spawn',
      { act: underWay('spawn', 'routing') },
      { ...byPerson, kind: 'kill' },
      {},
      'busy: a spawn by you is under way on agent-pan-18',
    ],
    [
      'nobody pokes over a kill',
      { act: underWay('kill', 'human') },
      {},
      {},
      'busy: a kill by you is under way on agent-pan-18',
    ],
    [
      'nobody pokes over an interrupt',
      { act: underWay('interrupt', 'human') },
      {},
      {},
      'busy: an interrupt by you is under way on agent-pan-18',
    ],
    ['spawn what runs', {}, { ...byPerson, kind: 'spawn' }, {}, 'conflict: agent-pan-18 already runs'],
    [
      'spawn what is idle',
      { lifecycle: 'idle' },
      { ...byPerson, kind: 'spawn' },
      {},
      'conflict: agent-pan-18 already runs',
    ],
    ['spawn what stopped', { lifecycle: 'stopped' }, { ...byPerson, kind: 'spawn' }, {}, 'go'],
    ['poke what stopped', { lifecycle: 'stopped' }, byPerson, {}, 'conflict: agent-pan-18 is not running'],
    ['poke what sleeps', { lifecycle: 'suspended' }, byPerson, {}, 'conflict: agent-pan-18 is suspended'],
    ['poke what is idle', { lifecycle: 'idle' }, byPerson, {}, 'go'],
    [
      'type into a dialog',
      { evidence: dialog },
      { ...byPerson, kind: 'message' },
      {},
      'conflict: agent-pan-18 shows a dialog (question)',
    ],
    ['kill at a dialog', { evidence: dialog }, { ...byPerson, kind: 'kill' }, {}, 'go'],
    ['type to the dead', { evidence: dead }, byPerson, {}, 'conflict: the process of agent-pan-18 has ended'],
    [
      'type to what has no terminal',
      { evidence: lost },
      byPerson,
      {},
      'conflict: the process of agent-pan-18 lives but has no terminal',
    ],
    [
      'spawn what lives without a terminal',
      { evidence: lost },
      { ...byPerson, kind: 'spawn' },
      {},
      'conflict: the process of agent-pan-18 lives but has no terminal',
    ],
    ['type to what starts', { evidence: {} }, byPerson, {}, STARTING],
    ['type to what says that it starts', { evidence: starting }, { ...byPerson, kind: 'message' }, {}, STARTING],
    ['type to what never said that it is ready', { evidence: starting }, byPerson, { observedAt: 90_000 }, 'go'],
    ['kill what starts', { evidence: starting }, { ...byPerson, kind: 'kill' }, {}, 'go'],
    [
      'spawn what was seen dead once',
      { evidence: dead },
      { ...byPerson, kind: 'spawn' },
      {},
      'busy: agent-pan-18 was seen dead only once so far',
    ],
    ['kill what has no terminal', { evidence: lost }, { ...byPerson, kind: 'kill' }, {}, 'go'],
    ['kill the dead', { evidence: dead }, { ...byPerson, kind: 'kill' }, {}, 'go'],
  ])('%s', (_, agent, given, house, expected) => {
    expect(ruling(agent, given, house)).toBe(expected)
  })

  test('a rule waits while Cloister doubts itself, and while too much is under way; a person does not', () => {
    const doubting = world()
    doubting.observer.blind = 'no server answers'
    expect(arbitrate(doubting, agentRecord({ evidence: working }), proposal())).toMatchObject({
      go: false,
      refusal: { sentence: 'Cloister cannot see the agents: no server answers' },
    })
    expect(arbitrate(doubting, agentRecord({ evidence: working }), proposal(byPerson))).toEqual({ go: true })
    const busy = world()
    for (let n = 0; n < MAX_AUTOMATIC_ACTS; n += 1) busy.acting.add(`agent-${n}`)
    expect(arbitrate(busy, agentRecord({ evidence: working }), proposal())).toMatchObject({ go: false })
    expect(arbitrate(busy, agentRecord({ evidence: working }), proposal(byPerson))).toEqual({ go: true })
  })
})
