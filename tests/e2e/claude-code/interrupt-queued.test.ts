/** An interrupt of a client that has more to do: what was queued in it begins at once, and is stopped as well. */
import { expect, test } from 'vitest'
import { scripted } from '../../model-api/turn.ts'
import { ID, clientFor } from './real-claude.ts'

test('an agent with a queued message comes to rest', async (ctx) => {
  const real = await clientFor(ctx)
  const { live, api, spawn, seen, type, shows, registry } = real
  await spawn('begin', [{ hangs: true }])
  await live.until(() => api.requests.length > 0, 'the answer has begun')
  await seen('it works', ({ lifecycle }) => lifecycle === 'active')
  type(scripted('and then', [{ hangs: true }]))
  await shows('and then')
  await live.client.post(`/api/agents/${ID}/interrupt`, {})
  await live.until(
    () => live.events.some((event) => event.type === 'act.ended' && event.act === 'interrupt'),
    'it ended',
  )
  const ended = live.events.find((event) => event.type === 'act.ended' && event.act === 'interrupt')
  expect(ended).toMatchObject({ result: 'done' })
  await seen('it rests', ({ lifecycle }) => lifecycle === 'idle')
  expect([registry()?.['status'], api.requests.length]).toEqual(['idle', 2])
  const presses = live.events.flatMap((event) =>
    event.type === 'act.stepped' && event.step === 'doing' ? event.attempts : [],
  )
  expect(presses).toEqual([2])
})
