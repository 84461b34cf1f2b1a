import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openJournal } from '../../src/adapters/sqlite/journal.ts'
import { COMPILE_CACHE, built } from '../programs.ts'

const PROGRAM = built('daemon/main')

let folder: string
let children: ChildProcess[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-up-'))
  children = []
})

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface Daemon {
  child: ChildProcess
  out: () => string
  err: () => string
  /** Resolves when the text has been said on stdout or stderr, or the program ended without saying it. */
  said: (text: string) => Promise<void>
  code: Promise<number | null>
}

function start(args: string[] = [], env: Record<string, string> = {}): Daemon {
  const home = {
    HOME: folder,
    PANOPTICON_HOME: join(folder, 'home'),
    TMPDIR: folder,
    TMUX_TMPDIR: join(folder, 'tmux'),
    PANOPTICON_PORT: '0',
  }
  mkdirSync(home.TMUX_TMPDIR, { recursive: true, mode: 0o700 })
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    env: { ...COMPILE_CACHE, PATH: process.env['PATH'], ...home, ...env },
  })
  children.push(child)
  let [out, err] = ['', '']
  child.stdout?.on('data', (text: Buffer) => (out += text.toString()))
  child.stderr?.on('data', (text: Buffer) => (err += text.toString()))
  const code = new Promise<number | null>((resolve) => {
    child.on('close', resolve)
  })
  const said = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => (out + err).includes(text) && resolve()
      check()
      child.stdout?.on('data', check)
      child.stderr?.on('data', check)
      child.on('close', () => reject(new Error(`ended without saying «${text}»:\n${out}${err}`)))
    })
  return { child, out: () => out, err: () => err, said, code }
}

async function events(): Promise<string[]> {
  const journal = await openJournal({ home: join(folder, 'home') })
  const all = await journal.events({ afterSeq: 0, limit: 1_000 })
  await journal.close()
  return all.map(({ type }) => type)
}

test('it comes up, says so, and goes down on request', async () => {
  const daemon = start()
  await daemon.said('Cloister started.')
  daemon.child.kill('SIGTERM')
  expect(await daemon.code).toBe(0)
  expect(daemon.err()).toContain('Agents were left alone.')
  expect(await events()).toEqual(['house.booted'])
})

test('a second daemon on the same home is refused and told who has it', async () => {
  const first = start()
  await first.said('Cloister started.')
  const second = start()
  expect(await second.code).toBe(1)
  expect(second.err()).toContain(`Another daemon (process ${first.child.pid} on `)
  expect(second.out()).toBe('')
})

test('killed without warning, it starts again and knows that it was down', async () => {
  const first = start()
  await first.said('Cloister started.')
  first.child.kill('SIGKILL')
  await first.code
  const second = start(['--json'])
  await second.said('house.booted')
  second.child.kill('SIGINT')
  expect(await second.code).toBe(0)
  expect(await events()).toEqual(['house.booted', 'house.booted'])
})

test('settings with a mistake start nothing and are named with line and column', async () => {
  mkdirSync(join(folder, 'home'), { mode: 0o700 })
  writeFileSync(join(folder, 'home/cloister.yaml'), 'thresholds:\n  stale: 5\n  warnign: 15\n')
  const daemon = start()
  expect(await daemon.code).toBe(1)
  expect(daemon.err()).toMatch(/cloister\.yaml:3:3 .*warnign.*warning/)
  expect(readdirSync(join(folder, 'home'))).toEqual(['cloister.yaml'])
})

test('settings are read anew while it runs; a mistake changes nothing but what is said', async () => {
  const file = join(folder, 'cloister.yaml')
  writeFileSync(file, 'thresholds: { stuck: 45 }\n')
  const daemon = start([], { CLOISTER_CONFIG: file })
  await daemon.said('Cloister started.')
  writeFileSync(file, 'thresholds: { stuck: soon }\n')
  await daemon.said('The last good settings stay in force.')
  writeFileSync(file, 'thresholds: { stuck: 60 }\n')
  await daemon.said('Settings read anew: thresholds.')
  daemon.child.kill('SIGTERM')
  expect(await daemon.code).toBe(0)
})

test('with auto_start off it comes up paused', async () => {
  const daemon = start([], { CLOISTER_AUTO_START: 'false' })
  await daemon.said('Monitoring stopped by startup.auto_start')
  daemon.child.kill('SIGTERM')
  expect(await daemon.code).toBe(0)
})

test('the demo has a home and a terminal server of its own, and leaves nothing behind', async () => {
  const daemon = start(['--demo'], { CLOISTER_UNDERSTUDY_SPEED: '10' })
  await daemon.said('Needs you: demo-asks is waiting for your permission: Bash: rm -rf build.')
  expect(daemon.out()).toMatch(
    /Answer in another terminal, «allow» or «deny»: PANOPTICON_HOME=\S+ \.\/pan answer n-\d+ <answer>; or in the dashboard: PANOPTICON_HOME=\S+ \.\/pan dashboard\n/,
  )
  daemon.child.kill('SIGINT')
  daemon.child.kill('SIGINT')
  await daemon.said('Watching 3')
  daemon.child.kill('SIGINT')
  expect(await daemon.code).toBe(0)
  expect(daemon.err()).toContain('understudies (simulated agents)')
  expect(daemon.err()).toMatch(/its agents, its terminal server and .* are gone/)
  expect(readdirSync(folder)).toEqual(['tmux'])
  expect(sockets(join(folder, 'tmux'))).toEqual([])
  expect(processesOf(folder)).toEqual([])
})

/** Terminal servers whose sockets are still there. */
function sockets(tmux: string): string[] {
  return readdirSync(tmux).flatMap((each) => readdirSync(join(tmux, each)))
}

/** Whatever was started with this folder as its home. */
function processesOf(home: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(home)
    } catch {
      return false
    }
  })
}
