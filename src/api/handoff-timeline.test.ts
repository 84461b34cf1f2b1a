import { expect, test } from 'vitest'
import { House } from '../../tests/nights/house.ts'
import { perform } from '../../tests/nights/script.ts'
import { describe } from '../core/describe.ts'
import { newestEvents } from '../daemon/serve-events.ts'
import { timelineOf } from './handoff-timeline.ts'

test('every step of one hand-off, with its deadline, and of no other', async () => {
  const house = new House()
  await house.boot()
  for (const line of ['spawn agent-1', 'wait 1m', 'propose agent-1 opus', 'refuse agent-1', 'propose agent-1 haiku']) {
    await perform(house, line)
  }
  await house.wait(60_000)
  await perform(house, 'approve agent-1')
  await house.wait(10 * 60_000)
  const { handoffs = [] } = house.loop.world.agents.get('agent-1') ?? {}
  const events = (wish: Parameters<typeof newestEvents>[2]) =>
    newestEvents(house.journal, house.loop.world.house.seq, wish)
  const lines = async (id = '') => {
    const { steps } = await timelineOf({ id, agentId: 'agent-1' }, { events, describe })
    return steps.map(({ at, kind, state = '', deadline = '' }) =>
      [at.slice(11, 19), kind, state, deadline.slice(11, 19)].filter((word) => word !== '').join(' '),
    )
  }
  expect(await lines(handoffs[0]?.id)).toEqual([
    '22:01:00 proposed',
    '22:01:00 stepped awaiting_approval 10:01:00',
    '22:01:00 ended refused',
  ])
  expect(await lines(handoffs[1]?.id)).toEqual([
    '22:01:00 proposed',
    '22:01:00 stepped awaiting_approval 10:01:00',
    '22:02:00 approved',
    '22:02:00 stepped resting 22:02:30',
    '22:02:30 stepped capturing 22:04:30',
    '22:02:30 captured',
    '22:02:30 stepped stopping 22:12:30',
    '22:02:30 stepped starting 22:12:30',
    '22:02:30 stepped proving 22:07:30',
    '22:03:00 ended done',
  ])
})
