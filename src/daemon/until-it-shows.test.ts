import { expect, test } from 'vitest'
import type { Pane } from '../core/ports.ts'
import { untilItShows } from './until-it-shows.ts'

const pane: Pane = { agent: 'agent-1', generation: 1, run: 'r-1', stamp: '', ageMs: 0, dead: false }

test.each([
  ['in a living pane, it is waited for until it carries its tag', [pane], 3],
  ['in a dead pane, nothing is waited for', [{ ...pane, dead: true }], 1],
  ['in the pane of another run, nothing is waited for', [{ ...pane, run: 'r-2' }], 1],
])('a tree %s', async (_, panes, expected) => {
  let looks = 0
  const lookAt = () => Promise.resolve({ alive: (looks += 1) > 2 })
  await untilItShows({ processes: { lookAt }, terminal: { list: () => Promise.resolve(panes) } }, 'r-1')
  expect(looks).toBe(expected)
})
