import { expect, test } from 'vitest'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import type { Doing, Sighting } from '../../contract/evidence.ts'
import type { AgentRecord } from '../../contract/records.ts'
import { MINUTE, SECOND } from '../durations.ts'
import { step } from '../step.ts'
import { createWorld } from '../world.ts'
import { citationsOf } from './words.ts'

/** An agent after one sighting, ten minutes into observed time. */
function after(sighting: Partial<Sighting>, given: Partial<AgentRecord> = {}, settings = SETTINGS) {
  const world = createWorld(settings, { agents: [agentRecord(given)] })
  const at = { id: 'i-1', wallAt: 1_000_000, monoAt: 0 }
  world.house = { ...world.house, observedAt: 10 * MINUTE }
  step(world, { ...at, type: 'boot', openEffects: 0 })
  const whole: Sighting = { agent: 'agent-pan-18', generation: 1, witness: 'hook', ...sighting }
  const { events } = step(world, { ...at, type: 'report', sighting: whole })
  return { agent: world.agents.get('agent-pan-18'), events: events.map(({ type }) => type) }
}

const seen = (stamp: string, at: number) => ({ seenAt: at, changedAt: at, stamp })

test('a new stamp is activity of its age, an old one is not', () => {
  const evidence = { transcript: seen('a', 5 * MINUTE) }
  const given = { evidence, producedAt: 5 * MINUTE }
  expect(after({ witness: 'transcript', stamp: 'b', ageMs: MINUTE }, given).agent?.producedAt).toBe(9 * MINUTE)
  expect(after({ witness: 'transcript', stamp: 'a', ageMs: MINUTE }, given).agent?.producedAt).toBe(5 * MINUTE)
})

test('an age is never believed beyond what was seen before, nor a future stamp', () => {
  const given = { evidence: { transcript: seen('a', 8 * MINUTE) }, producedAt: 8 * MINUTE }
  const { agent } = after({ witness: 'transcript', stamp: 'b', ageMs: 60 * MINUTE }, given)
  expect(agent?.evidence.transcript?.changedAt).toBe(8 * MINUTE)
})

test('the echo of our own text is no sign of life; what comes after it is', () => {
  const given = {
    evidence: { terminal: seen('a', 5 * MINUTE) },
    producedAt: 5 * MINUTE,
    echoUntilAt: 10 * MINUTE - 5 * SECOND,
  }
  const pane = { witness: 'terminal', stamp: 'b' } as const
  expect(after({ ...pane, ageMs: 8 * SECOND }, given).agent?.producedAt).toBe(5 * MINUTE)
  expect(after({ ...pane, ageMs: 2 * SECOND }, given).agent?.producedAt).toBe(10 * MINUTE - 2 * SECOND)
})

test('a terminal that is lost moves nothing, and is there again when it is seen', () => {
  const given = { evidence: { terminal: { ...seen('a', 5 * MINUTE), alive: true } }, producedAt: 5 * MINUTE }
  const { agent } = after({ witness: 'terminal', lost: true }, given)
  expect({ producedAt: agent?.producedAt, terminal: agent?.evidence.terminal }).toEqual({
    producedAt: 5 * MINUTE,
    terminal: {
      ...seen('a', 5 * MINUTE),
      seenAt: 10 * MINUTE,
      alive: true,
      lost: true,
      goneAt: 10 * MINUTE,
      goneLooks: 1,
    },
  })
  const again = after({ witness: 'terminal', stamp: 'a', alive: true }, { evidence: agent?.evidence ?? {} })
  expect(again.agent?.evidence.terminal?.lost).toBeUndefined()
})

test('a death has the age of the look that first saw it, counts the looks that saw it, and is over when it lives', () => {
  const process = { seenAt: 9 * MINUTE, changedAt: MINUTE, alive: false, goneAt: 9 * MINUTE, goneLooks: 1 }
  const { agent } = after({ witness: 'process', alive: false }, { evidence: { process } })
  expect(agent?.evidence.process).toEqual({ ...process, seenAt: 10 * MINUTE, goneLooks: 2 })
  expect(citationsOf(agent ?? never(), 10 * MINUTE)).toEqual([{ witness: 'process', value: 'gone', ageMs: MINUTE }])
  const again = after({ witness: 'process', alive: true }, { evidence: agent?.evidence ?? {} })
  expect(again.agent?.evidence.process).toEqual({ seenAt: 10 * MINUTE, changedAt: MINUTE, alive: true })
})

function never(): never {
  throw new Error('the agent is there')
}

test('children at work are a sign of life, children at rest are not', () => {
  expect(after({ witness: 'process', alive: true, busy: true }).agent?.producedAt).toBe(10 * MINUTE)
  expect(after({ witness: 'process', alive: true, busy: false }).agent?.producedAt).toBe(0)
})

