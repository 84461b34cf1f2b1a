import { expect, test } from 'vitest'
import { House } from '../../../tests/nights/house.ts'
import { perform } from '../../../tests/nights/script.ts'
import { SETTINGS } from '../../../tests/samples/agents.ts'
import { choicesView } from './hand-off-choices.ts'

async function played(...lines: string[]): Promise<House> {
  const house = new House()
  await house.boot()
  for (const line of lines) await perform(house, line)
  return house
}

test('tiers come first, then what its fellows run with; each with its price', async () => {
  const house = await played('spawn agent-1 sonnet', 'spawn agent-2 steady')
  house.fleet.receive({ agent: 'agent-1', generation: 1, witness: 'hook', gauges: { sessionCostUsd: 2 } })
  await house.wait(1_000)
  const estimate = { from: 2, to: 2, opus: 2 }
  expect(choicesView(house.loop.world, 'agent-1')).toEqual({
    agent: 'agent-1',
    model: 'sonnet',
    runtime: 'virtual',
    models: [
      { model: 'opus', tier: 'opus', estimate },
      { model: 'sonnet', tier: 'sonnet', estimate },
      { model: 'haiku', tier: 'haiku', estimate },
      { model: 'steady', estimate },
    ],
    runtimes: ['other', 'virtual'],
    dearer: { model: 'opus' },
    cheaper: { model: 'haiku' },
  })
})

test.each([
  { model: 'opus', dearer: { why: 'there is no tier dearer than opus' }, cheaper: { model: 'sonnet' } },
  { model: 'haiku', dearer: { model: 'sonnet' }, cheaper: { why: 'there is no tier cheaper than haiku' } },
  { model: 'claude-opus-4-5', dearer: { why: 'there is no tier dearer than opus' }, cheaper: { model: 'sonnet' } },
  {
    model: 'steady',
    dearer: { why: 'nobody knows what is dearer or cheaper than steady: it is of no tier' },
    cheaper: { why: 'nobody knows what is dearer or cheaper than steady: it is of no tier' },
  },
])('next to $model', async ({ model, dearer, cheaper }) => {
  const house = await played(`spawn agent-1 ${model}`)
  expect(choicesView(house.loop.world, 'agent-1')).toMatchObject({ dearer, cheaper })
})

test('a cheap tier of its own is the lowest rung', async () => {
  const house = await played('spawn agent-1 haiku')
  const { world } = house.loop
  const routing = { ...SETTINGS.routing, tiers: { ...SETTINGS.routing.tiers, cheap: 'tiny-1' } }
  const view = choicesView({ ...world, settings: { ...world.settings, routing } }, 'agent-1')
  expect(view).toMatchObject({ cheaper: { model: 'cheap' }, models: [{}, {}, {}, { model: 'cheap', tier: 'cheap' }] })
})

test('why nothing can be handed over now is said with what to do', async () => {
  const house = await played('spawn agent-1', 'wait 1m', 'propose agent-1 opus')
  expect(choicesView(house.loop.world, 'agent-1')?.barred?.sentence).toMatch(/^a hand-off of agent-1 to opus by you is/)
  await perform(house, 'refuse agent-1')
  await perform(house, 'kill agent-1')
  await house.wait(60_000)
  expect(choicesView(house.loop.world, 'agent-1')?.barred).toEqual({
    sentence: 'agent-1 is stopped, so that there is nothing to hand over',
    hint: 'Start it with the other model: `pan agents spawn agent-1 --model …`.',
  })
  expect(choicesView(house.loop.world, 'nobody')).toBeUndefined()
})
