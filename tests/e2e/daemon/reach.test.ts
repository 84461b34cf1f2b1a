/** A daemon that is dead, stopped or wanted by several at once: what each command says, with real processes. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ProcessTrees } from '../../../src/adapters/process/process-trees.ts'
import { endTerminalServer } from '../../../src/adapters/process/terminal-server.ts'
import { readStat } from '../../../src/adapters/process/proc-stat.ts'
import { openClient } from '../../../src/cli/client.ts'
import { runPan, type Ran } from '../../cli/run-pan.ts'

let root: string
let home: string
let bystander: ChildProcess | undefined

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cloister-reach-'))
  home = join(root, 'home')
  bystander = undefined
})

afterEach(async () => {
  bystander?.kill('SIGKILL')
  const pid = holder()?.pid
  if (pid !== undefined && readStat(pid)?.startedAt === holder()?.startedAt) process.kill(pid, 'SIGKILL')
  if (existsSync(join(home, 'home.id'))) {
    const homeId = readFileSync(join(home, 'home.id'), 'utf8').trim()
    await new ProcessTrees({ homeId, home }).stopFleet([], () => endTerminalServer(homeId))
  }
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

function pan(line: string, env: Record<string, string> = {}): Promise<Ran> {
  const own = { TMUX_TMPDIR: root, TMPDIR: root, PANOPTICON_PORT: '0', COLUMNS: '' }
  return runPan(line.split(' '), { home, env: { ...own, ...env }, cwd: root })
}

function holder(): { pid: number; startedAt: number } | undefined {
  const file = join(home, 'daemon.lock.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { pid: number; startedAt: number }) : undefined
}

/** Ends the daemon as `kill -9` does and waits until the machine has noticed. */
async function kill9(): Promise<number> {
  const pid = holder()?.pid ?? -1
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => readStat(pid), { interval: 5 }).toBeUndefined()
  return pid
}

const DIED = () => ({
  code: 3,
  out: '',
  err: `The daemon of ${home} died (kill -9 or crash). Start it with \`pan up\`.\n`,
})

test('after kill -9 nobody names the dead process, nor another one that got its number', async () => {
  expect((await pan('up')).code).toBe(0)
  await kill9()
  for (const line of ['down', 'agents poke agent-1']) expect(await pan(line)).toEqual(DIED())
  const doctor = await pan('doctor')
  expect(doctor.out).toMatch(/warn {2}daemon {4}it died \(kill -9 or crash\)\n *→ Start it with `pan up`\./)

  bystander = spawn('sleep', ['60'])
  await once(bystander, 'spawn')
  const note = { ...holder(), pid: bystander.pid }
  writeFileSync(join(home, 'daemon.lock.json'), JSON.stringify(note))
  expect(await pan('down')).toEqual(DIED())
  expect((await pan('up')).out).toMatch(/^The daemon \(process \d+\) runs and watches/)
  expect(holder()?.pid).not.toBe(bystander.pid)
})

test('started three times at once, one daemon runs and all three say which', async () => {
  mkdirSync(home, { mode: 0o700 })
  // What a dead one left: the losers must not name it.
  writeFileSync(join(home, 'daemon.lock.json'), JSON.stringify({ pid: 1, startedAt: 1, host: 'gone', since: 'once' }))
  const ups = await Promise.all([1, 2, 3].map(() => pan('up --json')))
  const told = ups.map(({ out }) => JSON.parse(out) as { running: boolean; already: boolean; pid: number })
  const pid = holder()?.pid
  expect(ups.map(({ code, err }) => [code, err])).toEqual([1, 2, 3].map(() => [0, '']))
  expect(told.map(({ running, pid: named }) => [running, named])).toEqual([1, 2, 3].map(() => [true, pid]))
  expect(told.filter(({ already }) => !already)).toHaveLength(1)
  expect((await pan('down')).code).toBe(0)
})

test('a stopped daemon is told apart at once, and does not carry out later what was given up', async () => {
  await pan('up')
  const pid = holder()?.pid ?? -1
  process.kill(pid, 'SIGSTOP')
  await expect.poll(() => readStat(pid)?.state).toBe('T')
  const stopped = `The daemon (process ${pid}) of ${home} does not answer; it is stopped.`
  const lines = ['cloister stop', 'status', 'agents list', 'down', 'up']
  const [post, status, list, down, up] = (await Promise.all(lines.map((line) => pan(line)))) as [
    Ran,
    Ran,
    Ran,
    Ran,
    Ran,
  ]
  const goOn = `Let it go on with \`kill -CONT ${pid}\`.\n`
  const unknown = 'Nothing is known about whether it was carried out.'
  expect(post).toEqual({ code: 3, out: '', err: `${stopped} ${unknown} ${goOn}` })
  expect(down).toEqual({ code: 1, out: '', err: `Could not end the daemon: the${stopped.slice(3)} ${unknown} ${goOn}` })
  const asOf = / does not answer; it is stopped; as of \S+ \(\d+ s ago\)\. Let it go on with `kill -CONT \d+`\.\n$/
  expect([status.code, list.code]).toEqual([3, 0])
  expect([status.err, list.err]).toEqual([expect.stringMatching(asOf), expect.stringMatching(asOf)])
  expect([status.out, list.out]).toEqual([
    expect.stringMatching(/^Cannot see the agents: no daemon watches\.\n/),
    expect.stringMatching(/^There are no agents\./),
  ])
  expect([up.code, up.err]).toEqual([
    1,
    `The daemon could not be started: process ${pid} has the home and is stopped. ${goOn}`,
  ])
  process.kill(pid, 'SIGCONT')
  const client = openClient(home)
  expect((await client.call('GET /api/cloister/status')).running).toBe(true)
  await client.call('POST /api/cloister/start')
  const { out } = await pan('agents logs --json')
  expect((JSON.parse(out) as { events: { type: string }[] }).events.map(({ type }) => type)).not.toContain(
    'monitoring.stopped',
  )
  expect((await pan('down')).code).toBe(0)
})

test('a home and settings named relative to here are the same for the daemon', async () => {
  writeFileSync(join(root, 'own.yaml'), 'thresholds: { stale: 5, warning: 15, stuck: 77 }\n')
  const env = { PANOPTICON_HOME: 'home', CLOISTER_CONFIG: 'own.yaml' }
  expect((await pan('up', env)).out).toMatch(new RegExp(`^The daemon \\(process \\d+\\) runs and watches ${home};`))
  expect(existsSync(join(home, 'home'))).toBe(false)
  const { code, out } = await pan('status --json', env)
  expect([code, JSON.parse(out)]).toMatchObject([0, { config: { thresholds: { stuck: 77 } } }])
  expect((await pan('down', env)).code).toBe(0)
  expect(holder()).toBeUndefined()
})
