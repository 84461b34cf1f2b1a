/** The end of a turn is no rest while a command or a subagent runs on in the background. */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { scripted } from '../../model-api/turn.ts'
import { lifecycleTo, realClaude, type RealClaude } from './real-claude.ts'

let real: RealClaude | undefined
afterEach(() => real?.remove())

test('a shell, then a subagent, in the background', async (ctx) => {
  real = await realClaude()
  if (real === undefined) return ctx.skip(true, 'the pinned Claude Code cannot be installed; why is printed above')
  const { live, workspace, spawn, agent, seen, type, shows, registry } = real
  execFileSync('mkfifo', [join(workspace, 'gate')])
  const gate = openSync(join(workspace, 'gate'), 'r+')
  try {
    const wait = (more: object) => ({
      name: 'Bash',
      input: { command: 'read -r line <gate', description: 'wait', ...more },
    })
    await spawn('begin', [{ tools: [wait({ run_in_background: true })] }, { text: 'it runs' }, { text: 'shell done' }])
    const shell = await seen('it waits for its shell', ({ doing }) => doing?.kind === 'background')
    expect(shell).toMatchObject({ lifecycle: 'active', cause: { kind: 'waiting_background', tasks: 1 } })
    await live.until(() => registry()?.['status'] === 'shell', 'the client says so, too')
    expect(lifecycleTo(live, 'idle')).toBeUndefined()
    writeSync(gate, 'open\n')
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
    writeSync(gate, 'open\n')
    await seen('it rests again', ({ lifecycle }) => lifecycle === 'idle')
  } finally {
    closeSync(gate)
  }
})
