import { expect, test } from 'vitest'
import { fixtureAgent } from '../../../../tests/samples/fixture-fleet.ts'
import { found, rowsOf } from './found.ts'

const agents = [
  { ...fixtureAgent(1, 'stuck'), id: 'agent-pan-1', title: 'Upload in pieces', model: 'opus' },
  { ...fixtureAgent(2, 'active'), id: 'agent-pan-2', title: 'Currency of refunds', model: 'sonnet' },
  { ...fixtureAgent(24, 'active'), id: 'test-agent', title: 'Runs the suite', model: 'opus' },
]

test.each([
  { wanted: {}, ids: ['agent-pan-1', 'agent-pan-2', 'test-agent'] },
  { wanted: { q: '  OPUS ' }, ids: ['agent-pan-1', 'test-agent'] },
  { wanted: { q: 'opus upload' }, ids: ['agent-pan-1'] },
  { wanted: { states: ['active'] as const }, ids: ['agent-pan-2', 'test-agent'] },
  { wanted: { q: 'opus', states: ['active', 'idle'] as const }, ids: ['test-agent'] },
  { wanted: { q: 'nobody' }, ids: [] },
])('$wanted finds $ids', ({ wanted, ids }) => {
  expect(found(agents, wanted).map(({ id }) => id)).toEqual(ids)
})

test('sections are cut into rows, and one without agents is left out', () => {
  expect(rowsOf(agents, 2)).toEqual([
    { type: 'heading', title: 'Specialists', size: 1 },
    { type: 'cards', ids: ['test-agent'] },
    { type: 'heading', title: 'Issues', size: 2 },
    { type: 'cards', ids: ['agent-pan-1', 'agent-pan-2'] },
  ])
})
