/** Moments of which no hook tells: an interrupt, a cleared context, a context that is full. */
import { expect, test } from 'vitest'
import { scripted } from '../../model-api/turn.ts'
import { clientFor } from './real-claude.ts'

const NOTED = /^(?:registry|transcript)$/

test('Escape in a tool and in an answer is rest; a cleared context is a new session; a full one is said', async (ctx) => {
  const real = await clientFor(ctx, { settings: { autoCompactEnabled: false } })
  const { live, spawn, seen, type, press, clearBox, shows, screen, registry } = real
  const endless = { name: 'Bash', input: { command: 'tail -f /dev/null --pid=1', description: 'never ends' } }
  await spawn('begin', [{ text: 'I look.', tools: [endless] }])
  await seen('its tool is open', ({ doing }) => doing?.kind === 'tool')
  await press('Escape', 'idle')
  const interrupted = await seen('it rests after Escape', ({ lifecycle }) => lifecycle === 'idle')
  // By its registry or its transcript, whichever is read first.
  expect(interrupted.doing).toMatchObject({ kind: 'idle', witness: expect.stringMatching(NOTED) as string })

  type(scripted('now think', [{ hangs: true }]))
  await seen('it thinks', ({ doing }) => doing?.kind === 'thinking')
  await live.until(() => registry()?.['status'] === 'busy', 'the client is busy')
  await press('Escape', 'idle')
  const again = await seen('it rests again', ({ lifecycle }) => lifecycle === 'idle')
  expect(again.doing).toMatchObject({ kind: 'idle', witness: expect.stringMatching(NOTED) as string })
  // Before the first answer an interrupted prompt goes back into the box.
  await shows('❯\u00A0now think')
  clearBox()
  await live.until(() => !screen().includes('❯\u00A0now think'), 'the box is empty')

  const { sessionId } = await real.agent()
  type(scripted('a lot', [{ text: 'read it all', usage: { cacheRead: 984_890 } }]))
  const full = await seen('its context is full', ({ context }) => (context?.share ?? 0) > 0.9)
  expect(full.context).toMatchObject({ tokens: 985_000, window: 1_000_000, share: 0.985 })
  await seen('it rests with a full context', ({ lifecycle }) => lifecycle === 'idle')
  type('one more')
  const refused = await seen('the client refuses', ({ doing }) => doing?.kind === 'api_error')
  expect(refused).toMatchObject({
    doing: { witness: expect.stringMatching(NOTED) as string, what: expect.stringMatching(/too long|limit/i) },
  })

  type('/clear')
  const cleared = await seen('it has another session', (agent) => agent.sessionId !== sessionId)
  expect(cleared.context).toBeUndefined()
  await seen('it rests after the clear', ({ lifecycle }) => lifecycle === 'idle')
})
