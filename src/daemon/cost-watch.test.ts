import { expect, onTestFinished, test } from 'vitest'
import { agentRecord } from '../../tests/samples/agents.ts'
import { VirtualClock } from '../../tests/fakes/virtual-clock.ts'
import type { CostView } from '../contract/cost-views.ts'
import type { Event } from '../contract/events.ts'
import type { AgentRecord } from '../contract/records.ts'
import { CostWatch } from './cost-watch.ts'
import { Durable } from './durable.ts'

const SECOND = 1000
const NO_TOKENS = { input: 0, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 }

function view(usd: number | null, unpriced: string[] = []): CostView {
  return {
    ...{ agent: 'agent-1', at: 0, sessions: [], client: null, differenceUsd: null, differencePercent: null, why: '' },
    models: [{ model: 'sonnet', tokens: NO_TOKENS, messages: 1, usd }],
    total: { tokens: NO_TOKENS, messages: 1, usd, unpriced },
  }
}

function watched() {
  const clock = new VirtualClock(0)
  const durable = new Durable(0)
  const agents = new Map<string, AgentRecord>()
  const set = (...ids: string[]) => {
    for (const id of ids) agents.set(id, agentRecord({ id, lifecycle: 'active' }))
  }
  set('agent-1', 'agent-2')
  const costs: Record<string, CostView | Error> = { 'agent-1': view(1), 'agent-2': view(2) }
  const [counted, told]: [string[], [string, number | undefined][]] = [[], []]
  const watch = new CostWatch({
    ...{ clock, loop: { world: { agents }, durable } },
    journal: { publishCost: (id, usd) => void told.push([id, usd]) },
    costOf: ({ id }) => {
      counted.push(id)
      const cost = costs[id] ?? new Error('unknown')
      return cost instanceof Error ? Promise.reject(cost) : Promise.resolve(cost)
    },
  })
  watch.begin()
  onTestFinished(() => watch.stop())
  const rests = (id: string) => {
    const event = { type: 'agent.lifecycle-changed', agent: id, from: 'active', to: 'idle' } as unknown as Event
    agents.set(id, agentRecord({ id, lifecycle: 'idle' }))
    durable.tell([event], [id])
  }
  return { clock, durable, agents, costs, counted, told, watch, rests }
}

test('everybody is counted after the start, who works at most once a minute, who came to rest soon', async () => {
  const { clock, durable, costs, counted, told, rests } = watched()
  await clock.advance(2 * SECOND)
  expect(told.splice(0)).toEqual([
    ['agent-1', 1],
    ['agent-2', 2],
  ])
  costs['agent-1'] = view(1.123_456_789)
  for (let n = 0; n < 59; n += 1) {
    durable.tell([], ['agent-1'])
    await clock.advance(SECOND)
  }
  expect([counted.splice(0), told]).toEqual([['agent-1', 'agent-2'], []])
  await clock.advance(SECOND)
  expect([counted.splice(0), told.splice(0)]).toEqual([['agent-1'], [['agent-1', 1.123_457]]])
  costs['agent-2'] = view(3)
  rests('agent-2')
  await clock.advance(2 * SECOND)
  expect(told.splice(0)).toEqual([['agent-2', 3]])
  // Whoever rests is left alone, whatever else is noted of it.
  durable.tell([], ['agent-2'])
  counted.splice(0)
  await clock.advance(600 * SECOND)
  expect([counted, told]).toEqual([[], []])
})

test('what did not change is not published, and what is unknown or unpriced is never called free', async () => {
  const { clock, costs, told, rests } = watched()
  costs['agent-1'] = { ...view(0), models: [] }
  costs['agent-2'] = view(null, ['mystery'])
  await clock.advance(2 * SECOND)
  expect(told).toEqual([])
  costs['agent-1'] = view(1)
  const again = async (id: string) => {
    rests(id)
    await clock.advance(2 * SECOND)
    return told.splice(0)
  }
  expect(await again('agent-1')).toEqual([['agent-1', 1]])
  expect(await again('agent-1')).toEqual([])
  // Where it cannot be read now, what was known stays.
  costs['agent-1'] = new Error('EIO')
  expect(await again('agent-1')).toEqual([])
  costs['agent-1'] = view(1.5, ['mystery'])
  expect(await again('agent-1')).toEqual([['agent-1', undefined]])
})

test('who was forgotten is not counted, and nobody after the end', async () => {
  const { clock, durable, agents, counted, watch, rests } = watched()
  agents.delete('agent-1')
  durable.tell([], ['agent-1'])
  await clock.advance(2 * SECOND)
  expect(counted.splice(0)).toEqual(['agent-2'])
  rests('agent-2')
  watch.stop()
  await clock.advance(60 * SECOND)
  expect(counted).toEqual([])
})
