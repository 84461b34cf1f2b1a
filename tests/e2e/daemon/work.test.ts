/** `pan work` and `pan agents spawn` under the real daemon: each agent in a worktree of its own, or no trace of it. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findProgram } from '../../../src/adapters/claude-code/find-program.ts'
import { runPan, type Ran } from '../../cli/run-pan.ts'
import { LiveHome } from './live-home.ts'

let live: LiveHome
let repo: string
let path: string

beforeEach(async () => {
  // Whatever else this machine has, the daemon finds no client here.
  path = mkdtempSync(join(tmpdir(), 'cloister-path-'))
  for (const name of ['tmux', 'git', 'sh', 'cat']) {
    symlinkSync((await findProgram(name, process.env['PATH'])) ?? name, join(path, name))
  }
  live = new LiveHome({ PATH: path })
  repo = realpathSync(live.workspace('shop'))
})

afterEach(async () => {
  await live.remove()
  rmSync(path, { recursive: true, force: true })
})

function pan(args: string[], cwd = repo): Promise<Ran> {
  return runPan(args, { home: live.home, env: live.env, cwd })
}

function git(...args: string[]): string {
  return execFileSync('git', ['-C', repo, ...args], { env: live.env, encoding: 'utf8' }).trim()
}

/** All that a start could leave in the repository. */
function traces(): object {
  return {
    branches: git('branch', '--format=%(refname:short)').split('\n'),
    worktrees: git('worktree', 'list', '--porcelain').match(/^worktree .*$/gm),
    excluded: readFileSync(join(repo, '.git/info/exclude'), 'utf8'),
    workspaces: existsSync(join(repo, 'workspaces')),
    status: git('status', '--porcelain'),
  }
}

const STEADY = ['--runtime', 'understudy', '--model', 'steady']

test('an issue: started in one step, told, killed, told awake again', async () => {
  await live.up()
  const { code, out } = await pan(['work', 'issue', 'PAN-18', '--title', 'Fix the login', ...STEADY])
  const folder = join(repo, 'workspaces/feature-pan-18')
  expect([code, out.split('\n')[0]]).toEqual([
    0,
    `Made the worktree ${folder} on the new branch feature/pan-18, from ${git('branch', '--show-current')} ` +
      `(${git('rev-parse', '--short=7', 'HEAD')}).`,
  ])
  expect(await live.agent('agent-pan-18')).toMatchObject({
    ...{ id: 'agent-pan-18', kind: 'issue', issue: 'pan-18', title: 'Fix the login', workspace: folder, generation: 1 },
  })
  expect([git('-C', folder, 'branch', '--show-current'), git('status', '--porcelain')]).toEqual(['feature/pan-18', ''])
  const heard = async () => JSON.stringify(await live.client.get(`/api/agents/agent-pan-18/activity`))
  const first = 'heard: Work on issue PAN-18: Fix the login.'
  await live.until(async () => (await heard()).includes(first), 'it heard its first prompt')

  expect(await pan(['work', 'issue', 'pan-18'])).toEqual({
    code: 1,
    out: '',
    err:
      `Could not start work on pan-18: agent-pan-18 already runs in ${folder}. ` +
      'Tell it something with `pan work tell pan-18 …`, or kill it first.\n',
  })
  const told = await pan(['work', 'tell', 'PAN-18', 'please', 'commit', '--json'])
  expect([told.code, JSON.parse(told.out)]).toMatchObject([
    0,
    { agent: 'agent-pan-18', act: 'message', result: 'done' },
  ])

  const { sessionId } = await live.agent('agent-pan-18')
  expect((await pan(['agents', 'kill', 'pan-18'])).code).toBe(0)
  // Somebody cleared its worktree away, too.
  rmSync(folder, { recursive: true })
  const woken = await pan(['work', 'tell', 'pan-18', 'go on, please'])
  expect([woken.code, woken.out.split('\n').slice(0, 2)]).toEqual([
    0,
    [
      'agent-pan-18 is stopped: it goes on with its session, and is told your text.',
      expect.stringMatching(/^Made the worktree .* on the branch feature\/pan-18, which was there;/),
    ],
  ])
  expect(await live.agent('agent-pan-18')).toMatchObject({ workspace: folder, generation: 2, sessionId })
  await live.until(async () => (await heard()).includes('heard: go on, please'), 'it heard that')

  expect((await pan(['agents', 'interrupt', 'agent-pan-18'])).code).toBe(0)
  expect((await pan(['agents', 'suspend', 'agent-pan-18'])).code).toBe(0)
  expect(await live.agent('agent-pan-18')).toMatchObject({ lifecycle: 'suspended' })
  expect(await pan(['work', 'tell', 'PAN-18', 'wake up'])).toMatchObject({ code: 0 })
  expect(await live.agent('agent-pan-18')).toMatchObject({ generation: 3, sessionId })

  await live.until(async () => (await live.agent('agent-pan-18')).lifecycle === 'active', 'it works')
  process.kill(Number(live.tmux('list-panes', '-a', '-f', '#{==:#{pane_dead},0}', '-F', '#{pane_pid}')), 'SIGKILL')
  await live.until(async () => (await live.agent('agent-pan-18')).cause?.kind === 'dead', 'it is seen dead')
  let last = ''
  const isTold = async () => {
    const { code, out } = await pan(['work', 'tell', 'PAN-18', 'rise'])
    last = out
    return code === 0
  }
  await live.until(isTold, 'two looks found it dead, and it is told')
  expect(last).toContain('agent-pan-18 is dead: it goes on with its session, and is told your text.')
  expect(await live.agent('agent-pan-18')).toMatchObject({ generation: 4, sessionId })
}, 120_000)

