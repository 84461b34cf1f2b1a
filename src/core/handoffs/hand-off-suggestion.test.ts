import { expect, test } from 'vitest'
import { House } from '../../../tests/nights/house.ts'
import { perform } from '../../../tests/nights/script.ts'
import { suggestionView } from './hand-off-suggestion.ts'

async function suggested(...lines: string[]) {
  const house = new House()
  for (const line of lines.filter((each) => each.startsWith('set'))) await perform(house, line)
  await house.boot()
  for (const line of lines.filter((each) => !each.startsWith('set'))) await perform(house, line)
  house.loop.stop()
  const { key, ...view } = suggestionView(house.loop.world, 'agent-1') ?? {}
  return { ...view, ...(key === undefined ? {} : { key: typeof key }) }
}

const NONE = { suggested: false, trigger: null, currentModel: 'sonnet', suggestedModel: 'sonnet' }

test('nothing speaks for it', async () => {
  expect(await suggested('spawn agent-1 sonnet', 'wait 2m')).toEqual({
    ...NONE,
    reason: 'nothing calls for other hands',
  })
  const rests = ['spawn agent-1 sonnet', 'wait 1m', 'agent-1 idles', 'wait 1m']
  expect(await suggested(...rests)).toEqual({ ...NONE, reason: 'nothing calls for other hands' })
})

test('what a rule would do, while it is kept from it: with the evidence, the price and why not now', async () => {
  const lines = [
    'spawn agent-1 haiku',
    'wait 1m',
    'hold agent-1 1h',
    'agent-1 has cost 2',
    'agent-1 tests vitest failing',
  ]
  expect(await suggested(...lines, 'wait 1m')).toEqual({
    suggested: true,
    trigger: 'test_failure',
    currentModel: 'haiku',
    suggestedModel: 'sonnet',
    reason: 'Its tests failed, which is too much for haiku; sonnet goes on',
    evidence: ['vitest failed: it says that 1 failed'],
    key: 'string',
    notNow: expect.stringMatching(/^agent-1 is held by you/),
    estimate: { from: 2, to: 2, opus: 2 },
    estimatedSavings: 0,
  })
})

test('one that waits for a yes', async () => {
  const lines = [
    'set require_approval downgrade_from_opus',
    'spawn agent-1 opus',
    'wait 1m',
    'agent-1 leaves plan mode',
  ]
  expect(await suggested(...lines, 'wait 1m')).toMatchObject({
    suggested: true,
    trigger: 'planning_complete',
    suggestedModel: 'sonnet',
    evidence: ['plan mode left: ExitPlanMode accepted'],
    key: 'string',
    open: { state: 'awaiting_approval', to: 'sonnet' },
  })
})

test('of one that sleeps nothing is suggested', async () => {
  const lines = ['spawn agent-1 sonnet', 'wait 1m', 'agent-1 idles', 'suspend agent-1', 'wait 1m']
  expect(await suggested(...lines)).toMatchObject({ suggested: false, reason: 'it is suspended' })
})
