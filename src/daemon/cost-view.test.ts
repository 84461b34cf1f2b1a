import { expect, test } from 'vitest'
import { tierPrices } from '../adapters/prices/list-prices.ts'
import { agentRecord } from '../../tests/samples/agents.ts'
import { handoffRecord } from '../../tests/samples/handoffs.ts'
import { costView } from './cost-view.ts'
import { reckonSavings } from './handoff-savings.ts'

test('what was used by the name of a tier costs the same wherever it is told', async () => {
  const sonnet = { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, messages: 1 }
  const usage = async (sessions: readonly string[]) => ({ sessions, models: { sonnet } })
  const prices = tierPrices({ sonnet: 'claude-sonnet-5-5' })
  const sources = { runtimes: new Map([['virtual', { usage }]]), prices }
  const handoffs = [handoffRecord({ id: 'h-1', state: 'done', successor: 's-1' })]
  const agent = agentRecord({ sessions: ['s-1'], sessionId: 's-1', handoffs })
  const view = await costView(sources, agent, { wallAt: 50, observedAt: 50 })
  const savings = await reckonSavings(sources, agent, 'h-1')
  expect([view.models.map(({ model, usd }) => [model, usd]), savings?.usedUsd]).toEqual([[['sonnet', 2]], 2])
})
