/** One that waits for a person, and one that hangs beside it: only the latter is poked. */
import { afterEach, expect, test } from 'vitest'
import type { InboxView } from '../../../src/contract/views.ts'
import { LiveHome } from '../daemon/live-home.ts'
import { configure, script } from './stage.ts'

let live: LiveHome
afterEach(() => live.remove())

const [WAITS, HANGS] = ['agent-waits', 'agent-hangs'] as const

test('a permission prompt is a warning and never poked, while what hangs at the same time is', async () => {
  live = new LiveHome()
  configure(live, { stale: 0.02, warning: 0.04, stuck: 0.06 })
  await live.up()
  script(live, WAITS, ['permission: rm -rf build', 'say: It was allowed.'])
  script(live, HANGS, ['hang'])
  await live.spawn(WAITS, WAITS, 'Begin.')
  await live.until(async () => (await live.agent(WAITS)).health === 'warning', 'it needs somebody')
  await live.spawn(HANGS, HANGS, 'Begin.')
  const poked = () => live.events.flatMap((event) => (event.type === 'act.decided' ? [event] : []))
  await live.until(() => poked().some(({ act }) => act.kind === 'poke'), 'somebody is poked')
  expect(poked().map(({ agent, act }) => `${act.kind} ${agent}`)).toEqual([
    `spawn ${WAITS}`,
    `spawn ${HANGS}`,
    `poke ${HANGS}`,
  ])
  expect(await live.agent(WAITS)).toMatchObject({ health: 'warning', cause: { kind: 'waiting_permission' } })

  const { items } = await live.client.get<InboxView>('/api/inbox')
  const asked = items.find(({ agent }) => agent === WAITS)
  expect(asked).toMatchObject({ kind: 'waiting', answerable: true })
  await live.client.post(`/api/inbox/${asked?.id}/answer`, { answer: 'allow' })
  await live.until(async () => (await live.agent(WAITS)).lifecycle === 'idle', 'it goes on')
})
