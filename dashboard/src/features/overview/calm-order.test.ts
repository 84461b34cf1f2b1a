import { expect, test } from 'vitest'
import { fixtureAgent } from '../../../../tests/samples/fixture-fleet.ts'
import { kept, worstFirst } from './calm-order.ts'

test('the worst come first, equal ones by name', () => {
  const agents = [
    { ...fixtureAgent(1, 'active'), id: 'a', asOf: 0 },
    { ...fixtureAgent(2, 'stuck'), id: 'b', asOf: 0 },
    { ...fixtureAgent(3, 'active'), id: 'c', asOf: 0 },
    { ...fixtureAgent(4, 'warning'), id: 'd', asOf: 0 },
  ]
  expect(worstFirst(agents)).toEqual(['b', 'd', 'a', 'c'])
})

test('between two changes of places who is gone leaves and who is new comes last', () => {
  expect(kept(['c', 'b', 'a'], [{ id: 'a' }, { id: 'c' }, { id: 'd' }])).toEqual(['c', 'a', 'd'])
})
