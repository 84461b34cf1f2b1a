import { expect, test } from 'vitest'
import type { ShownEvent } from '../../../../src/contract/views.ts'
import { lastDeed } from './last-deed.ts'

const ID = 'agent-pan-18'
const stamp = { observedAt: 0, generation: 1 }
const message: ShownEvent = {
  ...stamp,
  seq: 1,
  at: 10,
  type: 'act.ended',
  agent: ID,
  act: 'message',
  effect: 'e1',
  result: 'done',
  sentence: 'Told.',
}
const stop: ShownEvent = {
  ...{ observedAt: 0, seq: 2, at: 20 },
  type: 'emergency.ended',
  stopped: [ID],
  survivors: [],
  confirmed: true,
  sentence: 'Stopped.',
}

test.each([
  { what: 'nothing', events: [], deed: undefined },
  { what: 'a message', events: [message], deed: { at: 10, sentence: 'Told.', isGood: true } },
  {
    what: 'a message that failed',
    events: [{ ...message, result: 'not_done' as const }],
    deed: { at: 10, sentence: 'Told.', isGood: false },
  },
  { what: 'an emergency stop after it', events: [message, stop], deed: { at: 20, sentence: 'Stopped.', isGood: true } },
  {
    what: 'one that something survived',
    events: [message, { ...stop, survivors: ['12'] }],
    deed: { at: 20, sentence: 'Stopped.', isGood: false },
  },
])('$what', ({ events, deed }) => {
  expect(lastDeed(events)).toEqual(deed)
})
