import { expect, test } from 'vitest'
import { heldUntil, limitSentence } from './limit-sentence.ts'
import type { DesiredView } from './standing.ts'

const NOW = 100
const clock = (wallAt: number) => `<${wallAt}>`
const held = (untilWallAt: number, by = 'limits'): DesiredView => ({ state: 'hold', by, reason: 'r', untilWallAt })
const FAR = ' (the end that it told is more than 8 days away and is not believed)'

test.each<[string, { untilWallAt?: number; tooFar?: true }, DesiredView | undefined]>([
  ['limit until <140>, continues at <150>', { untilWallAt: 140 }, held(150)],
  ['limit until <140>', { untilWallAt: 140 }, undefined],
  ['limit until <140>', { untilWallAt: 140 }, held(900, 'you')],
  ['limit over since <90>, continues at <150>', { untilWallAt: 90 }, held(150)],
  ['limit over since <90>, should go on now', { untilWallAt: 90 }, undefined],
  ['limit reached, continues at <150>', {}, held(150)],
  [`limit reached${FAR}, continues at <150>`, { tooFar: true }, held(150)],
  ['limit reached', {}, undefined],
])('%s', (words, cause, desired) => {
  expect(limitSentence({ cause: { kind: 'rate_limited', ...cause }, desired, now: NOW }, clock)).toBe(words)
})

test('a hold of a limit ends with what is done then, another one with its end', () => {
  expect([heldUntil(held(150), clock), heldUntil(held(150, 'you'), clock)]).toEqual([
    ', continues at <150>',
    ' until <150>',
  ])
})
