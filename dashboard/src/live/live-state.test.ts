import { beforeEach, describe, expect, test } from 'vitest'
import { FixtureFleet } from '../../../tests/samples/fixture-fleet.ts'
import { LiveState, type LiveChange, type Topic } from './live-state.ts'

let fleet: FixtureFleet
let state: LiveState
let frames: (() => void)[]
let told: Topic[]

const AT = 5_000_000

beforeEach(() => {
  fleet = new FixtureFleet({ agents: 3 })
  frames = []
  told = []
  state = new LiveState({ now: () => AT, onFrame: (call) => void frames.push(call) })
  const topics: Topic[] = ['status', 'agents', 'ids', 'events', 'connection']
  const each: Topic[] = fleet.ids.flatMap((id): Topic[] => [`agent ${id}`, `events ${id}`])
  for (const topic of [...topics, ...each]) state.subscribe(topic, () => void told.push(topic))
})

function paint(): readonly Topic[] {
  for (const frame of frames.splice(0)) frame()
  return told.splice(0).toSorted()
}

describe('who is told what', () => {
  test('a snapshot tells of everything, in one frame', () => {
    state.takeSnapshot(fleet.snapshot(AT))
    expect(frames.length).toBe(1)
    expect(paint()).toEqual(['status', 'agents', 'ids', ...fleet.ids.map((id) => `agent ${id}`)].toSorted())
  })

  test('many changes before a frame are told once, and only of what changed', () => {
    state.takeSnapshot(fleet.snapshot(AT))
    paint()
    const { status: _, ...change } = fleet.change(AT, 1)
    const [agent] = change.agents
    for (let n = 0; n < 100; n += 1) state.takeChange({ ...change, events: [] })
    state.takeChange(change)
    expect({ frames: frames.length, topics: paint() }).toEqual({
      frames: 1,
      topics: ['agents', 'events', `agent ${agent?.id}`, `events ${agent?.id}`].toSorted(),
    })
  })

  test('values that did not change stay the same objects', () => {
    state.takeSnapshot(fleet.snapshot(AT))
    const before = { ids: state.ids(), agents: state.agents(), each: fleet.ids.map((id) => state.agent(id)) }
    const change = fleet.change(AT, 1)
    state.takeChange(change)
    expect(state.ids()).toBe(before.ids)
    expect(state.agents()).toBe(state.agents())
    expect(state.agents()).not.toBe(before.agents)
    const changed = fleet.ids.filter((id, index) => state.agent(id) !== before.each[index])
    expect(changed).toEqual(change.agents.map(({ id }) => id))
  })

  test('who unsubscribed is not told', () => {
    let calls = 0
    const leave = state.subscribe('status', () => void (calls += 1))
    leave()
    state.takeSnapshot(fleet.snapshot(AT))
    paint()
    expect(calls).toBe(0)
  })
})

test('agents come, change and go', () => {
  state.takeSnapshot(new FixtureFleet({ agents: 11 }).snapshot(AT))
  expect(state.ids().slice(0, 3)).toEqual(['agent-pan-0', 'agent-pan-1', 'agent-pan-2'])
  expect(state.ids().at(-1)).toBe('agent-pan-10')
  state.takeChange({ seq: 0, at: AT, agents: [], gone: ['agent-pan-1', 'nobody'], events: [] })
  expect({ count: state.ids().length, gone: state.agent('agent-pan-1') }).toEqual({ count: 10, gone: undefined })
  state.takeSnapshot(fleet.snapshot(AT))
  expect(state.ids()).toEqual(fleet.ids)
})

test('the last 500 events of all and the last 100 of each agent are kept, in order and once', () => {
  state.takeSnapshot(fleet.snapshot(AT))
  for (let n = 0; n < 13; n += 1) state.takeChange(fleet.change(AT, 50))
  const seqs = state.events().map(({ seq }) => seq)
  expect([seqs.length, seqs[0], seqs.at(-1)]).toEqual([500, 151, 650])
  expect(seqs).toEqual(Array.from({ length: 500 }, (_, index) => 151 + index))
  const mine = state.events('agent-pan-0')
  expect(mine).toEqual(
    state
      .events()
      .filter((event) => 'agent' in event && event.agent === 'agent-pan-0')
      .slice(-100),
  )
  state.addEvents(state.events().slice(0, 10))
  expect(state.events().map(({ seq }) => seq)).toEqual(seqs)
})

test('an emergency stop is an event of everybody whom it ended', () => {
  state.takeSnapshot(fleet.snapshot(AT))
  const [first = '', second = ''] = fleet.ids
  const stop = { type: 'emergency.ended', stopped: [first], survivors: [], confirmed: true } as const
  state.addEvents([{ ...stop, stopped: [first], survivors: [], seq: 1, at: AT, observedAt: AT, sentence: 'Stopped.' }])
  expect([state.events(first), state.events(second)].map((events) => events.map(({ type }) => type))).toEqual([
    ['emergency.ended'],
    [],
  ])
})

test('events of before a gap are not mixed with those after it', () => {
  state.takeSnapshot(fleet.snapshot(AT))
  state.takeChange(fleet.change(AT, 5))
  state.takeSnapshot({ ...fleet.snapshot(AT) })
  expect(state.events().length).toBe(5)
  state.takeSnapshot({ ...fleet.snapshot(AT), seq: 99 })
  expect([state.events(), state.events('agent-pan-0')]).toEqual([[], []])
})

test('watchers hear of every message at once', () => {
  const changes: LiveChange[] = []
  state.watch((change) => void changes.push(change))
  state.takeSnapshot(fleet.snapshot(AT))
  const change = fleet.change(AT, 1)
  state.takeChange({ ...change, gone: ['agent-pan-9'] })
  expect(changes).toEqual([
    { agents: fleet.ids, gone: [], events: [], anew: true },
    { agents: change.agents.map(({ id }) => id), gone: ['agent-pan-9'], events: change.events, anew: false },
  ])
})

test.each([
  { what: 'the way here', serverAt: AT - 1_500, now: AT },
  { what: 'another clock', serverAt: AT + 90_000, now: AT + 90_000 },
  { what: 'another clock, behind', serverAt: AT - 90_000, now: AT - 90_000 },
])('now is the time of the daemon: $what', ({ serverAt, now }) => {
  state.takeSnapshot(fleet.snapshot(serverAt))
  expect({ now: state.now(), asOf: state.agent('agent-pan-0')?.asOf }).toEqual({ now, asOf: serverAt })
})

test('signing out leaves nothing', () => {
  state.takeSnapshot(fleet.snapshot(AT))
  state.takeChange(fleet.change(AT, 5))
  state.forget()
  expect([state.status(), state.agents(), state.ids(), state.events(), state.events('agent-pan-0'), state.seq]).toEqual(
    [undefined, [], [], [], [], 0],
  )
})

test('a connection keeps when it began', () => {
  let now = 1
  const live = new LiveState({ now: () => now, onFrame: (call) => call() })
  live.connect({ state: 'offline', reason: 'a' })
  now = 2
  live.connect({ state: 'offline', reason: 'b' })
  expect(live.connection()).toEqual({ state: 'offline', reason: 'b', since: 1 })
  live.connect({ state: 'live' })
  expect(live.connection()).toEqual({ state: 'live', since: 2 })
})
