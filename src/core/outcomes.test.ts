import { describe, expect, test } from 'vitest'
import { Sim } from '../../tests/properties/sim.ts'
import type { Effect } from '../contract/effects.ts'
import { HOUR, MINUTE } from './durations.ts'

const ALIVE = { progress: true, alive: true, busy: true, stale: false }

/** One agent that lives and thinks. */
function house(): Sim {
  const sim = new Sim()
  sim.make({ do: 'command', agent: 1, what: 'spawn' })
  sim.make({ do: 'see', agent: 1, witness: 'hook', doing: { kind: 'thinking' }, ...ALIVE })
  sim.make({ do: 'answer', which: 0, result: 'done', survives: false })
  return sim
}

function types(sim: Sim, since = 0): string[] {
  return sim.events.slice(since).map(({ type }) => type)
}

describe('an outcome counts for the effect that is waited for, and for no other', () => {
  test('of an agent', () => {
    const sim = house()
    sim.make({ do: 'command', agent: 1, what: 'message' })
    const [message] = sim.open as [Effect]
    const since = sim.events.length
    sim.input({ type: 'outcome', effect: { ...message, id: 'e-other' }, outcome: { result: 'done' } })
    expect(types(sim, since)).toEqual(['outcome.dropped'])
    expect(sim.world.agents.get('agent-1')?.act?.effect).toBe(message.id)
  })

  test('of the house', () => {
    const sim = house()
    sim.make({ do: 'command', agent: 1, what: 'emergency' })
    const since = sim.events.length
    const outcome = { result: 'done', stopped: ['agent-1'], survivors: [] } as const
    const effect: Effect = { type: 'fleet.stop', id: 'e-other' }
    sim.input({ type: 'outcome', effect, outcome: { ...outcome, stopped: [...outcome.stopped], survivors: [] } })
    expect(types(sim, since)).toEqual(['outcome.dropped'])
    expect(sim.world.house.emergency.state).toBe('stopping')
  })
})

test.each([
  ['unknown', { lifecycle: 'active', confirmed: false }],
  ['not_done', { lifecycle: 'uninitialized', confirmed: undefined }],
] as const)('a start whose outcome is %s', (result, expected) => {
  const sim = new Sim()
  sim.make({ do: 'command', agent: 1, what: 'spawn' })
  sim.make({ do: 'answer', which: 0, result, survives: false })
  const started = sim.events.find((event) => event.type === 'agent.started')
  expect({
    lifecycle: sim.world.agents.get('agent-1')?.lifecycle,
    confirmed: started?.type === 'agent.started' ? started.confirmed : undefined,
  }).toEqual(expected)
})

test('a start that nobody confirmed and nobody sees asks for a person', () => {
  const sim = new Sim()
  sim.make({ do: 'command', agent: 1, what: 'spawn' })
  sim.wait(60, true)
  expect(sim.world.agents.get('agent-1')?.needsYou.map(({ kind }) => kind)).toEqual(['quiet'])
})

test('a start cut off by an emergency stop that was never confirmed can still be killed', () => {
  const sim = new Sim()
  sim.make({ do: 'command', agent: 1, what: 'spawn' })
  sim.make({ do: 'command', agent: 1, what: 'emergency' })
  sim.wait(5, true)
  expect(sim.world.house.emergency.state).toBe('stopped')
  sim.make({ do: 'command', agent: 1, what: 'resume' })
  sim.make({ do: 'answer', which: sim.open.length - 1, result: 'done', survives: false })
  const { reply } = sim.input({ type: 'command', by: 'you', command: { type: 'agent.kill', agent: 'agent-1' } })
  expect(reply).toMatchObject({ ok: true })
})

test('an effect that nobody answered is settled when its time is over', () => {
  const sim = house()
  sim.make({ do: 'command', agent: 1, what: 'message' })
  const [message] = sim.open as [Effect]
  sim.wait(2, true)
  const settled = sim.moments.flatMap(({ result }) => result.settled)
  expect(settled).toContainEqual({ effect: message.id, outcome: 'unknown' })
})

