/** The emergency-stop program against a home full of agents, with a daemon that lives and with one that is dead. */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { StatusView } from '../../../src/contract/status-view.ts'
import { LiveHome } from './live-home.ts'
import { built } from '../../programs.ts'

const PROGRAM = built('hook/emergency-stop')
const RESUME = built('daemon/offline/resume')
const SCRIPTS = {
  'agent-1': 'steady',
  'agent-2': 'steady',
  'agent-3': 'asks',
  'agent-4': 'hangs',
  'agent-5': 'stubborn',
}
const IDS = Object.keys(SCRIPTS)
/** Itself and one process for each way in which it leaves one behind. */
const STUBBORN_PROCESSES = 5

let live: LiveHome

beforeEach(async () => {
  live = new LiveHome()
  mkdirSync(live.home, { mode: 0o700 })
  writeFileSync(join(live.home, 'cloister.yaml'), 'monitoring:\n  check_interval: 1\n')
  await live.up()
  for (const [id, script] of Object.entries(SCRIPTS)) {
    const workspace = await live.spawn(id, script, 'Begin.')
    writeFileSync(join(workspace, 'thought.txt'), `half a thought of ${id}\n`)
  }
  await live.until(
    () => tagged('agent-5').length >= STUBBORN_PROCESSES,
    'the stubborn one has left processes behind',
    50,
  )
})

afterEach(() => live.remove())

/** Read from `/proc`, past everything that is tested. */
function tagged(agent?: string): string[] {
  const tag = `CLOISTER_RUN=${live.id}.`
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      const words = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
      const isOurs = words.some((word) => word.startsWith(tag))
      return isOurs && (agent === undefined || words.includes(`PANOPTICON_AGENT_ID=${agent}`))
    } catch {
      return false
    }
  })
}

/** The program as a person starts it; it must end well. */
async function stop(
  ...args: string[]
): Promise<{ runs: number; survivors: string[]; problems: string[]; leftAlone: string[] }> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, '--json', ...args], { env: live.env })
  const report = JSON.parse(stdout) as {
    runs: string[]
    survivors: string[]
    problems: string[]
    leftAlone: string[]
  }
  const { runs, survivors, problems, leftAlone } = report
  return { runs: runs.length, survivors, problems, leftAlone }
}

const ALL_GONE = { runs: IDS.length, survivors: [], problems: [], leftAlone: [] }

function status(): Promise<StatusView> {
  return live.client.get('/api/cloister/status')
}

async function expectSaved(): Promise<void> {
  for (const id of IDS) {
    const { ref } = await live.event('agent.salvaged', id)
    const workspace = join(live.root, `work-${id}`)
    // Where it was committed meanwhile there was nothing to save.
    const args = ['-C', workspace, 'show', `${ref ?? 'HEAD'}:thought.txt`]
    expect(execFileSync('git', args, { env: live.env, encoding: 'utf8' })).toBe(`half a thought of ${id}\n`)
  }
}

function spawnAgain(id: string): Promise<unknown> {
  const body = { project: 'live', workspace: join(live.root, `work-${id}`), runtime: 'understudy', model: 'steady' }
  return live.client.post('/api/agents', { id, ...body })
}

/** Without a prompt it soon rests, so that a look may come too late to see it active. */
async function startAgain(id: string): Promise<void> {
  const since = live.events.length
  await spawnAgain(id)
  await live.event('agent.started', id, since)
}

/** Nothing is started or typed; a person resumes; then it goes on. */
async function expectLatchedUntilResumed(): Promise<void> {
  await expect(spawnAgain('agent-1')).rejects.toThrow(/emergency stop is in force/)
  await expect(live.client.post('/api/agents/agent-1/message', { message: 'hello' })).rejects.toThrow()
  expect(tagged()).toEqual([])
  await live.client.post('/api/cloister/resume')
  await live.until(async () => (await status()).emergency === 'armed', 'it is armed again')
  await startAgain('agent-1')
  // Looks that were under way when it was re-armed must not stop it again.
  const { lastCheckWallAt = 0 } = await status()
  await live.until(async () => ((await status()).lastCheckWallAt ?? 0) > lastCheckWallAt, 'one more look')
  expect({ emergency: (await status()).emergency, lives: tagged('agent-1').length > 0 }).toEqual({
    emergency: 'armed',
    lives: true,
  })
}

test('all are ended at once, the daemon notices, saves the work, and starts nothing until a person resumes', async () => {
  expect(await stop()).toEqual(ALL_GONE)
  expect(tagged()).toEqual([])
  expect(await live.event('emergency.triggered')).toMatchObject({ by: 'sentinel' })
  const ended = await live.event('emergency.ended')
  expect({ ...ended, stopped: ended.stopped.toSorted() }).toMatchObject({
    stopped: IDS,
    survivors: [],
    confirmed: true,
  })
  await expectSaved()
  expect((await status()).needsYou.map(({ kind }) => kind)).toEqual(['emergency_stopped'])
  await expectLatchedUntilResumed()
})

