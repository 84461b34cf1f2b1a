import { beforeEach, expect, test } from 'vitest'
import type { RibbonsView } from '../../../src/contract/ribbon.ts'
import { shownOf } from '../../../src/contract/shown.ts'
import type { Cause } from '../../../src/contract/verdict.ts'
import type { AgentView, ShownEvent } from '../../../src/contract/views.ts'
import { FixtureFleet } from '../../../tests/samples/fixture-fleet.ts'
import { LiveState } from './live-state.ts'
import { RibbonFeeds, type Wish } from './ribbon-feeds.ts'

const HOUR_MS = 3_600_000
const AT = 1_000 * HOUR_MS + 3_000
const ID = 'agent-pan-0'

let now: number
let state: LiveState
let fleet: FixtureFleet
let loads: { wish: Wish; answer: (view: RibbonsView | Error) => Promise<void> }[]
let timers: Set<{ at: number; call: () => void }>
let feeds: RibbonFeeds

beforeEach(() => {
  now = AT
  loads = []
  timers = new Set()
  fleet = new FixtureFleet({ agents: 2 })
  state = new LiveState({ now: () => now, onFrame: (call) => call() })
  state.takeSnapshot(fleet.snapshot(AT))
  state.connect({ state: 'live' })
  feeds = new RibbonFeeds({
    state,
    onFrame: (call) => call(),
    wait: (ms, call) => {
      const timer = { at: now + ms, call }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    load: (wish) =>
      new Promise((resolve, reject) => {
        const settled = () => new Promise<void>((done) => setImmediate(done))
        loads.push({
          wish,
          answer: (view) => {
            if (view instanceof Error) reject(view)
            else resolve(view)
            return settled()
          },
        })
      }),
  })
})

function pass(ms: number): void {
  now += ms
  for (const timer of timers) if (timer.at <= now && timers.delete(timer)) timer.call()
}

function become(changes: Partial<AgentView>, events: readonly ShownEvent[] = []): void {
  const before = state.agent(ID)
  if (before === undefined) throw new Error('no agent')
  const { asOf: _, ...view } = before
  const seq = state.seq + events.length
  const after = { ...view, ...changes }
  const agents = [{ ...after, shown: shownOf(after) }]
  state.takeChange({ seq, at: now, agents, gone: [], events: [...events] })
}

function judged(seq: number, cause: Cause): ShownEvent {
  const verdict = { from: 'active', to: 'active', cause, reason: 'so', look: 1 } as const
  const stamp = { seq, at: now, observedAt: 0, agent: ID, generation: 1, sentence: '' }
  return { type: 'agent.health-changed', ...verdict, ...stamp, citations: [] }
}

function poke(seq: number): ShownEvent {
  const act = {
    kind: 'poke',
    effect: 'e',
    step: 'doing',
    generation: 1,
    precedence: 'stuck',
    by: 'cloister',
    reason: 'r',
    attempts: 1,
    decidedAt: 0,
    deadlineAt: 0,
  } as const
  const stamp = { seq, at: now, observedAt: 0, agent: ID, generation: 1, citations: [], sentence: 'Poke.' }
  return { type: 'act.decided', act, ...stamp }
}

test('ribbons are loaded once and reach a little beyond now', async () => {
  const feed = feeds.feed({ hours: 8 })
  expect(feeds.feed({ hours: 8 })).toBe(feed)
  feed.subscribe(() => {})
  feed.subscribe(() => {})
  expect(feed.current()).toBe(undefined)
  const loaded = fleet.ribbons(AT, 8)
  await loads[0]?.answer(loaded)
  expect(loads.map(({ wish }) => wish)).toEqual([{ hours: 8 }])
  const view = feed.current()
  const to = 1_000 * HOUR_MS + 10_000
  expect({ from: view?.from, to: view?.to }).toEqual({ from: to - 8 * HOUR_MS, to })
  for (const { segments } of view?.ribbons ?? []) {
    expect([segments[0]?.from, segments.at(-1)?.to]).toEqual([to - 8 * HOUR_MS, to])
    for (const [index, segment] of segments.entries()) expect(segment.to).toBe(segments[index + 1]?.from ?? to)
  }
})

test('an agent that changes is drawn on, and the others stay as they are', async () => {
  const feed = feeds.feed({ hours: 8 })
  feed.subscribe(() => {})
  await loads[0]?.answer(fleet.ribbons(AT, 8))
  const before = feed.current()
  become({ lifecycle: 'stopped', health: undefined, cause: undefined, reason: undefined } as Partial<AgentView>)
  const after = feed.current()
  expect(after?.ribbons[0]?.segments.at(-1)).toEqual({ from: now, to: after?.to, shade: 'stopped', generation: 1 })
  expect(after?.ribbons[0]?.segments.at(-2)?.to).toBe(now)
  expect(after?.ribbons[1]).toBe(before?.ribbons[1])
  become({})
  expect(feed.current()).toBe(after)
})

test('another way of working is no other segment', async () => {
  const feed = feeds.feed({ hours: 8, agent: ID })
  feed.subscribe(() => {})
  await loads[0]?.answer({ ...fleet.ribbons(AT, 8), ribbons: [] })
  become({ health: 'active', cause: { kind: 'thinking' } })
  const before = feed.current()
  become({ health: 'active', cause: { kind: 'working_tool', name: 'Bash', ageMs: 1, boundMs: 2 } })
  expect(feed.current()).toBe(before)
  expect(feed.current()?.ribbons[0]?.segments.at(-1)?.reason).toBe('at work')
})

test('another cause counts when it was recorded, also while the ribbons were being loaded', async () => {
  const waiting = { health: 'active', cause: { kind: 'waiting_user', what: 'Which?' } } as const
  become({ health: 'active', cause: { kind: 'thinking' } })
  const feed = feeds.feed({ hours: 8, agent: ID })
  feed.subscribe(() => {})
  const loaded = fleet.ribbons(AT, 8)
  const causes = () => feed.current()?.ribbons[0]?.segments.map(({ cause }) => cause)
  const segment = { from: loaded.from, to: loaded.to, shade: 'active', cause: 'at_work', generation: 1 } as const
  const ribbons = [{ agent: ID, segments: [segment], marks: [] }]
  become(waiting)
  await loads[0]?.answer({ ...loaded, ribbons })
  expect(causes()).toEqual(['at_work'])
  state.takeSnapshot(fleet.snapshot(now))
  become(waiting, [judged(1, waiting.cause)])
  await loads[1]?.answer({ ...loaded, ribbons })
  expect(causes()).toEqual(['at_work', 'waiting_user'])
  become({ health: 'active', cause: { kind: 'thinking' } })
  expect(causes()).toEqual(['at_work', 'waiting_user'])
  pass(1_000)
  become({ health: 'active', cause: { kind: 'thinking' } }, [judged(2, { kind: 'thinking' })])
  expect(causes()).toEqual(['at_work', 'waiting_user', 'at_work'])
})

test('an emergency stop marks those whom it ended', async () => {
  const feed = feeds.feed({ hours: 8 })
  feed.subscribe(() => {})
  await loads[0]?.answer({
    ...fleet.ribbons(AT, 8),
    ribbons: fleet.ids.map((agent) => ({ agent, segments: [], marks: [] })),
  })
  const stop = { at: now, observedAt: 0, sentence: 'Stop.' }
  become({}, [
    { ...stop, seq: 1, type: 'emergency.triggered', by: 'you', reason: 'fire', effect: 'e', deadlineAt: 0 },
    { ...stop, seq: 2, type: 'emergency.ended', stopped: [ID], survivors: [], confirmed: true },
  ])
  expect(feed.current()?.ribbons.map(({ marks }) => marks)).toEqual([
    [{ seq: 2, at: AT, kind: 'emergency', sentence: 'Stop.' }],
    [],
  ])
})

test('marks come once, also those that came while it was loaded', async () => {
  const feed = feeds.feed({ hours: 8, agent: ID })
  feed.subscribe(() => {})
  become({}, [poke(1), poke(2)])
  await loads[0]?.answer({ ...fleet.ribbons(AT, 8), seq: 1, ribbons: [{ agent: ID, segments: [], marks: [] }] })
  become({}, [poke(3)])
  expect(feed.current()?.ribbons[0]?.marks).toEqual([
    { seq: 2, at: AT, kind: 'poke', sentence: 'Poke.' },
    { seq: 3, at: AT, kind: 'poke', sentence: 'Poke.' },
  ])
})

test('the window goes on with time, and stands still while nobody knows', async () => {
  const feed = feeds.feed({ hours: 8 })
  feed.subscribe(() => {})
  await loads[0]?.answer(fleet.ribbons(AT, 8))
  const to = feed.current()?.to ?? 0
  pass(10_000)
  expect(feed.current()?.to).toBe(to + 10_000)
  expect(feed.current()?.ribbons[0]?.segments.at(-1)?.to).toBe(to + 10_000)
  state.connect({ state: 'offline', reason: 'gone' })
  pass(60_000)
  expect(feed.current()?.to).toBe(to + 10_000)
  state.connect({ state: 'live' })
  pass(10_000)
  expect(feed.current()?.to).toBe(to + 80_000)
})

test('after a gap and after a failure they are loaded anew; the newest load counts', async () => {
  const feed = feeds.feed({ hours: 1 })
  feed.subscribe(() => {})
  await loads[0]?.answer(new Error('no'))
  pass(5_000)
  expect(loads.length).toBe(2)
  state.takeSnapshot(fleet.snapshot(now))
  expect(loads.length).toBe(3)
  await loads[1]?.answer({ ...fleet.ribbons(now, 1), ribbons: [] })
  expect(feed.current()).toBe(undefined)
  await loads[2]?.answer(fleet.ribbons(now, 1))
  expect(feed.current()?.ribbons.length).toBe(2)
})

test('agents come and go', async () => {
  const feed = feeds.feed({ hours: 1 })
  const leave = feed.subscribe(() => {})
  await loads[0]?.answer({ ...fleet.ribbons(now, 1), ribbons: [] })
  expect(feed.current()?.ribbons.map(({ agent }) => agent)).toEqual(fleet.ids)
  state.takeChange({ seq: 0, at: now, agents: [], gone: [ID], events: [] })
  expect(feed.current()?.ribbons.map(({ agent }) => agent)).toEqual([fleet.ids[1]])
  leave()
  expect({ view: feed.current(), timers: timers.size }).toEqual({ view: undefined, timers: 0 })
})
