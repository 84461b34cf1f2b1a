/** Bringing a daemon up in the background, tried with small programs in its place; and what works without one. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answers } from '../../src/daemon/offline/up-probe.ts'
import { bringUp, type UpResult } from '../../src/daemon/offline/up-start.ts'
import { runPan } from './run-pan.ts'

let home: string
let pids: number[]

beforeEach(() => {
  home = join(mkdtempSync(join(tmpdir(), 'cloister-up-')), 'home')
  pids = []
})

afterEach(() => {
  for (const pid of pids) endIfAlive(pid)
  rmSync(join(home, '..'), { recursive: true, force: true })
})

function endIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}

async function up(program: string, env: Record<string, string> = {}): Promise<UpResult> {
  const file = join(home, '..', 'daemon.mjs')
  writeFileSync(file, program)
  const result = await bringUp({ home, argv: [process.execPath, file], env: { PANOPTICON_HOME: home, ...env } })
  if (result.running && result.pid !== undefined) pids.push(result.pid)
  return result
}

/** Says who it is in the lock's note, as the daemon does, and answers every request. */
const ANSWERS = `
  import { createServer } from 'node:http'
  import { writeFileSync } from 'node:fs'
  const home = process.env.PANOPTICON_HOME
  console.log('tag:', process.env.CLOISTER_RUN ?? 'none')
  writeFileSync(home + '/daemon.lock.json', JSON.stringify({ pid: process.pid }))
  createServer((_, response) => response.end('{}')).listen(home + '/daemon.sock')`

test('it starts, answers, writes to its log, and does not carry the tag of an agent', async () => {
  const result = await up(ANSWERS, { CLOISTER_RUN: 'home.run-1' })
  expect(result).toEqual({ running: true, already: false, home, pid: pids[0] })
  expect(await answers(home)).toBe(true)
  expect(readFileSync(join(home, 'logs/daemon.log'), 'utf8')).toBe('tag: none\n')
  expect([home, join(home, 'logs/daemon.log')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600])
})

test('a second time it says that it already runs', async () => {
  await up(ANSWERS)
  expect(await up('process.exit(9)')).toEqual({ running: true, already: true, home, pid: pids[0] })
  expect(await runPan(['up'], { home })).toEqual({
    code: 0,
    out: `The daemon (process ${pids[0]}) already runs for ${home}. \`pan status\` shows what is going on.\n`,
    err: '',
  })
})

test('it says which port the dashboard has when the wanted one is taken', async () => {
  const link = 'http://127.0.0.1:3012/#login=abc'
  await up(ANSWERS.replace("'{}'", `'${JSON.stringify({ url: link, expiresInMs: 60_000 })}'`))
  writeFileSync(join(home, 'token'), 'x')
  const kept = (port: number) => {
    const url = `http://127.0.0.1:${port}`
    writeFileSync(join(home, 'dashboard.json'), JSON.stringify({ port, wanted: 3011, url }), { mode: 0o600 })
  }
  kept(3012)
  const { out } = await runPan(['up'], { home })
  expect(out.split('\n').slice(1)).toEqual([
    'Port 3011 is or was taken by somebody else; the dashboard has 3012, and keeps it.',
    `Dashboard: ${link} (works once, within a minute; \`pan dashboard\` for another)`,
    '',
  ])
  // Left by an earlier daemon.
  kept(3013)
  expect((await runPan(['up'], { home })).out).not.toContain('taken')
})

test('one that dies is told with the end of its log, and only of this start', async () => {
  await up("console.error('an old story'); process.exitCode = 1")
  const result = await up("console.error('Cannot use the home: it is round.'); process.exitCode = 4")
  expect(result).toEqual({
    running: false,
    home,
    why: `The daemon could not be started: it ended with code 4. The end of ${home}/logs/daemon.log:`,
    lastLines: ['Cannot use the home: it is round.'],
  })
})

test('a home that cannot be used is named before anything is started', async () => {
  mkdirSync(home, { mode: 0o777 })
  const { chmodSync } = await import('node:fs')
  chmodSync(home, 0o777)
  expect(await up(ANSWERS)).toMatchObject({ running: false, why: expect.stringContaining('other users may write') })
  expect(existsSync(join(home, 'logs'))).toBe(false)
})

test('a long log is put aside at the next start', async () => {
  mkdirSync(join(home, 'logs'), { recursive: true, mode: 0o700 })
  writeFileSync(join(home, 'logs/daemon.log'), 'x'.repeat(11 * 1024 * 1024))
  await up(ANSWERS)
  expect(statSync(join(home, 'logs/daemon.log.1')).size).toBe(11 * 1024 * 1024)
  expect(statSync(join(home, 'logs/daemon.log')).size).toBeLessThan(100)
})

test('a process that holds the home and does not answer is named', async () => {
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'token'), 'x')
  writeFileSync(join(home, 'daemon.lock.json'), JSON.stringify({ pid: process.pid }))
  const { code, err } = await runPan(['status'], { home })
  expect([code, err]).toEqual([
    3,
    `The daemon (process ${process.pid}) of ${home} does not answer (ENOENT). It may be starting or hanging: see ` +
      `${home}/logs/daemon.log. End it with \`kill ${process.pid}\` (agents stay) and start it with \`pan up\`.\n`,
  ])
})

test('an emergency stop is taken back without a daemon', async () => {
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'emergency-stop'), '')
  expect(await runPan(['cloister', 'resume'], { home })).toEqual({
    code: 0,
    out:
      'The emergency stop is over: agents may be started and typed to again. No daemon runs; start it with `pan up`, ' +
      'which will record the stop and save what the agents had not committed.\n',
    err: '',
  })
  expect(existsSync(join(home, 'emergency-stop'))).toBe(false)
  const again = await runPan(['cloister', 'resume', '--json'], { home })
  expect([again.code, JSON.parse(again.out)]).toEqual([1, { resumed: false, daemon: false, started: [], stopped: [] }])
  expect(await runPan(['cloister', 'resume'], { home })).toEqual({
    code: 1,
    out: '',
    err:
      `Could not resume: there is no emergency stop to resume from in ${home}. Nothing needs to be done. No daemon ` +
      'runs; start it with `pan up`.\n',
  })
})

test('an emergency stop needs no daemon, latches, and says so', async () => {
  mkdirSync(home, { mode: 0o700 })
  writeFileSync(join(home, 'home.id'), `${'0a1b2c'.repeat(2)}\n`)
  const { code, out, err } = await runPan(['cloister', 'emergency-stop', '--yes', '--json'], { home })
  expect([code, JSON.parse(out)]).toMatchObject([0, { home, runs: [], survivors: [] }])
  expect(err).toContain('Emergency stop of ')
  expect(existsSync(join(home, 'emergency-stop'))).toBe(true)
})

test('a home where no folder can be made is named at once', async () => {
  const { code, out, err } = await runPan(['up'], { home: '/proc/x/home' })
  expect([code, out]).toEqual([1, ''])
  expect(err).toMatch(/^Cannot use \/proc\/x\/home as home: .*\. Set PANOPTICON_HOME to a folder of your own\.\n$/)
  const set = await runPan(['config', 'set', 'thresholds.stuck', '45'], { home: '/proc/x' })
  expect([set.code, set.err]).toEqual([1, expect.stringContaining('/proc/x')])
})
