import { expect, test } from 'vitest'
import { virtualRuntime } from '../../../tests/fakes/virtual-runtime.ts'
import { agentRecord, SETTINGS } from '../../../tests/samples/agents.ts'
import type { AgentRecord } from '../../contract/records.ts'
import type { Settings } from '../../contract/settings.ts'
import { cycleAhead, cycleView } from './cycle-view.ts'
import { MINUTE } from '../durations.ts'
import type { Capabilities } from '../runtime-port.ts'
import { createWorld } from '../world.ts'

const { capabilities } = virtualRuntime
const fills = [0, 5, 10].map((k) => ({ at: (k - 10) * MINUTE, tokens: 90_000 + 3_600 * k }))
const gauges = { context: { tokens: 126_000, window: 200_000, source: 'status_line' as const } }
const OFF: Settings = {
  ...SETTINGS,
  handoffs: { ...SETTINGS.handoffs, cycle: { ...SETTINGS.handoffs.cycle, enabled: false } },
}

function worldOf(can: Capabilities, settings = SETTINGS) {
  return createWorld(settings, {}, { capabilities: new Map([['virtual', can]]) })
}

test('how full, from when on, how fast, and when it is due', () => {
  const agent = agentRecord({ gauges, fills })
  const world = worldOf(capabilities)
  expect(cycleView(world, agent)).toEqual({
    share: 0.7,
    threshold: 0.85,
    tokensPerMinute: 3_600,
    dueInMs: 7.5 * MINUTE,
  })
  expect(cycleAhead(world, agent)).toEqual([
    {
      inMs: 7.5 * MINUTE,
      what: 'its context (70 % of what can be used) reaches 85 %: it begins a fresh one',
      isAct: true,
    },
  ])
})

test.each<[string, AgentRecord, ReturnType<typeof worldOf>]>([
  ['a runtime that cannot clear', agentRecord({ gauges, fills }), worldOf({ ...capabilities, clear: false })],
  ['switched off', agentRecord({ gauges, fills }), worldOf(capabilities, OFF)],
  ['nobody knows how full it is', agentRecord(), worldOf(capabilities)],
])('%s: there is none ahead', (_, agent, world) => {
  expect([cycleView(world, agent), cycleAhead(world, agent)]).toEqual([undefined, []])
})