test('the first word of a witness is where progress starts from', () => {
  expect(after({ witness: 'git', stamp: 'a', progress: 'a' }).agent?.progressedAt).toBe(0)
  const given = { evidence: { git: { ...seen('a', MINUTE), progress: 'a' } } }
  expect(after({ witness: 'git', stamp: 'b', progress: 'b', ageMs: 0 }, given).agent?.progressedAt).toBe(10 * MINUTE)
})

test('a reminder of an open question takes the way to answer it from nobody; another question does', () => {
  const asked = { kind: 'permission', what: 'rm -rf build', ask: { id: 'r-1.1', request: '{}' } } as const
  const given = { evidence: { hook: { ...seen('a', MINUTE), doing: asked, doingAt: MINUTE } } }
  const reminder = { kind: 'permission', what: 'it needs your permission' } as const
  expect(after({ stamp: 'b', ageMs: 0, doing: reminder }, given).agent?.evidence.hook).toMatchObject({
    doing: asked,
    doingAt: MINUTE,
  })
  const other = { ...asked, ask: { id: 'r-1.2', request: '{}' } }
  expect(after({ stamp: 'b', ageMs: 0, doing: other }, given).agent?.evidence.hook?.doing).toEqual(other)
  const thinking = { kind: 'thinking' } as const
  expect(after({ stamp: 'b', ageMs: 0, doing: thinking }, given).agent?.evidence.hook?.doing).toEqual(thinking)
})

test('two calls of one tool are two calls', () => {
  const doing = { kind: 'tool', name: 'Bash', boundMs: 120_000 } as const
  const given = { evidence: { hook: { ...seen('a', MINUTE), doing, doingAt: MINUTE } } }
  expect(after({ stamp: 'b', ageMs: 0, doing }, given).agent?.evidence.hook?.doingAt).toBe(10 * MINUTE)
  expect(after({ stamp: 'a', ageMs: 0, doing }, given).agent?.evidence.hook?.doingAt).toBe(MINUTE)
})

test('a report of another generation is dropped and said once', () => {
  const stale = after({ generation: 0, stamp: 'x' })
  expect({ evidence: stale.agent?.evidence, events: stale.events }).toEqual({ evidence: {}, events: ['agent.fenced'] })
  expect(after({ generation: 0, stamp: 'x' }, { fencedGeneration: 0 }).events).toEqual([])
})

test('a witness that is switched off is not believed', () => {
  const settings = { ...SETTINGS, witnessesOff: ['terminal' as const] }
  expect(after({ witness: 'terminal', stamp: 'x' }, {}, settings).agent?.evidence).toEqual({})
})

test('only the agent itself moves its lifecycle', () => {
  expect(after({ witness: 'hook', doing: { kind: 'idle' } }).events).toEqual(['agent.lifecycle-changed'])
  expect(after({ witness: 'transcript', doing: { kind: 'idle' } }).events).toEqual([])
  expect(after({ doing: { kind: 'idle' } }, { lifecycle: 'stopped' }).events).toEqual([])
})

test('the last hundred activities are kept', () => {
  const activity = { ts: '2026-01-20T22:00:00Z', state: 'active' as const }
  const activities = Array.from({ length: 100 }, (_, n) => ({ ...activity, action: `${n}` }))
  const { agent } = after({ activity: { ...activity, action: 'new' } }, { activities })
  expect(agent?.activities.map(({ action }) => action)).toEqual([
    ...activities.slice(1).map(({ action }) => action),
    'new',
  ])
})

test('what is said against a belief is younger than it, however the clocks went', () => {
  const doing = { kind: 'tool', name: 'Bash', boundMs: 120_000 } as const
  const given = { evidence: { hook: { ...seen('a', 9 * MINUTE), doing, doingAt: 9 * MINUTE } } }
  const said = { witness: 'registry', stamp: 'idle', ageMs: 60 * MINUTE, doing: { kind: 'idle' } } as const
  expect(after({ ...said, objects: true }, given).agent?.evidence.registry?.doingAt).toBe(9 * MINUTE + 1)
  expect(after(said, given).agent?.evidence.registry?.doingAt).toBe(0)
  // Also when it says the same as it did before.
  const before = { ...seen('idle', MINUTE), doing: said.doing, doingAt: MINUTE }
  const again = { evidence: { ...given.evidence, registry: before } }
  expect(after({ ...said, stamp: 'later', objects: true }, again).agent?.evidence.registry?.doingAt).toBe(
    9 * MINUTE + 1,
  )
})

test('what was measured of one session says nothing of the next', () => {
  const context = { tokens: 860_000, window: 1_000_000, source: 'status_line' } as const
  const gauges = { context, sessionCostUsd: 2 }
  const given = { sessionId: 's-1', gauges: { ...gauges, contextAt: 0 } }
  const more = { context: { ...context, tokens: 870_000 } }
  expect(after({ sessionId: 's-1', gauges: more }, given).agent?.gauges).toEqual({
    ...gauges,
    ...more,
    contextAt: 10 * MINUTE,
  })
  expect(after({ sessionId: 's-2' }, given).agent?.gauges?.context).toBeUndefined()
  expect(after({ sessionId: 's-1' }, given).agent?.gauges).toEqual(given.gauges)
})

