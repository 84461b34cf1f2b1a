import { expect, test } from 'vitest'
import { agentRecord } from '../../tests/samples/agents.ts'
import { handoffRecord } from '../../tests/samples/handoffs.ts'
import type { UseByModel } from '../core/costs/price.ts'
import { reckonSavings, withSavings, type SavingsSources } from './handoff-savings.ts'

/** US dollars for a million tokens, the same for every kind. */
const PRICES: Readonly<Record<string, number>> = { haiku: 1, sonnet: 3, opus: 15 }
const prices = {
  ratesOf: (model: string) => {
    const usd = PRICES[model]
    return usd === undefined
      ? undefined
      : { input: usd, output: usd, cacheRead: usd, cacheWrite5m: usd, cacheWrite1h: usd }
  },
}
const used = (input: number) => ({ input, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, messages: 1 })

function sources(bySession: Readonly<Record<string, UseByModel>>): SavingsSources {
  const usage = async (sessions: readonly string[]) => ({
    sessions,
    models: Object.assign({}, ...sessions.map((session) => bySession[session] ?? {})) as UseByModel,
  })
  return { runtimes: new Map([['virtual', { usage }]]), prices }
}

const first = handoffRecord({
  id: 'h-1',
  state: 'done',
  from: { model: 'sonnet', runtime: 'virtual', generation: 1 },
  to: { model: 'haiku', runtime: 'virtual' },
  successor: 's-2',
  captured: { digest: 'd', bytes: 400_000, parts: [] },
})
const second = handoffRecord({ id: 'h-2', state: 'done', successor: 's-4' })
const agent = agentRecord({ sessions: ['s-1', 's-2', 's-3', 's-4'], handoffs: [first, second] })

test('what its successor used, and what the same would have cost: without what it had to read in', async () => {
  const use = { 's-2': { haiku: used(1_000_000) }, 's-4': { opus: used(9_000_000) } }
  expect(await reckonSavings(sources(use), agent, 'h-1')).toEqual({
    usedUsd: 1,
    againstStaying: 1.7,
    againstOpus: 12.5,
    why: 'The same tokens at the other price.',
  })
})

test('nothing is made up: no price, no use, no session, no such hand-off', async () => {
  expect(await reckonSavings(sources({ 's-2': { mystery: used(5) } }), agent, 'h-1')).toEqual({
    why: 'mystery has no known price.',
  })
  expect(await reckonSavings(sources({}), agent, 'h-1')).toEqual({ why: 'Nothing was used since.' })
  expect(await reckonSavings(sources({}), { ...agent, sessions: [] }, 'h-1')).toBe(undefined)
  expect(await reckonSavings(sources({}), agent, 'h-9')).toBe(undefined)
})

test('as an outcome', async () => {
  const done = async () => ({ result: 'done' }) as const
  const files = { writeDown: done, seeDocument: done, prompt: async () => 'text' }
  const handoffs = withSavings(files, sources({ 's-2': { haiku: used(1_000_000) } }))
  expect(await handoffs.prompt({ id: 'h-1' })).toBe('text')
  expect(await handoffs.reckon?.(agent, 'h-1')).toMatchObject({ result: 'done', savings: { usedUsd: 1 } })
  expect(await handoffs.reckon?.(agent, 'h-9')).toEqual({
    result: 'not_done',
    detail: 'what its successor used is not known',
  })
})
