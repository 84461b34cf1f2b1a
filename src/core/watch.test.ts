import { beforeEach, expect, test } from 'vitest'
import { Sim } from '../../tests/properties/sim.ts'
import type { Doing } from '../contract/evidence.ts'
import { SECOND } from './durations.ts'
import { CAUSE_EVERY_MS } from './watch.ts'

let sim: Sim
let since: number

beforeEach(() => {
  sim = new Sim()
  sim.make({ do: 'command', agent: 1, what: 'spawn' })
  sim.make({ do: 'answer', which: 0, result: 'done', survives: false })
  since = sim.events.length
})

const thinking: Doing = { kind: 'thinking' }
const bash: Doing = { kind: 'tool', name: 'Bash', boundMs: 600 * SECOND }
const asks: Doing = { kind: 'permission', what: 'rm -rf build' }

function says(doing: Doing): void {
  const seen = { witness: 'hook', progress: false, alive: true, busy: true, stale: false } as const
  sim.make({ do: 'see', agent: 1, doing, ...seen })
}

function pass(ms: number): void {
  sim.wait(ms / 60_000, true)
}

function recorded(): string[] {
  return sim.events
    .slice(since)
    .flatMap((event) => (event.type === 'agent.health-changed' ? `${event.from}-${event.to} ${event.cause.kind}` : []))
}

test('leaving the start is recorded once; how it works is not', () => {
  says({ kind: 'starting' })
  pass(10 * SECOND)
  for (let n = 0; n < 100; n += 1) {
    says(bash)
    pass(SECOND)
    says(thinking)
    pass(SECOND)
  }
  expect(recorded()).toEqual(['active-active working_tool'])
})

test('a cause that is gone again in a moment is not recorded, and one that stays is, by time alone', () => {
  says(thinking)
  pass(60 * SECOND)
  since = sim.events.length
  says(asks)
  says(thinking)
  says(asks)
  says(thinking)
  expect(recorded()).toEqual(['active-active waiting_permission'])
  pass(CAUSE_EVERY_MS)
  expect(recorded()).toEqual(['active-active waiting_permission', 'active-active thinking'])
})

test('however its causes flap, few are recorded', () => {
  says(thinking)
  pass(60 * SECOND)
  since = sim.events.length
  for (let n = 0; n < 600; n += 1) {
    says(n % 2 === 0 ? asks : bash)
    pass(SECOND / 10)
  }
  expect(recorded().length).toBeLessThanOrEqual((60 * SECOND) / CAUSE_EVERY_MS + 1)
})

test('another health is recorded at once', () => {
  says(thinking)
  pass(60 * SECOND)
  says(asks)
  says({ kind: 'looping', what: 'npm test', times: 8 })
  expect(recorded().slice(-2)).toEqual(['active-active waiting_permission', 'active-warning looping'])
})

test('the health goes on when only its cause changes', () => {
  says({ kind: 'starting' })
  pass(30 * SECOND)
  const { sinceAt } = sim.world.agents.get('agent-1')?.verdict ?? {}
  says(bash)
  expect(sim.world.agents.get('agent-1')?.verdict).toMatchObject({
    healthAt: sinceAt,
    sinceAt: sim.world.house.observedAt,
  })
})
