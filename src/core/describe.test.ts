import fc from 'fast-check'
import { expect, test } from 'vitest'
import { night } from '../../tests/properties/moves.ts'
import { Sim } from '../../tests/properties/sim.ts'
import { event, type Event } from '../contract/events.ts'
import { describe } from './describe.ts'

/** One event of each type, as nights really make them. */
function samples(): Map<string, Event> {
  const found = new Map<string, Event>()
  const keys = ['thresholds']
  found.set('house.settings-changed', { type: 'house.settings-changed', seq: 1, at: 0, observedAt: 0, keys })
  for (const moves of fc.sample(night, { numRuns: 2_000, seed: 5 })) {
    const sim = new Sim()
    for (const move of moves) sim.make(move)
    for (const each of sim.events) found.set(each.type, each)
    if (found.size === event.options.length) break
  }
  return found
}

test('every event is one clean English sentence, and fits its schema', { timeout: 300_000 }, () => {
  const found = samples()
  for (const { shape } of event.options) {
    const sample = found.get(shape.type.value)
    expect(sample, shape.type.value).toBeDefined()
    if (sample === undefined) continue
    expect(event.safeParse(JSON.parse(JSON.stringify(sample))).error, shape.type.value).toBeUndefined()
    const sentence = describe(sample)
    expect(sentence, shape.type.value).toMatch(/^[A-Za-z0-9].*[.?!]$/)
    expect(sentence, shape.type.value).not.toMatch(/undefined|NaN|\[object|\.\.|\n/)
  }
})
