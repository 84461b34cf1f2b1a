import { describe, expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../tests/samples/agents.ts'
import { handoffRecord } from '../../tests/samples/handoffs.ts'
import type { Event } from '../contract/events.ts'
import type { HouseRecord } from '../contract/house-record.ts'
import type { AgentRecord } from '../contract/records.ts'
import { withLastStop } from './last-stop-fold.ts'
import { lastStopView, ranUntil, refuseStart, startable, stopFinds, stopInWords, unansweredNote } from './last-stop.ts'
import type { Draft } from './turn.ts'
import { createWorld } from './world.ts'

const stamped = (draft: Draft, at = 1000): Event => ({ seq: 1, at, observedAt: 0, ...draft }) as Event

const TRIGGERED: Draft = {
  type: 'emergency.triggered',
  ...{ by: 'sentinel', reason: 'the sentinel file is there', effect: 'e-1', deadlineAt: 1 },
  found: {
    ...{ of: 2, atWork: ['agent-1'], handoffs: [] },
    questions: [{ agent: 'agent-1', sentence: 'agent-1 had asked a question: why?' }],
  },
}
const ENDED: Draft = { type: 'emergency.ended', stopped: ['agent-1', 'agent-2'], survivors: [], confirmed: true }
const saved = (agent: string, ref?: string): Draft => ({
  ...{ type: 'agent.salvaged', agent, generation: 1 },
  ...(ref === undefined ? {} : { ref }),
})

function folded(state: HouseRecord['emergency']['state'], ...drafts: Draft[]): HouseRecord['lastStop'] {
  const { house } = createWorld(SETTINGS)
  let now: HouseRecord = { ...house, emergency: { ...house.emergency, state: 'armed' } }
  for (const draft of drafts) {
    now = withLastStop(now, stamped(draft))
    now = { ...now, emergency: { ...now.emergency, state } }
  }
  return now.lastStop
}

describe('what is kept of it', () => {
  test('who, when and why, as soon as somebody says; whom it ended; what was saved; that it is over', () => {
    expect(
      folded(
        'stopped',
        TRIGGERED,
        { type: 'emergency.explained', by: 'you', reason: 'wrong branch' },
        ENDED,
        saved('agent-1', 'refs/cloister/agent-1/1-1'),
        saved('agent-2'),
        saved('agent-9', 'refs/cloister/agent-9/1-1'),
        { type: 'emergency.rearmed', by: 'you' },
      ),
    ).toEqual({
      ...{ by: 'you', reason: 'wrong branch', wallAt: 1000, resumedWallAt: 1000, confirmed: true },
      ...{ ended: ['agent-1', 'agent-2'], of: 2, atWork: ['agent-1'], survivors: [], handoffs: [] },
      saved: [{ agent: 'agent-1', ref: 'refs/cloister/agent-1/1-1' }, { agent: 'agent-2' }],
      questions: [{ agent: 'agent-1', sentence: 'agent-1 had asked a question: why?' }],
    })
  })

  test('whoever still waits since a stop before it is kept, and that it was at work', () => {
    const next: Draft = { ...TRIGGERED, found: { of: 0, questions: [], handoffs: [], earlier: ['agent-1', 'agent-2'] } }
    expect(folded('armed', TRIGGERED, ENDED, next, { ...ENDED, stopped: [] })).toMatchObject({
      ...{ ended: [], of: 0, earlier: ['agent-1', 'agent-2'], atWork: ['agent-1'] },
    })
    const over: Draft = { type: 'emergency.found', stopped: ['agent-3'], earlier: ['agent-1'] }
    expect(folded('armed', TRIGGERED, ENDED, over)).toMatchObject({
      ...{ ended: ['agent-3'], earlier: ['agent-1'], atWork: ['agent-1'] },
    })
    expect(folded('stopped', TRIGGERED, ENDED, { ...over, stopped: [] })).toMatchObject({
      ...{ by: 'sentinel', ended: ['agent-1', 'agent-2'], of: 2 },
    })
  })

  test('a second one while the first is in force adds to it; the next one begins anew', () => {
    const again: Draft = { ...TRIGGERED, found: { of: 0, questions: [], handoffs: [] } }
    expect(folded('stopped', TRIGGERED, ENDED, again, { ...ENDED, stopped: [] })).toMatchObject({
      ...{ ended: ['agent-1', 'agent-2'], of: 2, questions: [{ agent: 'agent-1' }] },
    })
    expect(folded('armed', TRIGGERED, ENDED, again, { ...ENDED, stopped: [] })).toMatchObject({
      ...{ ended: [], of: 0, questions: [] },
    })
  })

  test('what is saved of an agent when it is over is not of it any more; what could not be saved is', () => {
    const item = { id: 'n-1', kind: 'salvage_failed', agent: 'agent-1', hint: 'look', raisedWallAt: 0 } as const
    const failed: Draft = { type: 'needs-you.raised', item: { ...item, sentence: 'It was not saved (disk full).' } }
    expect(folded('armed', TRIGGERED, ENDED, failed, saved('agent-1', 'refs/cloister/agent-1/2-1'))?.saved).toEqual([
      { agent: 'agent-1', unsaved: 'It was not saved (disk full).' },
    ])
  })

  test('who asked for it and when, where its file says so', () => {
    const asked = { person: 'ana', askedWallAt: 7 }
    const over: Draft = { type: 'emergency.found', stopped: ['agent-1'], ...asked }
    expect([folded('stopped', { ...TRIGGERED, ...asked }), folded('armed', over)]).toMatchObject([
      { by: 'ana', wallAt: 7 },
      { by: 'ana', wallAt: 7 },
    ])
  })

  test('one that was found over has no more than whom it ended', () => {
    expect(folded('armed', { type: 'emergency.found', stopped: ['agent-1'], reason: 'fire' })).toMatchObject({
      ...{ by: 'a person', reason: 'fire', ended: ['agent-1'], of: 1, resumedWallAt: 1000 },
    })
  })
})

const gone = (goneAt: number): Partial<AgentRecord> => ({
  evidence: {
    process: { seenAt: 1, changedAt: 1, alive: false, goneAt, goneLooks: 2 },
    terminal: { seenAt: 1, changedAt: 1, alive: false },
  },
})

test.each([
  ['one that lives', {}, true],
  ['one that rests', { lifecycle: 'idle' }, true],
  ['one that was stopped before', { lifecycle: 'stopped' }, false],
  ['one that was missed before', gone(99), false],
  ['one that was first missed since', gone(100), true],
] as const)('it ended %s or not', (_, given, ran) => {
  expect(ranUntil(agentRecord(given as Partial<AgentRecord>), 100)).toBe(ran)
})

const asks = (doing: object): Partial<AgentRecord> => ({
  evidence: { hook: { seenAt: 1, changedAt: 1, doingAt: 1, doing } } as AgentRecord['evidence'],
})

test('what it finds: who ran, what was asked, which hand-offs were under way; adopted ones only where they are meant', () => {
  const own = { leader: { pid: 2, startTime: 1, boot: 'b' }, allow: [] } as unknown as NonNullable<
    AgentRecord['adopted']
  >
  const agents = [
    agentRecord({ id: 'agent-1', ...asks({ kind: 'permission', what: 'rm -rf build' }) }),
    agentRecord({ id: 'agent-2', lifecycle: 'idle', handoff: handoffRecord({ id: 'h-8', state: 'saving' }) }),
    agentRecord({ id: 'agent-3', lifecycle: 'stopped' }),
    agentRecord({ id: 'own-shop', adopted: own, ...asks({ kind: 'question', what: 'why?' }) }),
  ]
  const world = createWorld(SETTINGS, { agents })
  const found = stopFinds(world, { sinceAt: 0, isForAll: false })
  expect(found).toMatchObject({
    ...{ of: 2, atWork: ['agent-1'] },
    questions: [{ agent: 'agent-1', sentence: 'agent-1 had asked for permission: rm -rf build' }],
    handoffs: [{ agent: 'agent-2' }],
  })
  expect(found.handoffs[0]?.sentence).toMatch(/h-8.* was saving/)
  expect(stopFinds(world, { sinceAt: 0, isForAll: true })).toMatchObject({
    of: 3,
    questions: [{}, { agent: 'own-shop' }],
  })
  expect(agents.map((agent) => unansweredNote(agent)?.includes('it was not answered') ?? false)).toEqual([
    ...[true, false, false, true],
  ])
})

test('whoever was dead or slept when it came is found, kept with what was saved, and can be started again', () => {
  const agents = [
    agentRecord({ id: 'agent-1', ...gone(50) }),
    agentRecord({ id: 'agent-2', lifecycle: 'suspended' }),
    agentRecord({ id: 'agent-3', lifecycle: 'stopped' }),
  ]
  const found = stopFinds(createWorld(SETTINGS, { agents }), { sinceAt: 100, isForAll: false })
  expect(found).toMatchObject({ of: 0, atWork: ['agent-1'], dead: ['agent-1'], asleep: ['agent-2'] })
  const none: Draft = { ...ENDED, stopped: [] }
  const lastStop = folded('stopped', { ...TRIGGERED, found }, none, saved('agent-1', 'refs/cloister/agent-1/1-1'))
  if (lastStop === undefined) throw new Error('nothing is kept')
  expect(lastStop.saved).toEqual([{ agent: 'agent-1', ref: 'refs/cloister/agent-1/1-1' }])
  expect(stopInWords(lastStop)).toMatch(/ended 0 of 0; dead before: agent-1; asleep before: agent-2\.$/)
  const after = createWorld(SETTINGS, {
    agents: agents.map((each) => ({ ...each, lifecycle: 'stopped', lifecycleWhy: 'emergency stop' })),
  })
  after.house = { ...after.house, lastStop }
  expect(startable(after)).toEqual(['agent-1', 'agent-2'])
})

test('who can be started again: whom it ended, who does not run since, and is ours', () => {
  const stopped = { lifecycle: 'stopped', lifecycleWhy: 'emergency stop' } as const
  const own = { leader: { pid: 2, startTime: 1, boot: 'b' }, allow: [] } as unknown as NonNullable<
    AgentRecord['adopted']
  >
  const agents = [
    agentRecord({ id: 'agent-1', ...stopped }),
    agentRecord({ id: 'agent-2', lifecycle: 'active' }),
    agentRecord({ id: 'agent-3', lifecycle: 'stopped', lifecycleWhy: 'killed by you' }),
    agentRecord({ id: 'own-shop', ...stopped, adopted: own }),
    agentRecord({ id: 'agent-4', ...stopped }),
  ]
  const world = createWorld(SETTINGS, { agents })
  expect(lastStopView(world)).toBeUndefined()
  const ids = ['agent-1', 'agent-2', 'agent-3', 'own-shop', 'agent-5']
  const lastStop = folded('armed', TRIGGERED, { ...ENDED, stopped: ids })
  world.house = { ...world.house, ...(lastStop === undefined ? {} : { lastStop }) }
  expect(startable(world)).toEqual(['agent-1'])
  expect(stopFinds(world, { sinceAt: 0, isForAll: false }).earlier).toEqual(['agent-1'])
  const { house } = world
  if (lastStop !== undefined) world.house = { ...house, lastStop: { ...lastStop, ended: [], earlier: ['agent-1'] } }
  expect(startable(world)).toEqual(['agent-1'])
  world.house = house
  expect(lastStopView(world)).toMatchObject({ ended: ids, startable: ['agent-1'] })
  expect([true as const, ['agent-1']].map((wanted) => refuseStart(world, wanted))).toEqual([undefined, undefined])
  expect(refuseStart(world, ['agent-1', 'agent-4'])).toMatchObject({ code: 'conflict', hint: 'These are: agent-1.' })
})

test('in a sentence', () => {
  const lastStop = folded('stopped', TRIGGERED, ENDED)
  if (lastStop === undefined) throw new Error('nothing is kept')
  expect(stopInWords(lastStop)).toBe(
    'The emergency stop by sentinel (the sentinel file is there) ended 2 of 2: agent-1, agent-2; 1 question cut off.',
  )
  expect(stopInWords({ ...lastStop, ended: [], of: 0, questions: [], earlier: ['agent-7'] })).toMatch(
    /ended 0 of 0; not started since a stop before it: agent-7\.$/,
  )
  const many = Array.from({ length: 25 }, (_, n) => `agent-${n}`)
  expect(stopInWords({ ...lastStop, ended: many, of: 25, questions: [] })).toMatch(
    /ended 25 of 25: .*agent-9 and 15 more\.$/,
  )
})
