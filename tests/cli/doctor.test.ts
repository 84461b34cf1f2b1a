/** `pan doctor` without a daemon: what it finds, and the fix beside it. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { client } from '../../src/daemon/offline/doctor-client.ts'
import { node } from '../../src/daemon/offline/doctor-machine.ts'
import { program } from '../../src/daemon/offline/doctor-programs.ts'
import type { Check } from '../../src/daemon/offline/doctor-check.ts'
import { openJournal } from '../../src/adapters/sqlite/journal.ts'
import { FORMAT } from '../../src/adapters/sqlite/migrations.ts'
import { serve } from '../../src/daemon/serve.ts'
import { playedHouse } from '../api/served-house.ts'
import { runPan } from './run-pan.ts'

let home: string

beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'cloister-doctor-')), 'home')
})

afterEach(() => rmSync(join(home, '..'), { recursive: true, force: true }))

async function examined(
  env: Record<string, string> = {},
): Promise<{ code: number; checks: Record<string, Omit<Check, 'what'>> }> {
  const { code, out } = await runPan(['doctor', '--json'], { home, env })
  const { checks } = JSON.parse(out) as { checks: Check[] }
  return { code, checks: Object.fromEntries(checks.map(({ what, ...rest }) => [what, rest])) }
}

test('a home that is not there yet is no failure', async () => {
  const { code, checks } = await examined()
  expect(code).toBe(0)
  expect(Object.keys(checks)).toEqual([
    'node',
    'disk',
    'tmux',
    'git',
    'claude',
    'home',
    'token',
    'settings',
    'journal',
    'hooks',
    'port',
    'worktree',
    'sentinel',
    'daemon',
  ])
  expect([checks['home'], checks['daemon']]).toEqual([
    { result: 'ok', found: `${home} is not there yet; \`pan up\` makes it` },
    { result: 'warn', found: 'none runs', fix: 'Start it with `pan up`.' },
  ])
})

test('whose PATH is meant is said: with a daemon its own, which is asked', async () => {
  const shell = (await examined({ PATH: '/nonexistent' })).checks
  expect(shell['tmux']?.found).toBe('not found in PATH; agents run in it (PATH of this shell)')
  const { options, ...served } = await playedHouse('wait 1m')
  const asked: string[] = []
  const doctor = (folder: string): Promise<Check[]> => {
    asked.push(folder)
    const claude = { what: 'claude', result: 'warn', found: 'Not found.', fix: 'Install it.' } as const
    return Promise.resolve([{ what: 'tmux', result: 'ok', found: '3.4' }, claude])
  }
  const serving = await serve({ ...options, doctor })
  onTestFinished(() => serving.close())
  const { out } = await runPan(['doctor', '--json'], { home: served.home, env: { PATH: '/nonexistent' }, cwd: '/tmp' })
  const { checks } = JSON.parse(out) as { checks: Check[] }
  expect(checks.filter(({ what }) => ['tmux', 'git', 'claude'].includes(what))).toEqual([
    { what: 'tmux', result: 'ok', found: '3.4 (PATH of the daemon)' },
    { what: 'claude', result: 'warn', found: 'Not found. (PATH of the daemon)', fix: 'Install it.' },
  ])
  expect(asked).toEqual(['/tmp'])
})

test('a workspace that is gone fails, one without its repository is to be known about, those of the stopped do not matter', async () => {
  const publish = (id: string, state: object) => {
    mkdirSync(join(home, 'agents', id), { recursive: true })
    const rest = { runtime: 'understudy', model: 'steady', health: null, cause: null, handoffCount: 0, generation: 1 }
    writeFileSync(join(home, 'agents', id, 'state.json'), JSON.stringify({ id, ...rest, ...state }))
  }
  const gone = join(home, 'gone')
  publish('agent-1', { workspace: gone, lifecycle: 'stopped' })
  expect((await examined()).checks['worktree']).toEqual({ result: 'ok', found: 'no agent runs or sleeps' })
  const dotGit = join(home, '.git')
  const repository = { top: home, gitDir: dotGit, commonDir: dotGit, owner: 0 }
  publish('agent-2', { workspace: home, lifecycle: 'idle', repository })
  expect((await examined()).checks['worktree']).toEqual({
    result: 'warn',
    found: `${dotGit} is no repository any more (agent-2)`,
    fix: `Mend it, or start the agent elsewhere; until then its work is saved as plain files in ${join(home, 'salvage')}.`,
  })
  publish('agent-1', { workspace: gone, lifecycle: 'suspended' })
  const { code, checks } = await examined()
  expect([code, checks['worktree']]).toEqual([
    1,
    {
      result: 'fail',
      found: `${gone}, in which agent-1 works, is gone`,
      fix: 'Make it again and bring back what was saved with `pan restore agent-1`, or end the agent: `pan agents kill agent-1`.',
    },
  ])
})

test('all that is wrong with a home is found at once', async () => {
  mkdirSync(join(home, 'bin'), { recursive: true })
  chmodSync(home, 0o755)
  writeFileSync(join(home, 'token'), 'x', { mode: 0o644 })
  writeFileSync(join(home, 'cloister.yaml'), 'thresholds:\n  stale: soon\n')
  writeFileSync(join(home, 'bin/heartbeat-hook'), 'old')
  writeFileSync(join(home, 'bin/ask-hook'), 'old')
  writeFileSync(join(home, 'emergency-stop'), '')
  writeFileSync(join(home, 'daemon.lock.json'), JSON.stringify({ pid: process.pid }))
  const { code, checks } = await examined()
  expect(code).toBe(1)
  const results = Object.fromEntries(Object.entries(checks).map(([what, { result }]) => [what, result]))
  expect(results).toMatchObject({
    home: 'warn',
    token: 'fail',
    settings: 'fail',
    hooks: 'warn',
    sentinel: 'warn',
    daemon: 'fail',
  })
  expect(checks['settings']?.found).toContain('cloister.yaml:2:10')
  expect(checks['home']?.fix).toBe(`Run: chmod 700 ${home}`)
})

test('a journal that cannot be read fails, and a good one is well', async () => {
  expect((await examined()).checks['journal']).toEqual({ result: 'ok', found: 'not there yet; `pan up` makes it' })
  mkdirSync(home, { mode: 0o700 })
  const file = join(home, 'cloister.db')
  const fix =
    `Nothing was deleted. Keep a copy of the file. To begin with an empty journal, move ${file}, ${file}-wal and ` +
    `${file}-shm to another folder and start again.`
  writeFileSync(`${file}-wal`, 'left')
  expect((await examined()).checks['journal']).toEqual({
    result: 'fail',
    found: `${file} is missing, but its log ${file}-wal is there`,
    fix,
  })
  rmSync(`${file}-wal`)
  for (const [text, why] of [
    ['garbage '.repeat(2_000), 'file is not a database'],
    ['', 'the file is empty, which a journal never is'],
  ] as const) {
    writeFileSync(file, text)
    const { code, checks } = await examined()
    expect([code, checks['journal']]).toEqual([
      1,
      { result: 'fail', found: `Could not read the journal ${file}: ${why}`, fix },
    ])
  }
  rmSync(file)
  await (await openJournal({ home })).close()
  expect((await examined()).checks['journal']).toEqual({ result: 'ok', found: `${file}, format ${FORMAT}` })
})

test('a port that somebody else has is told, with what becomes of it', async () => {
  const other = createServer()
  await new Promise<void>((resolve) => {
    other.listen(0, '127.0.0.1', resolve)
  })
  const { port } = other.address() as AddressInfo
  const taken = (await examined({ PANOPTICON_PORT: String(port) })).checks['port']
  await new Promise((resolve) => other.close(resolve))
  expect(taken).toEqual({
    result: 'warn',
    found: `somebody else has port ${port} of 127.0.0.1`,
    fix: 'The dashboard takes the next one that is free; set `dashboard.port` to have another.',
  })
  expect((await examined({ PANOPTICON_PORT: String(port) })).checks['port']).toEqual({
    result: 'ok',
    found: `127.0.0.1:${port} is free for the dashboard`,
  })
})

test('it reads well', async () => {
  // The usual port may be taken where the tests run.
  const { out } = await runPan(['doctor'], { home, env: { PANOPTICON_PORT: '0' } })
  const lines = out.split('\n')
  expect(lines[0]).toMatch(/^ok {4}node {6}\d+\.\d+\.\d+$/)
  expect(lines.slice(-4, -1)).toEqual([
    '                → Start it with `pan up`.',
    '',
    'Nothing fails; 3 to know about.',
  ])
})

test('programs that are missing, too old or strange fail with what to install', async () => {
  const bin = join(home, 'fake')
  mkdirSync(bin, { recursive: true })
  const tmux = { name: 'tmux', args: ['-V'], least: [3, 2], why: 'agents run in it' } as const
  const asked = () => program({ ...tmux, args: ['-V'] }, { PATH: bin })
  const fix = "Install tmux 3.2 or later, for example with your system's package manager."
  expect(await asked()).toEqual({
    what: 'tmux',
    result: 'fail',
    found: 'not found in PATH; agents run in it',
    fix,
  })
  for (const [says, check] of [
    ['echo tmux 3.1c', { result: 'fail', found: '3.1c is too old', fix }],
    ['echo tmux master', { result: 'fail', found: 'tmux -V gave no version', fix }],
    ['echo tmux 3.10', { result: 'ok', found: '3.10' }],
  ] as const) {
    writeFileSync(join(bin, 'tmux'), `#!/bin/sh\n${says}\n`, { mode: 0o755 })
    expect(await asked()).toEqual({ what: 'tmux', ...check })
  }
  expect(node('20.11.1')).toMatchObject({ result: 'fail', found: '20.11.1 is too old' })
})

test('what keeps Claude Code from being started is told at once, each with its fix', async () => {
  const [bin, folder] = [join(home, 'bin'), join(home, 'shop')]
  mkdirSync(bin, { recursive: true })
  mkdirSync(join(folder, '.git/objects'), { recursive: true })
  writeFileSync(join(home, 'cloister.yaml'), 'runtimes:\n  claude-code:\n    permission_mode: bypassPermissions\n')
  const env: Record<string, string> = { HOME: home, PANOPTICON_HOME: home, PATH: bin }
  const asked = (uid = 1000) => client({ home, env }, folder, uid)
  const fix = (...fixes: string[]) => fixes.join(' ')
  const install = 'Install it with `npm install -g @anthropic-ai/claude-code`.'
  expect(await asked()).toEqual({
    what: 'claude',
    result: 'warn',
    found:
      "Claude Code is not installed: there is no program «claude» on the daemon's PATH. " +
      'Claude Code was never set up for this user.',
    fix: fix(install, `Run \`claude\` once in ${folder}, finish its welcome, log in and trust the folder.`),
  })
  writeFileSync(join(home, '.claude.json'), '{"hasCompletedOnboarding": true}')
  writeFileSync(join(bin, 'claude'), "#!/bin/sh\necho '2.1.325 (Claude Code)'\n", { mode: 0o755 })
  expect(await asked(0)).toEqual({
    what: 'claude',
    result: 'warn',
    found:
      'Claude Code refuses permission mode «bypassPermissions» as root. ' +
      `Claude Code does not trust ${folder} yet and would stop at its trust dialog. Claude Code is not logged in.`,
    fix: fix(
      'Run as another user, choose another `runtimes.claude-code.permission_mode`, or set IS_SANDBOX=1 where this ' +
        'machine is a sandbox.',
      `Run \`claude\` once in ${folder} in a terminal and accept.`,
      'Run `claude` in a terminal and use /login, or set ANTHROPIC_API_KEY for the daemon.',
    ),
  })
  Object.assign(env, { IS_SANDBOX: '1', CLAUDE_CODE_SANDBOXED: '1', ANTHROPIC_AUTH_TOKEN: 't' })
  expect(await asked(0)).toEqual({ what: 'claude', result: 'ok', found: '2.1.325, logged in' })
})
