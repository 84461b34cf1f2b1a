import { expect, test } from 'vitest'
import { House } from '../../../tests/nights/house.ts'
import { perform } from '../../../tests/nights/script.ts'
import { handoffsView } from './hand-off-views.ts'

/** How the hand-offs ended, and what is said of it. */
async function failures(...lines: string[]) {
  const house = new House()
  await house.boot()
  for (const line of ['spawn agent-1 sonnet', 'wait 5m', ...lines, 'wait 35m']) await perform(house, line)
  house.loop.stop()
  const { handoffs } = handoffsView(house.loop.world, { limit: 10 })
  return handoffs.map(({ state, errorMessage }) => `${state}: ${errorMessage}`)
}

const OLD = 'its old session goes on with its old model'
const LIVES = 'it was not ended and goes on'
const GONE = 'the program is not there'

test.each<[what: string, lines: string[], says: string]>([
  [
    'its successor dies',
    ['successors die', 'handoff agent-1 opus'],
    `rolled_back: the successor ended before it had begun; ${OLD}`,
  ],
  [
    'its successor does nothing',
    ['successors rest', 'handoff agent-1 opus'],
    `rolled_back: its successor did not show in time that it goes on; ${OLD}`,
  ],
  [
    'nothing can be started',
    ['spawns fail', 'handoff agent-1 opus'],
    `needs_you: the successor was not started: ${GONE}; its old session could not be gone on with: ${GONE}`,
  ],
  [
    'nothing can be written down',
    ['capture fails', 'handoff agent-1 opus'],
    `rolled_back: what is known of its work could not be written down (no space left on device); ${LIVES}`,
  ],
  [
    'the specialist cannot be started',
    ['agent-1 idles', 'spawns fail', 'lend agent-1 test-agent'],
    `rolled_back: test-agent was not woken: ${GONE}; ${LIVES}`,
  ],
  [
    'it is not cleared',
    ['agent-1 is not cleared', 'cycle agent-1'],
    `rolled_back: its context was not cleared: no new session was reported; ${LIVES}`,
  ],
  ['it was refused', ['propose agent-1 opus', 'refuse agent-1'], 'refused: no reason given'],
])('%s', async (_, lines, says) => expect(await failures(...lines)).toEqual([says]))
