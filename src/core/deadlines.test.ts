import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Deadlines } from './deadlines.ts'

const key = fc.constantFrom('a', 'b', 'c', 'd')
const at = fc.integer({ min: 0, max: 20 })
const operation = fc.oneof(
  fc.record({ do: fc.constant('set' as const), key, at }),
  fc.record({ do: fc.constant('clear' as const), key }),
  fc.record({ do: fc.constant('take' as const), now: at, limit: fc.integer({ min: 1, max: 5 }) }),
)

/** What the heap must do, done the slow way. */
class Plain {
  readonly due = new Map<string, number>()

  next(): number | undefined {
    return this.due.size === 0 ? undefined : Math.min(...this.due.values())
  }

  take(now: number, limit: number): string[] {
    const keys = [...this.due]
      .filter(([, due]) => due <= now)
      .toSorted(([a, dueA], [b, dueB]) => dueA - dueB || (a < b ? -1 : 1))
      .slice(0, limit)
      .map(([name]) => name)
    for (const name of keys) this.due.delete(name)
    return keys
  }
}

test('the heap does what a plain list would', () => {
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 200 }), (operations) => {
      const heap = new Deadlines()
      const plain = new Plain()
      for (const each of operations) {
        if (each.do === 'set') {
          heap.set(each.key, each.at)
          plain.due.set(each.key, each.at)
        } else if (each.do === 'clear') {
          heap.clear(each.key)
          plain.due.delete(each.key)
        } else expect(heap.take(each.now, each.limit)).toEqual(plain.take(each.now, each.limit))
        expect(heap.next()).toBe(plain.next())
      }
    }),
    { numRuns: 1_000 },
  )
})

test('a deadline that moves on and on does not make the heap grow', () => {
  const heap = new Deadlines()
  for (let n = 0; n < 10_000; n += 1) heap.set(`key-${n % 10}`, 10_000 - n)
  expect(heap.next()).toBe(1)
  expect(heap.take(Infinity, Infinity)).toHaveLength(10)
})
