import { expect, test } from 'vitest'
import { atMost } from './at-most.ts'

test('never more at once than allowed, in the order given, and a failure makes room too', async () => {
  const gate = atMost(2)
  const began: number[] = []
  let running = 0
  let most = 0
  const works = Array.from({ length: 7 }, (_, n) =>
    gate(async () => {
      began.push(n)
      running += 1
      most = Math.max(most, running)
      await new Promise((done) => setImmediate(done))
      running -= 1
      if (n === 3) throw new Error('on purpose')
      return n
    }),
  )
  const results = await Promise.allSettled(works)
  expect({ most, began }).toEqual({ most: 2, began: [0, 1, 2, 3, 4, 5, 6] })
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    ...[0, 1, 2, 'failed'],
    ...[4, 5, 6],
  ])
})