test('who asked and why is recorded, also when the daemon saw the sentinel first, and nothing is stopped twice', async () => {
  await stop()
  await live.event('emergency.ended')
  const since = live.events.length
  await live.client.post('/api/cloister/emergency-stop', { reason: 'wrong branch' })
  expect(await live.event('emergency.explained')).toMatchObject({ reason: 'wrong branch' })
  expect(live.events.slice(since).filter(({ type }) => type === 'emergency.triggered')).toEqual([])
})

test('with the daemon dead the sentinel keeps the reason for the next daemon, and the next stop starts without it', async () => {
  await live.crash()
  await stop('--reason=wrong branch')
  await live.up()
  expect(await live.event('emergency.triggered')).toMatchObject({ by: 'sentinel', reason: 'wrong branch' })
  await live.until(async () => (await status()).emergency === 'stopped', 'the stop has its end')
  await live.client.post('/api/cloister/resume')
  await live.until(async () => (await status()).emergency === 'armed', 'it is armed again')
  expect(readFileSync(join(live.home, 'emergency-stop.ready'), 'utf8')).not.toContain('wrong branch')
})

test('it is no storm of alarms: who was stopped is stopped, not found dead', async () => {
  const since = live.events.length
  await stop()
  const raised = () =>
    live.events.slice(since).flatMap((event) => (event.type === 'needs-you.raised' ? event.item.kind : []))
  await live.until(() => raised().includes('emergency_stopped'), 'what it came to is told')
  expect(raised().filter((kind) => kind !== 'waiting')).toEqual(['emergency_stopped'])
})

test('with the daemon dead: all are ended, and the next daemon knows, saves the work and stays latched', async () => {
  await live.crash()
  expect(await stop()).toEqual(ALL_GONE)
  expect(tagged()).toEqual([])
  await live.up()
  await live.until(async () => (await status()).emergency === 'stopped', 'the daemon has seen the sentinel')
  await expectSaved()
  await expectLatchedUntilResumed()
})

test('stopped and resumed with the daemon dead: the next daemon records the stop, saves the work and goes on', async () => {
  await live.crash()
  expect(await stop('--reason', 'wrong branch')).toEqual(ALL_GONE)
  const { stdout } = await promisify(execFile)(process.execPath, [RESUME], { env: live.env })
  expect(stdout).toContain(`  It had stopped: ${IDS.join(', ')}\n`)
  expect(stdout).toContain('  Start them again with `pan up`, then `pan cloister resume --start`.\n')
  const since = live.events.length
  await live.up()
  const found = await live.event('emergency.found', undefined, since)
  expect({ ...found, stopped: found.stopped.toSorted() }).toMatchObject({ stopped: IDS, reason: 'wrong branch' })
  await expectSaved()
  const note = join(live.home, 'emergency-stop.unrecorded')
  await live.until(() => !existsSync(note), 'the note is gone', 50)
  expect((await status()).emergency).toBe('armed')
  expect(await Promise.all(IDS.map(async (id) => (await live.agent(id)).lifecycle))).toEqual(IDS.map(() => 'stopped'))
  expect((await status()).lastStop?.startable.toSorted()).toEqual(IDS)
  await startAgain('agent-1')
  // It is told once, and what was started since is not taken for stopped.
  await live.crash()
  await live.up()
  expect(live.events.slice(since).filter(({ type }) => type === 'emergency.found')).toHaveLength(1)
  expect(tagged('agent-1')).not.toEqual([])
})

test("a person's own session on the agents' server is left alone, and named", async () => {
  live.tmux('new-session', '-d', '-s', 'by-hand', 'sleep', '600')
  const before = live.tmux('list-panes', '-t', '=by-hand:', '-F', '#{pane_pid} #{pane_dead}')
  expect(before).toMatch(/^\d+ 0\n$/)
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM], { env: live.env })
  expect(stdout).toContain('Left alone: the session by-hand, which Cloister did not start.\nAll gone after ')
  expect(tagged()).toEqual([])
  expect(live.tmux('list-panes', '-t', '=by-hand:', '-F', '#{pane_pid} #{pane_dead}')).toBe(before)
  expect(live.tmux('list-sessions', '-F', '#{session_name}').trim().split('\n')).toEqual(['by-hand', 'cloister-keeper'])
})

test('with the daemon dead and the database garbage: all are ended, and a new daemon starts nothing', async () => {
  await live.crash()
  for (const end of ['', '-wal', '-shm']) writeFileSync(join(live.home, `cloister.db${end}`), 'garbage')
  expect(await stop()).toEqual(ALL_GONE)
  expect(tagged()).toEqual([])
  for (const end of ['', '-wal', '-shm']) rmSync(join(live.home, `cloister.db${end}`), { force: true })
  await live.up()
  await live.until(async () => (await status()).emergency === 'stopped', 'the daemon has seen the sentinel')
  await expectLatchedUntilResumed()
})

test('in a home that a newer Cloister wrote: all are ended, and a person can resume', async () => {
  await live.crash()
  const db = new DatabaseSync(join(live.home, 'cloister.db'))
  db.exec('PRAGMA user_version = 99')
  db.close()
  expect(await stop()).toEqual(ALL_GONE)
  expect(tagged()).toEqual([])
  const { stdout } = await promisify(execFile)(process.execPath, [RESUME, '--json'], { env: live.env })
  expect(JSON.parse(stdout)).toEqual({ resumed: true, daemon: false, started: [], stopped: IDS })
})