test('two agents in one repository get two worktrees; a project, a specialist and --here', async () => {
  await live.up()
  const started = async (...args: string[]) => {
    const { code, out } = await pan(['agents', 'spawn', ...args, ...STEADY, '--json'])
    const { agent, worktree } = JSON.parse(out) as { agent: string; worktree?: { path: string; branch: string } }
    return { code, agent, branch: worktree?.branch, workspace: (await live.agent(agent)).workspace.replace(repo, '.') }
  }
  expect([
    await started('pan-1'),
    await started('--issue', 'PAN-2'),
    await started('--project', 'shop'),
    await started('test-agent'),
    await started('pan-3', '--here'),
  ]).toEqual([
    { code: 0, agent: 'agent-pan-1', branch: 'feature/pan-1', workspace: './workspaces/feature-pan-1' },
    { code: 0, agent: 'agent-pan-2', branch: 'feature/pan-2', workspace: './workspaces/feature-pan-2' },
    { code: 0, agent: 'shop-ps', branch: 'agent/shop-ps', workspace: './workspaces/shop-ps' },
    { code: 0, agent: 'test-agent', branch: 'agent/test-agent', workspace: './workspaces/test-agent' },
    { code: 0, agent: 'agent-pan-3', branch: undefined, workspace: '.' },
  ])
  expect((await pan(['agents', 'kill', 'pan-1'])).code).toBe(0)
  // Somebody cleared it away: it is made again, on the same branch.
  rmSync(join(repo, 'workspaces/feature-pan-1'), { recursive: true })
  expect(await started('pan-1')).toMatchObject({ code: 0, workspace: './workspaces/feature-pan-1' })
}, 120_000)

test('an agent that cannot be started leaves nothing behind, and what is missing is said', async () => {
  await live.up()
  const before = traces()
  const { code, out, err } = await pan(['work', 'issue', 'PAN-18', '--model', 'opus'])
  expect(code).toBe(1)
  expect(out).toContain('Claude Code is not installed: there is no program «claude»')
  expect(err).toBe(`The worktree ${repo}/workspaces/feature-pan-18 was removed again.\n`)
  expect(traces()).toEqual(before)
  await expect(live.agent('agent-pan-18')).rejects.toThrow('There is no agent agent-pan-18')

  await live.client.post('/api/cloister/emergency-stop')
  const stopped = await pan(['agents', 'spawn', 'pan-18', ...STEADY])
  expect([stopped.code, stopped.err]).toEqual([1, expect.stringContaining('emergency stop is in force')])
  expect(traces()).toEqual(before)
}, 120_000)

test('what is there is used again when clean, and refused otherwise', async () => {
  await live.up()
  const folder = join(repo, 'workspaces/feature-pan-18')
  git('worktree', 'add', '--quiet', '-b', 'feature/pan-18', folder)
  writeFileSync(join(folder, 'mine.txt'), 'x')
  const refused = await pan(['work', 'issue', 'PAN-18', ...STEADY])
  expect([refused.code, refused.err]).toEqual([
    1,
    `Could not start work on pan-18: the worktree ${folder} is there already, with uncommitted changes (1). ` +
      `Commit them, or go on with them as they are: \`pan agents spawn <id> --workspace ${folder}\`.\n`,
  ])
  rmSync(join(folder, 'mine.txt'))
  const used = await pan(['work', 'issue', 'PAN-18', ...STEADY])
  expect([used.code, used.out.split('\n')[0]]).toEqual([
    0,
    `Worktree ${folder} was there, clean, and is used again; it stands at feature/pan-18 ` +
      `(${git('rev-parse', '--short=7', 'HEAD')}).`,
  ])
}, 120_000)

