import { expect, test } from 'vitest'
import type { NeedsYou } from '../../../src/contract/needs-you.ts'
import { joined, type Lingering } from './lingering.ts'

function item(id: string, raisedWallAt: number): NeedsYou {
  return { id, kind: 'waiting', sentence: `${id}?`, hint: '', raisedWallAt }
}

const [first, second, third] = [item('n-1', 10), item('n-2', 20), item('n-3', 30)] as const
const waits = (of: NeedsYou): Lingering => ({ item: of, isSettled: false })
const settled = (of: NeedsYou): Lingering => ({ item: of, isSettled: true })

test.each([
  { what: 'oldest first', shown: [], open: [second, first], after: [waits(first), waits(second)] },
  {
    what: 'what was settled keeps its place, and what is new comes after',
    shown: [waits(first), waits(second)],
    open: [second, third],
    after: [settled(first), waits(second), waits(third)],
  },
  { what: 'what is back waits again', shown: [settled(first)], open: [first], after: [waits(first)] },
])('$what', ({ shown, open, after }) => {
  expect(joined(shown, open)).toEqual(after)
})
