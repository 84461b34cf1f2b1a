import { expect, test } from 'vitest'
import { agentRecord } from '../../tests/samples/agents.ts'
import type { AgentRecord } from '../contract/records.ts'
import type { DesiredView, Hold, LimitHold } from '../contract/standing.ts'
import { desiredOf, shownDesired } from './desired.ts'

const AT = { observedAt: 1000, wallAt: 50_000 }
const hold: Hold = { state: 'hold', by: 'you', reason: 'we look at it', sinceWallAt: 1 }
const limit: LimitHold = {
  ...{ sinceAt: 0, sinceWallAt: 2, untilAt: 2000, untilWallAt: 60_000 },
  ...{ isRead: true, round: 1, tries: 0 },
}
const run: DesiredView = { state: 'run', by: 'cloister', reason: 'nobody wants otherwise' }
const held: DesiredView = { state: 'hold', by: 'you', reason: 'we look at it', sinceWallAt: 1 }
const limited: DesiredView = {
  ...{ state: 'hold', by: 'limits', reason: 'a usage limit holds it' },
  ...{ sinceWallAt: 2, untilWallAt: 60_000 },
}

test.each<[string, Partial<AgentRecord>, DesiredView]>([
  ['nothing else', {}, run],
  [
    'a person stopped it',
    { wanted: 'stop', stopped: { by: 'you', reason: 'enough', wallAt: 7 } },
    { state: 'stop', by: 'you', reason: 'enough', sinceWallAt: 7 },
  ],
  [
    'a stop counts more than a hold',
    { wanted: 'stop', hold },
    { state: 'stop', by: 'a person', reason: 'it was stopped' },
  ],
  [
    'a freeze counts more than a stop',
    { wanted: 'stop', hold: { ...hold, state: 'frozen' } },
    { ...held, state: 'frozen' },
  ],
  ['held without an end', { hold }, held],
  ['held until later', { hold: { ...hold, untilAt: 2000, untilWallAt: 60_000 } }, { ...held, untilWallAt: 60_000 }],
  ['over by observed time: the clock was set back', { hold: { ...hold, untilAt: 1000, untilWallAt: 60_000 } }, run],
  ['over by the wall clock: the laptop slept', { hold: { ...hold, untilAt: 2000, untilWallAt: 50_000 } }, run],
  ['frozen', { hold: { ...hold, state: 'frozen' } }, { ...held, state: 'frozen' }],
  ['limited', { limit }, limited],
  ['a person’s hold is told before a limit', { limit, hold }, held],
  ['told to go on', { limit: { ...limit, continuedAt: 900 } }, run],
])('%s', (_, agent, desired) => {
  expect(desiredOf(agentRecord(agent), AT)).toEqual(desired)
})

test('no end of a limit is promised to one that is stopped', () => {
  expect(shownDesired(agentRecord({ limit }), AT)).toEqual(limited)
  expect(shownDesired(agentRecord({ limit, lifecycle: 'stopped' }), AT)).toEqual(run)
  expect(shownDesired(agentRecord({ limit, hold, lifecycle: 'stopped' }), AT)).toEqual(held)
})
