/** The end of a turn is no rest while a command or a subagent runs on in the background. */
import { expect, test } from 'vitest'
import { scripted } from '../../model-api/turn.ts'
import { clientFor, gateIn, lifecycleTo } from './real-claude.ts'

test('a shell, then a subagent, in the background', async (ctx) => {
  const real = await clientFor(ctx)
  const { live, spawn, agent, seen, type, shows, registry } = real
  const gate = gateIn(ctx, real)
  const wait = (more: object) => ({
    name: 'Bash',
    input: { command: 'read -r line <gate', description: 'wait', ...more },
  })
  await spawn('begin', [{ tools: [wait({ run_in_background: true })] }, { text: 'it runs' }, { text: 'shell done' }])
  const shell = await seen('it waits for its shell', ({ doing }) => doing?.kind === 'background')
  expect(shell).toMatchObject({ lifecycle: 'active', cause: { kind: 'waiting_background', tasks: 1 } })
  await live.until(() => registry()?.['status'] === 'shell', 'the client says so, too')
  expect(lifecycleTo(live, 'idle')).toBeUndefined()
  gate.open()
  await live.until(() => lifecycleTo(live, 'idle') !== undefined, 'it rests')

  const since = live.events.length
  const prompt = scripted('look there', [{ tools: [wait({})] }, { text: 'found it' }])
  const helper = { name: 'Agent', input: { prompt, description: 'a helper', subagent_type: 'general-purpose' } }
  type(scripted('go on', [{ tools: [helper] }, { text: 'it works for me' }, { text: 'all done' }]))
  await seen('the subagent runs a tool', ({ doing }) => doing?.kind === 'tool' && doing.what === 'Bash')
  // Its own turn is over, and the tool of the subagent is still open.
  await shows('● it works for me')
  expect(await agent()).toMatchObject({ lifecycle: 'active', doing: { kind: 'tool', what: 'Bash' } })
  expect(lifecycleTo(live, 'idle', since)).toBeUndefined()
  gate.open()
  await seen('it rests again', ({ lifecycle }) => lifecycle === 'idle')
})
