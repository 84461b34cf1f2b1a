/** When the model's service fails: a limit, an overload that passes, and a stream that stands still. */
import { expect, test } from 'vitest'
import type { AgentView } from '../../../src/contract/views.ts'
import { scripted } from '../../model-api/turn.ts'
import { clientFor } from './real-claude.ts'

test('a limit holds it, an overload is seen while it lasts, a stalled stream is open and not rest', async (ctx) => {
  const real = await clientFor(ctx)
  const { live, api, spawn, seen, type, press, registry } = real
  await spawn('begin', [{ status: 429, headers: { 'retry-after': '3600' } }])
  // Its log tells of the refusal first, its hook that the turn is over.
  const isOver = ({ doing }: AgentView) => doing?.kind === 'limited' && doing.witness === 'hook'
  const limited = await seen('it is limited', isOver)
  expect(limited).toMatchObject({ lifecycle: 'active', cause: { kind: 'rate_limited' }, doing: { witness: 'hook' } })

  type(scripted('again', [{ status: 529, times: 3, after: { text: 'recovered' } }]))
  const failing = await seen('its request is sent again', ({ doing }) => doing?.kind === 'api_error')
  expect(failing).toMatchObject({
    lifecycle: 'active',
    cause: { kind: 'api_error' },
    doing: { witness: 'transcript', what: expect.stringContaining('no answer from the model') },
  })
  await seen('the overload is over', ({ lifecycle }) => lifecycle === 'idle')

  const asked = api.requests.length
  type(scripted('and then', [{ hangs: true }]))
  await live.until(() => api.requests.length > asked, 'the answer has begun')
  const stalled = await seen('it waits for the rest of it', ({ doing }) => doing?.kind === 'thinking')
  expect(stalled).toMatchObject({ lifecycle: 'active', cause: { kind: 'thinking' }, doing: { witness: 'hook' } })
  await live.until(() => registry()?.['status'] === 'busy', 'the client is busy')
  await press('Escape', 'idle')
  await seen('a person ends it', ({ lifecycle }) => lifecycle === 'idle')
})
