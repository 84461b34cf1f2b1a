/** What an agent's tree writes while it is being ended is saved all the same: real tmux, real git, a writer that never rests. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { InboxView } from '../../../src/contract/views.ts'
import { describe as describeEvent } from '../../../src/core/describe.ts'
import { runPan } from '../../cli/run-pan.ts'
import { pictureOf } from '../git/repo.ts'
import { LiveHome } from './live-home.ts'

const ID = 'agent-pan-18'

let live: LiveHome

beforeEach(() => {
  live = new LiveHome()
  mkdirSync(join(live.home, 'understudies'), { recursive: true, mode: 0o700 })
  writeFileSync(join(live.home, 'cloister.yaml'), 'monitoring:\n  check_interval: 1\n')
})

afterEach(() => live.remove())

function script(name: string, steps: string): void {
  writeFileSync(join(live.home, 'understudies', `${ID}.yaml`), `name: ${name}\nabout: for a test\nsteps:\n${steps}`)
}

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, ...args], { env: live.env, encoding: 'utf8' }).trim()

function agentProcess(): number {
  return Number(live.tmux('list-panes', '-a', '-f', '#{==:#{pane_dead},0}', '-F', '#{pane_pid}'))
}

/** Carries the tag of the agent's tree, as whatever the agent starts does. Ends with that tree. */
async function writer(folder: string): Promise<void> {
  const environ = readFileSync(`/proc/${agentProcess()}/environ`, 'utf8').split('\0').filter(Boolean)
  const env = Object.fromEntries(
    environ.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  )
  const loop = 'n=0; while :; do n=$((n+1)); echo $n > last.txt; echo $n >> log.txt; done'
  const child = spawn('sh', ['-c', `trap '' TERM HUP; ${loop}`], { cwd: folder, env, stdio: 'ignore', detached: true })
  child.unref()
  await live.until(() => existsSync(join(folder, 'log.txt')), 'it writes', 20)
}

const WHOLE = { maxBuffer: 1024 ** 3 }

const stepOf = async (id: string, lifecycle: string) =>
  live.until(async () => (await live.agent(id)).lifecycle === lifecycle, `it is ${lifecycle}`)

test.each(['kill', 'suspend'] as const)('%s: the newest snapshot is byte for byte what lies there', async (how) => {
  script('waits', '  - say: I am ready.\n')
  await live.up()
  const workspace = await live.spawn(ID, 'waits', 'Begin.')
  await stepOf(ID, 'idle')
  await writer(workspace)
  await live.client.post(`/api/agents/${ID}/${how}`)
  await stepOf(ID, how === 'kill' ? 'stopped' : 'suspended')
  const there = pictureOf(workspace, { times: false, git: false })
  const newest = git(workspace, 'for-each-ref', '--sort=-refname', '--format=%(refname)', 'refs/cloister/').split('\n')
  expect(newest.length).toBeGreaterThan(1)
  for (const name of ['last.txt', 'log.txt']) {
    const saved = execFileSync('git', ['-C', workspace, 'show', `${newest[0]}:${name}`], { env: live.env, ...WHOLE })
    expect(saved.equals(readFileSync(join(workspace, name)))).toBe(true)
  }
  const into = join(live.root, 'copy')
  const { code, out } = await runPan(['restore', ID, '--ref', 'latest', '--into', into], {
    home: live.home,
    env: live.env,
  })
  expect([code, out]).toEqual([0, expect.stringContaining('byte-equal') as string])
  expect(pictureOf(into, { times: false, git: false })).toEqual(there)
})

/** As if it had been started again five times just now. */
function alreadyRestarted(times: number): void {
  const db = new DatabaseSync(join(live.home, 'cloister.db'))
  const { body } = db
    .prepare("SELECT body FROM state WHERE body LIKE ? AND key LIKE '%' || ?")
    .get(`%"id":"${ID}"%`, ID) as {
    body: string
  }
  const record = JSON.parse(body) as { startedAt: number; restarts?: object }
  record.restarts = { recentAt: Array.from({ length: times }, (_, n) => record.startedAt - times + n), inARow: times }
  db.prepare('UPDATE state SET body = ? WHERE body = ?').run(JSON.stringify(record), body)
  db.close()
}

