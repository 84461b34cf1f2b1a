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
    await new ProcessTrees({ homeId, home }).stopFleet(() => endTerminalServer(homeId))
  }
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

function pan(line: string): Promise<Ran> {
  return runPan(line.split(' '), { home, env: { TMUX_TMPDIR: root, TMPDIR: root, COLUMNS: '' } })
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
  for (const line of ['status', 'down', 'agents poke agent-1']) expect(await pan(line)).toEqual(DIED())
  const doctor = await pan('doctor')
  expect(doctor.out).toMatch(/warn {2}daemon {4}it died \(kill -9 or crash\)\n *→ Start it with `pan up`\./)

  bystander = spawn('sleep', ['60'])
  await once(bystander, 'spawn')
  const note = { ...holder(), pid: bystander.pid }
  writeFileSync(join(home, 'daemon.lock.json'), JSON.stringify(note))
  expect(await pan('status')).toEqual(DIED())
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
  const [post, get, up] = await Promise.all([pan('cloister stop'), pan('status'), pan('up')])
  const goOn = `Let it go on with \`kill -CONT ${pid}\`.\n`
  expect([post, get]).toEqual([
    { code: 3, out: '', err: `${stopped} Nothing is known about whether it was carried out. ${goOn}` },
    { code: 3, out: '', err: `${stopped} ${goOn}` },
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
