import { expect, test } from 'vitest'
import { Sim } from '../../tests/properties/sim.ts'
import type { Effect, Outcome } from '../contract/effects.ts'

/** One agent that lives and works. */
function house(): Sim {
  const sim = new Sim()
  sim.make({ do: 'command', agent: 1, what: 'spawn' })
  outcome(sim, { result: 'done' })
  const said = { witness: 'hook', stamp: 't1', doing: { kind: 'thinking' }, sessionId: 'session-a' } as const
  sim.input({ type: 'report', sighting: { agent: 'agent-1', generation: 1, ...said } })
  sim.open.length = 0
  return sim
}

/** Answers the oldest effect. */
function outcome(sim: Sim, answer: Outcome): Effect['type'] {
  const effect = sim.open.shift() as Effect
  sim.input({ type: 'outcome', effect, outcome: answer })
  return effect.type
}

const pressed: Outcome = { result: 'done', unconfirmed: true }

/** What is done of an interrupt when every check finds the agent as said. */
function interrupted(found: Outcome['result']): string[] {
  const sim = house()
  sim.input({ type: 'command', by: 'you', command: { type: 'agent.interrupt', agent: 'agent-1' } })
  const done: string[] = []
  for (let n = 0; n < 40 && sim.world.agents.get('agent-1')?.act !== undefined; n += 1) {
    const next = sim.open[0]?.type
    if (next === undefined) sim.wait(0.1, true)
    else done.push(outcome(sim, next === 'session.check-rest' ? { result: found } : pressed))
  }
  return done.map((type) => type.replace('session.', ''))
}

test('one that goes on with what was queued is interrupted again, three times in all', () => {
  const again = ['interrupt', 'check-rest', 'interrupt', 'check-rest', 'interrupt', 'check-rest']
  expect(interrupted('not_done')).toEqual([...again, 'check-rest', 'check-rest', 'check-rest'])
})

test('of one of whom nobody knows whether it rests the key is pressed once', () => {
  const checks = Array.from({ length: 6 }, () => 'check-rest')
  expect(interrupted('unknown')).toEqual(['interrupt', ...checks])
})

test('a person does not have to wait for an order to interrupt: the order is taken back first', () => {
  const sim = house()
  const ask = (type: 'agent.rest' | 'agent.interrupt') =>
    sim.input({ type: 'command', by: 'you', command: { type, agent: 'agent-1' } }).reply
  ask('agent.rest')
  const sentence = 'a rest by you is under way on agent-1'
  expect(ask('agent.interrupt')).toMatchObject({ ok: false, refusal: { code: 'busy', sentence } })
  expect(outcome(sim, pressed)).toBe('order.leave')
  expect(ask('agent.interrupt')).toMatchObject({ ok: true })
  expect(sim.open.map(({ type }) => type)).toEqual(['order.withdraw', 'session.interrupt'])
  expect(sim.world.agents.get('agent-1')?.act).toMatchObject({ kind: 'interrupt', step: 'doing' })
})

test.each<[string, (sim: Sim) => void]>([
  ['it says so itself', says],
  ['its program does', (sim) => check(sim, { result: 'done' })],
  [
    'and one that goes on working',
    (sim) => Array.from({ length: 10 }).forEach(() => check(sim, { result: 'not_done' })),
  ],
])('an order is taken back when the act ends, for what comes next is not meant: %s', (_, end) => {
  const sim = house()
  sim.input({ type: 'command', by: 'you', command: { type: 'agent.rest', agent: 'agent-1' } })
  expect(outcome(sim, pressed)).toBe('order.leave')
  end(sim)
  expect(sim.world.agents.get('agent-1')?.act).toBeUndefined()
  expect(sim.open.map(({ type }) => type)).toEqual(['order.withdraw'])
})

function says(sim: Sim): void {
  const said = { witness: 'hook', stamp: 't2', doing: { kind: 'idle' } } as const
  sim.input({ type: 'report', sighting: { agent: 'agent-1', generation: 1, ...said } })
}

function check(sim: Sim, found: Outcome): void {
  for (let n = 0; n < 40 && sim.open.length === 0; n += 1) sim.wait(0.1, true)
  outcome(sim, found)
}