test('an unknown agent changes nothing', () => {
  expect(after({ agent: 'agent-nobody', stamp: 'x' }).events).toEqual([])
})

/** Heard of that many minutes ago, and its screen moved just now. */
test.each<[string, Doing, number, number]>([
  ['a thought', { kind: 'thinking' }, 9, 0],
  ['a long thought', { kind: 'thinking' }, 40, 25],
  ['an open tool', { kind: 'tool', name: 'Bash', boundMs: MINUTE }, 9, 9],
  ['rest, in which a person types', { kind: 'idle' }, 40, 0],
])('a screen that moves: %s', (_, doing, heard, silent) => {
  const heardAt = (10 - heard) * MINUTE
  const evidence = { hook: { ...seen('h', heardAt), doing, doingAt: heardAt }, terminal: seen('a', heardAt) }
  const given = { evidence, producedAt: heardAt, startedAt: -60 * MINUTE }
  const { agent } = after({ witness: 'terminal', stamp: 'b', ageMs: 0 }, given)
  expect(10 - (agent?.producedAt ?? 0) / MINUTE).toBe(silent)
})

const call = { kind: 'call', tool: 'Bash', call: 'c', result: 'r', ok: true, wallAt: 1 } as const

test('a call leaves a trace; one that is new is progress, one that was made before is not', () => {
  const first = after({ stamp: 'h1', trace: call }, { progressedAt: 1 }).agent
  expect({ trail: first?.trail, progressedAt: first?.progressedAt }).toEqual({
    trail: { steps: [{ at: 10 * MINUTE, trace: call }] },
    progressedAt: 10 * MINUTE,
  })
  const trail = { steps: [{ at: 2, trace: call }] }
  const again = after({ stamp: 'h2', trace: { ...call, wallAt: 2 } }, { progressedAt: 2, trail }).agent
  expect([again?.trail?.steps.length, again?.progressedAt]).toEqual([2, 2])
})

test.each<[string, Partial<AgentRecord>, number]>([
  ['begun before our word, it is no answer to it', { steeredAt: 9 * MINUTE }, 1],
  ['begun after it, it is', { steeredAt: 7 * MINUTE }, 10 * MINUTE],
])('the end of a call: %s', (_, given, expected) => {
  const doing = { kind: 'tool', name: 'Bash', boundMs: MINUTE } as const
  const evidence = { hook: { ...seen('h', 8 * MINUTE), doing, doingAt: 8 * MINUTE } }
  expect(after({ stamp: 'h1', trace: call }, { progressedAt: 1, evidence, ...given }).agent?.progressedAt).toBe(
    expected,
  )
})

test.each<[string, number, number]>([
  ['that was open when we last said something', 9 * MINUTE, 1],
  ['that was opened after it', 7 * MINUTE, 10 * MINUTE],
])('the end of one of several calls, %s', (_, steeredAt, expected) => {
  const about = { actor: '', tool: 'Bash', identity: 'x', wallAt: 0 }
  const calls = [
    { ...about, id: 'c1', at: 8 * MINUTE },
    { ...about, id: 'c2', at: 9.5 * MINUTE },
  ]
  const facts = [{ fact: 'call_closed', id: 'c1', actor: '' } as const]
  const given = { progressedAt: 1, steeredAt, open: { calls, waits: [] } }
  expect(after({ stamp: 'h1', trace: call, facts }, given).agent?.progressedAt).toBe(expected)
})

test('a report that comes twice leaves one trace', () => {
  const trail = { steps: [{ at: 2, trace: call }] }
  expect(after({ stamp: 'h1', trace: call }, { trail }).agent?.trail).toEqual(trail)
})

test.each<[string, Partial<AgentRecord>, number | undefined]>([
  ['somebody told it to', {}, 10 * MINUTE],
  [
    'it heard our own poke',
    { episode: { openedAt: 1, pokes: 1, exhausted: false, lastPokeAt: 10 * MINUTE - SECOND } },
    undefined,
  ],
  ['it heard our own word late', { ownWords: ['text'] }, undefined],
])('a new turn: %s', (_, given, expected) => {
  expect(after({ stamp: 'h1', heard: 'text' }, given).agent?.trail?.turnAt).toBe(expected)
})

test('what a session had cost is marked at its progress', () => {
  const cost = (usd: number, trail: AgentRecord['trail']) => {
    const given = trail === undefined ? {} : { trail }
    return after({ stamp: 'h1', gauges: { sessionCostUsd: usd } }, given).agent?.trail?.progressUsd
  }
  expect(cost(3, undefined)).toBe(3)
  expect(cost(9, { steps: [], progressUsd: 3 })).toBe(3)
  expect(cost(1, { steps: [], progressUsd: 3 })).toBe(1)
})
