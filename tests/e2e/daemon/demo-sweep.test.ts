/** A demo that was killed leaves agents, a terminal server and a home behind; the next one clears them away. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ProcessTrees } from '../../../src/adapters/process/process-trees.ts'
import { endTerminalServer } from '../../../src/adapters/process/terminal-server.ts'
import { sweepDemos } from '../../../src/daemon/offline/demo-sweep.ts'
import { COMPILE_CACHE, built } from '../../programs.ts'

const PROGRAM = built('daemon/main')

let root: string
let demos: ChildProcess[]

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'cloister-sweep-'))
  mkdirSync(join(root, 'tmux'), { mode: 0o700 })
  demos = []
})

afterEach(async () => {
  for (const demo of demos) demo.kill('SIGKILL')
  for (const home of homes()) {
    const homeId = readFileSync(join(home, 'home.id'), 'utf8').trim()
    await new ProcessTrees({ homeId, home }).stopFleet([], () => endTerminalServer(homeId))
  }
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

function homes(): string[] {
  const names = readdirSync(root).filter((name) => name.startsWith('cloister-demo-'))
  return names.map((name) => join(root, name)).filter((home) => existsSync(join(home, 'home.id')))
}

/** Resolves when it has said the text. */
async function demo(text: string): Promise<ChildProcess> {
  const env = { ...COMPILE_CACHE, PATH: process.env['PATH'], HOME: root, TMPDIR: root, TMUX_TMPDIR: join(root, 'tmux') }
  const child = spawn(process.execPath, [PROGRAM, '--demo'], { env: { ...env, CLOISTER_UNDERSTUDY_SPEED: '10' } })
  demos.push(child)
  let said = ''
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (data: Buffer) => (said += data.toString()).includes(text) && resolve())
  }
  child.on('close', () => reject(new Error(`ended without saying «${text}»:\n${said}`)))
  await promise
  return child
}

function tagged(homeId: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`CLOISTER_RUN=${homeId}.`)
    } catch {
      return false
    }
  })
}

test('the next demo ends and removes what a killed one left, and nothing else', async () => {
  const first = await demo('demo-hangs started')
  const [home = ''] = homes()
  const homeId = readFileSync(join(home, 'home.id'), 'utf8').trim()
  first.kill('SIGKILL')
  await once(first, 'close')
  expect(tagged(homeId).length).toBeGreaterThan(0)
  // Not swept: what no daemon ever signed, and what is named otherwise.
  const others = ['cloister-demo-young', 'cloister-live-x'].map((name) => join(root, name))
  for (const other of others) mkdirSync(other, { mode: 0o700 })
  writeFileSync(join(others[1] ?? '', 'daemon.lock.json'), JSON.stringify({ pid: 1, startedAt: 1 }))

  const second = await demo('demo-hangs started')
  expect([existsSync(home), tagged(homeId), others.map((other) => existsSync(other))]).toEqual([
    false,
    [],
    [true, true],
  ])
  // The second one lives: its home is not swept by a third.
  const said: string[] = []
  await sweepDemos(root, (sentence) => said.push(sentence))
  expect([said, homes().length]).toEqual([[], 1])
  second.kill('SIGINT')
  await once(second, 'close')
  expect(homes()).toEqual([])
})