test('the last end of a crash loop: its work is saved, what it left running is ended, and it is not started again', async () => {
  script('falls', '  - orphan: setsid\n  - edit: { file: notes.txt, text: "half of a thought\\n" }\n  - work: 5m\n')
  await live.up()
  const workspace = await live.spawn(ID, 'falls', 'Begin.')
  await live.until(() => existsSync(join(workspace, 'notes.txt')), 'it has begun')
  await live.down()
  alreadyRestarted(5)
  await live.up()
  const since = live.events.length
  process.kill(agentProcess(), 'SIGKILL')
  expect(await live.event('restart.exhausted', ID, since)).toMatchObject({ inARow: 6, recent: 6 })
  await stepOf(ID, 'stopped')
  const [ref = ''] = git(workspace, 'for-each-ref', '--sort=-refname', '--format=%(refname)', 'refs/cloister/').split(
    '\n',
  )
  expect(git(workspace, 'show', `${ref}:notes.txt`)).toBe('half of a thought')
  const tagged = readdirSync('/proc').filter((pid) => {
    try {
      const environ = /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/environ`, 'utf8') : ''
      // Agents of other homes may have the same name.
      return environ.includes(`PANOPTICON_AGENT_ID=${ID}`) && environ.includes(live.home)
    } catch {
      return false
    }
  })
  expect(tagged).toEqual([])
  const { items } = await live.client.get<InboxView>('/api/inbox')
  expect(items.map(({ kind }) => kind)).toEqual(['crash_loop'])
  expect(live.events.slice(since).some(({ type }) => type === 'agent.started')).toBe(false)
})

test('a worktree whose .git goes: its own files are saved, the files of the person around it are not', async () => {
  script('waits', '  - say: I am ready.\n')
  await live.up()
  const repo = live.workspace('shop')
  git(repo, 'worktree', 'add', '--quiet', '-b', 'feature', 'workspaces/feature')
  const workspace = join(repo, 'workspaces/feature')
  await live.client.post('/api/agents', { id: ID, project: 'live', workspace, runtime: 'understudy', model: 'waits' })
  await live.event('agent.started', ID)
  writeFileSync(join(repo, 'README.md'), 'of the person\n')
  writeFileSync(join(workspace, 'thought.txt'), 'of the agent\n')
  rmSync(join(workspace, '.git'))
  await live.client.post(`/api/agents/${ID}/kill`)
  const saved = await live.event('agent.salvaged', ID)
  await stepOf(ID, 'stopped')
  expect(git(repo, 'for-each-ref', 'refs/cloister/')).toBe('')
  expect(saved).toMatchObject({ ref: `salvage/${ID}/1-1`, plain: `${workspace}/.git is no repository any more` })

  const pan = (...args: string[]) => runPan(['restore', ID, ...args], { home: live.home, env: live.env })
  expect((await pan()).out).toMatch(/salvage\/agent-pan-18\/1-1 .* 2 files {2}plain files/)
  expect((await pan('--show', '1-1')).out).toContain('thought.txt')
  writeFileSync(join(workspace, 'thought.txt'), 'newer\n')
  const refused = await pan('--ref', '1-1')
  expect([refused.code, refused.err]).toEqual([
    1,
    expect.stringContaining('thought.txt: the file there has other content') as string,
  ])
  const into = join(live.root, 'copy')
  expect((await pan('--ref', 'latest', '--into', into)).code).toBe(0)
  expect(readFileSync(join(into, 'thought.txt'), 'utf8')).toBe('of the agent\n')
  await live.client.post(`/api/agents/${ID}/restore`, { ref: '1-1', force: true })
  await live.until(() => readFileSync(join(workspace, 'thought.txt'), 'utf8') === 'of the agent\n', 'it is back')
  expect(readFileSync(join(repo, 'README.md'), 'utf8')).toBe('of the person\n')
})

test('a workspace that is gone: a person is told, the doctor fails, and nothing is said to be untouched', async () => {
  script('waits', '  - say: I am ready.\n')
  await live.up()
  const workspace = await live.spawn(ID, 'waits', 'Begin.')
  await stepOf(ID, 'idle')
  rmSync(workspace, { recursive: true })
  const open = async () => (await live.client.get<InboxView>('/api/inbox')).items.map(({ kind }) => kind)
  await live.until(async () => (await open()).includes('no_workspace'), 'somebody is told')
  const doctor = await runPan(['doctor'], { home: live.home, env: live.env })
  expect([doctor.code, doctor.out]).toEqual([
    1,
    expect.stringContaining(`fail  worktree  ${workspace}, in which ${ID} works, is gone`) as string,
  ])
  await live.client.post(`/api/agents/${ID}/kill`)
  const saved = await live.event('agent.salvaged', ID)
  expect(describeEvent(saved)).toBe(`Nothing of ${ID} could be saved: its workspace ${workspace} is gone.`)
  await stepOf(ID, 'stopped')
  expect(await open()).toEqual(['no_workspace'])
})