describe('Cloister doubts itself', () => {
  test.each([
    ['the clock went ahead', { do: 'jump', minutes: 480 }],
    ['the clock was set back', { do: 'jump', minutes: -180 }],
  ] as const)('%s', (_, move) => {
    const sim = house()
    const since = sim.events.length
    sim.make(move)
    expect(types(sim, since)).toEqual(['house.clock-jumped'])
    expect(sim.world.observer.looksOwed).toBe(2)
  })

  test('a timer that fires late', () => {
    const sim = house()
    const since = sim.events.length
    sim.input({ type: 'tick', lateMs: HOUR })
    expect(types(sim, since)).toEqual(['house.degraded'])
  })

  test('a look that does not come', () => {
    const sim = house()
    const since = sim.events.length
    sim.wait(3, false)
    expect(types(sim, since)).toEqual(['house.degraded'])
  })
})

test('a kill that was refused leaves an agent that is looked after like any other', () => {
  const sim = house()
  sim.make({ do: 'command', agent: 1, what: 'kill' })
  sim.make({ do: 'answer', which: 0, result: 'not_done', survives: false })
  expect(sim.world.agents.get('agent-1')).toMatchObject({ wanted: 'run', lifecycle: 'active' })
  expect(sim.world.agents.get('agent-1')?.needsYou.map(({ kind }) => kind)).toEqual(['salvage_failed'])
})

test('reports of old generations are said once each, however often they come', () => {
  const sim = house()
  for (let n = 0; n < 3; n += 1) {
    sim.make({ do: 'command', agent: 1, what: 'kill' })
    sim.make({ do: 'answer', which: 0, result: 'done', survives: false })
    sim.make({ do: 'answer', which: 0, result: 'done', survives: false })
    sim.make({ do: 'command', agent: 1, what: 'spawn' })
    sim.make({ do: 'answer', which: 0, result: 'done', survives: false })
  }
  for (let n = 0; n < 100; n += 1) {
    sim.input({
      type: 'report',
      sighting: { agent: 'agent-1', generation: 1 + (n % 3), witness: 'hook', stamp: `${n}` },
    })
  }
  expect(types(sim).filter((type) => type === 'agent.fenced').length).toBeLessThanOrEqual(3)
})

test('the mass event ends when those it was about are well, whatever else is wrong', () => {
  const sim = new Sim()
  for (const n of [1, 2, 3, 4, 5, 6]) {
    sim.make({ do: 'command', agent: n, what: 'spawn' })
    sim.make({ do: 'answer', which: 0, result: 'done', survives: false })
  }
  const see = (n: number, alive: boolean, stamp: string) =>
    sim.input({
      type: 'report',
      sighting: {
        agent: `agent-${n}`,
        generation: 1,
        ...(alive
          ? { witness: 'hook', stamp, doing: { kind: 'thinking' }, progress: stamp }
          : { witness: 'process', alive: false }),
      },
    })
  for (const n of [1, 2, 3, 4, 5, 6]) see(n, true, 'a')
  sim.wait(1, true)
  for (const n of [4, 5]) {
    see(n, false, '')
    sim.wait(2, true)
  }
  sim.wait(20, true)
  expect(sim.world.house.mass).toBeDefined()
  const members = sim.world.house.mass?.agents ?? []
  for (const id of members) see(Number(id.slice('agent-'.length)), true, 'b')
  sim.wait(1, true)
  expect(sim.world.house.mass).toBeUndefined()
  expect(sim.world.house.observedAt).toBeGreaterThan(MINUTE)
})

test('an emergency stop names whom it ended, seen dead meanwhile or not, and not who was dead before', () => {
  const sim = new Sim()
  for (const agent of [1, 2]) {
    sim.make({ do: 'command', agent, what: 'spawn' })
    sim.make({ do: 'answer', which: 0, result: 'done', survives: false })
  }
  sim.wait(2, true)
  sim.make({ do: 'crash', agent: 1, code: 1 })
  sim.wait(1, false)
  sim.make({ do: 'sentinel' })
  sim.make({ do: 'crash', agent: 2, code: 137 })
  const stop = sim.open.findIndex(({ type }) => type === 'fleet.stop')
  sim.make({ do: 'answer', which: stop, result: 'done', survives: false })
  expect(sim.events.findLast(({ type }) => type === 'emergency.ended')).toMatchObject({ stopped: ['agent-2'] })
})
