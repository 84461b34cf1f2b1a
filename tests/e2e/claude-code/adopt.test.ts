/** A real client that a person started in a tmux server of his own, with the hooks of his own settings. */
import { execFileSync } from 'node:child_process'
import { afterEach, expect, test } from 'vitest'
import type { AgentView } from '../../../src/contract/views.ts'
import { scripted } from '../../model-api/turn.ts'
import { OwnTmux } from '../daemon/own-tmux.ts'
import { clientFor, type RealClaude } from './real-claude.ts'
import { built } from '../../programs.ts'

const SETUP = built('daemon/offline/setup')
const OWN = 'own-shop'

let real: RealClaude | undefined
let own: OwnTmux | undefined
afterEach(() => own?.end())

async function seen(what: string, holds: (agent: AgentView) => boolean): Promise<AgentView> {
  const { live } = real ?? never()
  let last: AgentView | undefined
  await live.until(
    async () => {
      last = await live.agent(OWN)
      return holds(last)
    },
    what,
    50,
  )
  return last ?? never()
}

function never(): never {
  throw new Error('there is no client')
}

function type(line: string): void {
  own?.tmux('set-buffer', '-b', 'line', '--', line)
  own?.tmux('paste-buffer', '-p', '-d', '-b', 'line', '-t', 'work')
  own?.tmux('send-keys', '-t', 'work', 'Enter')
}

for (const hooks of [true, false]) {
  test(`it is adopted, seen at work and at rest, told and killed ${hooks ? 'with' : 'without'} the user's hooks`, async (ctx) => {
    real = await clientFor(ctx, { config: 'monitoring:\n  check_interval: 1\n' })
    const { live, workspace, registry } = real
    if (hooks) execFileSync(process.execPath, [SETUP, 'hooks', '--yes'], { env: live.env, stdio: 'ignore' })
    const { PATH = '', ANTHROPIC_BASE_URL = '', ANTHROPIC_API_KEY = '' } = live.env
    const client = { PATH, ANTHROPIC_BASE_URL, ANTHROPIC_API_KEY, CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }
    own = new OwnTmux(live, { ...client, DISABLE_AUTOUPDATER: '1' })
    own.begin('work', workspace)
    own.type('work', 'claude --model sonnet --permission-mode acceptEdits')
    await live.until(() => registry()?.['status'] === 'idle', 'the client is up', 100)
    const session = String(registry()?.['sessionId'])
    await live.client.post('/api/adoptions', {
      ...(hooks ? { target: 'work:0.0', socket: own.socket } : { target: session }),
      id: OWN,
      allow: ['message', 'kill'],
    })
    expect(await seen('it rests', ({ lifecycle }) => lifecycle === 'idle')).toMatchObject({
      runtime: 'claude-code',
      sessionId: session,
      adopted: { pid: registry()?.['pid'], pane: { id: '%0', socket: own.socket } },
    })

    const sleeping = { name: 'Bash', input: { command: 'sleep 3', description: 'wait a little' } }
    type(scripted('begin', [{ tools: [sleeping] }, { text: 'first done' }]))
    const atWork = await seen('it works', ({ doing }) => doing?.kind === (hooks ? 'tool' : 'thinking'))
    expect(atWork).toMatchObject({ lifecycle: 'active', doing: { witness: hooks ? 'hook' : 'registry' } })
    await seen('it rests again', ({ lifecycle }) => lifecycle === 'idle')

    const since = live.events.length
    await live.client.post(`/api/agents/${OWN}/message`, { message: scripted('Go on.', [{ text: 'second done' }]) })
    const heard = await live.event('message.heard', OWN, since)
    expect(heard.evidence).toBe(hooks ? 'hook' : 'transcript')
    await live.until(() => own?.screen('work').includes('second done') === true, 'it answered', 50)
    await seen('it rests after it', ({ lifecycle }) => lifecycle === 'idle')

    if (hooks) {
      type('/clear')
      await live.until(() => registry()?.['sessionId'] !== session, 'it has another session', 50)
      type(scripted('anew', [{ text: 'third done' }]))
      await seen('its new context is known', ({ sessionId }) => sessionId === registry()?.['sessionId'])
      expect((await live.agent(OWN)).generation).toBe(2)
      await live.until(() => own?.screen('work').includes('third done') === true, 'it answered', 50)
    }

    const pid = Number(registry()?.['pid'])
    await live.client.post(`/api/agents/${OWN}/kill`)
    await seen('it is stopped', ({ lifecycle }) => lifecycle === 'stopped')
    expect(() => process.kill(pid, 0)).toThrow(/ESRCH/)
    expect(own.tmux('list-panes', '-a', '-F', '#{pane_dead}')).toBe('0\n')
  }, 180_000)
}
