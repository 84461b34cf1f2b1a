import { expect, test } from 'vitest'
import { Sim } from '../../tests/properties/sim.ts'
import type { AgentEffect, Outcome } from '../contract/effects.ts'
import { MINUTE, SECOND } from './durations.ts'

/** One agent that lives and works. */
function house(): Sim {
  const sim = new Sim()
  sim.make({ do: 'command', agent: 1, what: 'spawn' })
  settle(sim, { result: 'done' })
  const said = { witness: 'hook', stamp: 't1', doing: { kind: 'thinking' }, sessionId: 'session-a' } as const
  sim.input({ type: 'report', sighting: { agent: 'agent-1', generation: 1, ...said } })
  sim.open.length = 0
  return sim
}

/** Answers the oldest effect. */
function settle(sim: Sim, outcome: Outcome): void {
  const effect = sim.open.shift()
  if (effect === undefined) throw new Error('nothing is open')
  sim.input({ type: 'outcome', effect, outcome })
}

const typed: Outcome = { result: 'done', unconfirmed: true }
const by = { type: 'command', by: 'you' } as const
const agent = 'agent-1'

test.each<[string, Parameters<Sim['input']>[0], Outcome, object]>([
  [
    'a kill ends what was saved',
    { ...by, command: { type: 'agent.kill', agent } },
    { result: 'done' },
    { type: 'session.end', step: 'ending', attempts: 1, withinMs: MINUTE },
  ],
  [
    'a kill saves again',
    { ...by, command: { type: 'agent.kill', agent } },
    { result: 'unknown' },
    { type: 'work.salvage', step: 'salvaging', attempts: 2, withinMs: MINUTE },
  ],
  [
    'an interrupt is looked into',
    { ...by, command: { type: 'agent.interrupt', agent } },
    typed,
    { type: 'session.check-rest', step: 'checking', attempts: 1, withinMs: 10 * SECOND },
  ],
  [
    'a message is looked into',
    { ...by, command: { type: 'agent.message', agent, text: 'Go on.' } },
    typed,
    { type: 'session.check-text', step: 'checking', attempts: 1, withinMs: 30 * SECOND },
  ],
])('a step and the effect it waits for come together: %s', (_, command, answer, next) => {
  const sim = house()
  sim.input(command)
  settle(sim, answer)
  for (let n = 0; n < 40 && sim.open.length === 0; n += 1) sim.wait(0.1, true)
  const act = sim.world.agents.get(agent)?.act
  const [effect] = sim.open as AgentEffect[]
  expect(effect).toMatchObject({ id: act?.effect, agent, generation: 1 })
  const stepped = sim.events.findLast((event) => event.type === 'act.stepped')
  const withinMs = (act?.deadlineAt ?? 0) - (stepped?.observedAt ?? 0)
  expect({ type: effect?.type, step: act?.step, attempts: act?.attempts, withinMs }).toEqual(next)
})
