/** A reader that leaves, as `| head -1` does: no stack trace, and what was asked for is done. */
import { spawn } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../../src/daemon/serve.ts'
import { playedHouse } from '../api/served-house.ts'
import { COMPILE_CACHE, built } from '../programs.ts'

const MAIN = built('cli/main')

function unread(home: string, line: string): Promise<{ code: number | null; err: string }> {
  const env = { ...COMPILE_CACHE, PATH: process.env['PATH'], HOME: home, PANOPTICON_HOME: home }
  const child = spawn(process.execPath, [MAIN, ...line.split(' ')], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdout.destroy()
  let err = ''
  child.stderr.on('data', (data: Buffer) => (err += data.toString()))
  return new Promise((resolve) => {
    child.on('close', (code) => resolve({ code, err }))
  })
}

test.each(['--version', '--help', 'status', 'agents list --json', 'agents logs --follow', 'doctor', 'config get'])(
  'pan %s ends quietly',
  async (line) => {
    const { home, options } = await playedHouse('spawn agent-1', 'wait 1m')
    const serving = await serve(options)
    onTestFinished(() => serving.close())
    expect(await unread(home, line)).toEqual({ code: 0, err: '' })
  },
)

test('what was asked for is done, and its exit code counts', async () => {
  const { home, house, options } = await playedHouse('spawn agent-1', 'wait 1m')
  const serving = await serve(options)
  onTestFinished(() => serving.close())
  expect(await unread(home, 'agents kill agent-1')).toEqual({ code: 0, err: '' })
  expect(house.loop.world.agents.get('agent-1')?.lifecycle).toBe('stopped')
})