test('over the API a new agent gets a worktree as well, and what is refused leaves nothing', async () => {
  await live.up()
  const before = traces()
  const start = (body: object) => live.client.post('/api/agents', { runtime: 'understudy', model: 'steady', ...body })
  await expect(start({ issue: 'pan-18' })).rejects.toThrow('There is no workspace for agent-pan-18')
  await expect(start({ issue: 'pan-18', repo: live.root })).rejects.toThrow(`${live.root} is in no git repository`)
  await live.client.post('/api/cloister/emergency-stop')
  await expect(start({ issue: 'pan-18', repo })).rejects.toThrow('an emergency stop is in force')
  expect(traces()).toEqual(before)
  await live.client.post('/api/cloister/resume')
  await live.event('emergency.rearmed')

  await start({ issue: 'pan-18', repo })
  const folder = join(repo, 'workspaces/feature-pan-18')
  expect(await live.agent('agent-pan-18')).toMatchObject({ workspace: folder })
  expect(git('-C', folder, 'branch', '--show-current')).toBe('feature/pan-18')
  await live.event('agent.started', 'agent-pan-18')
  await live.client.post('/api/agents/agent-pan-18/kill')
  await live.until(async () => (await live.agent('agent-pan-18')).lifecycle === 'stopped', 'it is stopped')
  // One that is known has its workspace, whatever lies in it.
  writeFileSync(join(folder, 'mine.txt'), 'x')
  await start({ issue: 'pan-18', repo })
  expect(await live.agent('agent-pan-18')).toMatchObject({ workspace: folder, generation: 2 })
}, 120_000)

test('a dirty repository is left as it is; one without a commit, or with the branch elsewhere, is refused', async () => {
  await live.up()
  writeFileSync(join(repo, 'README.md'), 'changed\n')
  writeFileSync(join(repo, 'new.txt'), 'new\n')
  const status = git('status', '--porcelain')
  expect(await pan(['work', 'issue', 'PAN-1', '--prompt', 'Begin.', ...STEADY])).toMatchObject({ code: 0 })
  expect(git('status', '--porcelain')).toBe(status)
  expect(readFileSync(join(repo, 'workspaces/feature-pan-1/README.md'), 'utf8')).toBe('# work\n')

  git('branch', 'feature/pan-2')
  expect((await pan(['work', 'issue', 'PAN-2', ...STEADY])).out).toContain(
    'on the branch feature/pan-2, which was there',
  )
  git('checkout', '--quiet', '-b', 'feature/pan-3')
  expect(await pan(['work', 'issue', 'PAN-3', ...STEADY])).toMatchObject({
    code: 1,
    err: expect.stringContaining(`the branch feature/pan-3 is checked out in ${repo}`),
  })
  const empty = join(live.root, 'empty')
  mkdirSync(empty)
  execFileSync('git', ['-C', empty, 'init', '--quiet'], { env: live.env })
  expect(await pan(['work', 'issue', 'PAN-4', ...STEADY], empty)).toMatchObject({
    code: 1,
    err: expect.stringContaining('has no commit yet, so that no branch can begin there. Commit something first.'),
  })
}, 120_000)

test('--auto chooses the model by the title, and says why', async () => {
  mkdirSync(live.home, { recursive: true, mode: 0o700 })
  const routing = 'model_selection:\n  complexity_routing:\n    simple: steady\n'
  writeFileSync(join(live.home, 'cloister.yaml'), routing)
  await live.up()
  const { code, out } = await pan([
    'work',
    'issue',
    'PAN-18',
    '--title',
    'Fix a typo',
    '--runtime',
    'understudy',
    '--auto',
  ])
  expect({ code, out }).toEqual({
    code: 0,
    out: expect.stringContaining(
      'Its model is steady: «typo» stands in its title, so it is simple, which steady does.',
    ),
  })
  expect(await live.agent('agent-pan-18')).toMatchObject({ model: 'steady', runtime: 'understudy', simulated: true })
})

test('wrong usage, no daemon and no repository make nothing', async () => {
  const before = traces()
  expect(await pan(['work', 'issue', 'PAN-18', '--auto', '--model', 'opus'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--auto chooses the model; leave out --model, or --auto.'),
  })
  expect((await pan(['work', 'issue', 'PAN 18'])).code).toBe(2)
  expect((await pan(['agents', 'spawn', 'x', '--here', '--workspace', '.'])).code).toBe(2)
  expect((await pan(['work', 'issue', 'PAN-18'])).code).toBe(3)
  expect((await pan(['work', 'tell', 'PAN-18', 'x'])).code).toBe(3)
  expect(traces()).toEqual(before)
  await live.up()
  const outside = join(live.root, 'outside')
  mkdirSync(outside)
  expect(await pan(['work', 'issue', 'PAN-18', ...STEADY], outside)).toEqual({
    code: 1,
    out: '',
    err:
      `Could not start work on pan-18: ${outside} is in no git repository. ` +
      'Go to the project, or name it with --repo <dir>.\n',
  })
  expect(await pan(['work', 'tell', 'PAN-18', 'x'])).toEqual({
    code: 1,
    out: '',
    err:
      'Could not tell pan-18: nobody works on pan-18. ' +
      'Start one with `pan work issue pan-18`, or list them with `pan agents list`.\n',
  })
}, 120_000)
