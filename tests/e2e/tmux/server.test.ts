/** What becomes of looks, deeds and hints when the server is stopped, killed, replaced or out of reach. */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TmuxTerminal } from '../../../src/adapters/tmux/tmux-terminal.ts'
import type { Handle } from '../../../src/core/ports.ts'
import { TmuxPlace } from './tmux-place.ts'

const ONE: Handle = { agent: 'agent-pan-1', generation: 1, run: 'run-one' }
const TWO: Handle = { agent: 'agent-pan-2', generation: 1, run: 'run-two' }

let place: TmuxPlace
let terminal: TmuxTerminal

beforeEach(async () => {
  place = new TmuxPlace()
  terminal = await place.open()
})

afterEach(() => place.remove())

const start = async (handle: Handle) => {
  expect(await terminal.start(handle, place.launch(handle))).toEqual({ result: 'done' })
  await place.ready(handle)
}
const gone = (pid: number) => vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), 10_000)
const killServer = async () => {
  const pid = place.serverPid()
  process.kill(pid, 'SIGKILL')
  await gone(pid)
}

test('a stopped server is unknown, not empty', async () => {
  await start(ONE)
  const impatient = await place.open({ timeoutMs: 300 })
  const pid = place.serverPid()
  process.kill(pid, 'SIGSTOP')
  try {
    await expect(impatient.list()).rejects.toThrow(/did not answer within 300 ms on the socket cloister-test-/)
    await expect(impatient.start(TWO, place.launch(TWO))).rejects.toThrow('did not answer')
    await expect(impatient.type(ONE, 'hello')).rejects.toThrow('did not answer')
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await vi.waitFor(async () => expect(await terminal.list()).toContainEqual(expect.objectContaining(ONE)), 10_000)
})

test('a killed server has no panes; deeds reach nobody, and the next start makes a new one', async () => {
  await start(ONE)
  await killServer()
  expect(await terminal.list()).toEqual([])
  expect([await terminal.type(ONE, 'hello'), await terminal.press(ONE, 'Enter')]).toMatchObject([
    { result: 'fenced' },
    { result: 'fenced' },
  ])
  await terminal.remove(ONE)
  await start(TWO)
  expect(await terminal.list()).toMatchObject([{ ...TWO, dead: false }])
})

test('a server whose socket file was deleted is still there, and no second one is started', async () => {
  await start(ONE)
  const pid = place.serverPid()
  rmSync(join(place.folder, `tmux-${process.getuid?.()}`, place.socket))
  await expect(terminal.list()).rejects.toThrow(`«kill -USR1 ${pid}» makes it anew`)
  await expect(terminal.start(TWO, place.launch(TWO))).rejects.toThrow('nothing answers on its socket')
  process.kill(pid, 'SIGUSR1')
  await vi.waitFor(async () => expect(await terminal.list()).toMatchObject([ONE]), 10_000)
})

test('looking never starts a server', async () => {
  expect(await terminal.list()).toEqual([])
  const stop = terminal.watch(() => undefined)
  expect(await terminal.list()).toEqual([])
  stop()
  expect(() => place.tmux('-N', 'list-sessions')).toThrow(/error connecting to|no server running/)
})

test('every one of many deaths is heard of, and so is a closed session', async () => {
  const all = Array.from({ length: 12 }, (_, n) => ({ agent: `agent-${n}`, generation: 1, run: `run-${n}` }))
  for (const handle of all) await start(handle)
  let heard = Promise.withResolvers<void>()
  const stop = terminal.watch(() => heard.resolve())
  await heard.promise
  for (const handle of all.slice(1)) {
    heard = Promise.withResolvers<void>()
    await place.crash(handle)
    await heard.promise
    expect(await terminal.list()).toContainEqual(expect.objectContaining({ ...handle, dead: true, exitCode: 137 }))
  }
  heard = Promise.withResolvers<void>()
  place.tmux('kill-session', '-t', terminal.attachCommand(all[0]!).at(-1)!)
  await heard.promise
  expect((await terminal.list()).map(({ run }) => run)).not.toContain('run-0')
  stop()
})

test('the watch hears the server go, and hears of deaths again on the next one', async () => {
  await start(ONE)
  let heard = Promise.withResolvers<void>()
  const stop = terminal.watch(() => heard.resolve())
  await heard.promise
  heard = Promise.withResolvers<void>()
  await killServer()
  await heard.promise
  heard = Promise.withResolvers<void>()
  await start(TWO)
  await heard.promise
  heard = Promise.withResolvers<void>()
  await place.crash(TWO)
  await heard.promise
  expect(await terminal.list()).toMatchObject([{ ...TWO, dead: true }])
  stop()
})

test('the watch comes back when a person ends its session, which is nobody’s agent', async () => {
  await start(ONE)
  let heard = Promise.withResolvers<void>()
  terminal.watch(() => heard.resolve())
  await heard.promise
  heard = Promise.withResolvers<void>()
  place.tmux('kill-session', '-t', '=cloister-keeper')
  await heard.promise
  await vi.waitFor(() => expect(place.tmux('list-clients', '-F', '#{client_control_mode}')).toBe('1\n'), 10_000)
  expect(await terminal.list()).toMatchObject([ONE])
  await terminal.close()
  await vi.waitFor(() => expect(place.tmux('list-clients')).toBe(''), 10_000)
})

test('a watch keeps no program alive', async () => {
  await start(ONE)
  const program = `
    const { TmuxTerminal } = await import(${JSON.stringify(join(import.meta.dirname, '../../../src/adapters/tmux/tmux-terminal.ts'))})
    const terminal = new TmuxTerminal(${JSON.stringify({ homeId: place.homeId, environment: place.environment })})
    await new Promise((heard) => { terminal.watch(heard); setTimeout(() => {}, 5000).unref(); globalThis.held = setInterval(() => {}, 50) })
    clearInterval(globalThis.held)
    console.log('heard')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: string[] = []
  child.stdout.on('data', (chunk) => said.push(String(chunk)))
  const code = await new Promise((done) => child.once('close', done))
  expect({ code, said: said.join('') }).toEqual({ code: 0, said: 'heard\n' })
  await vi.waitFor(() => expect(place.tmux('list-clients')).toBe(''), 10_000)
})

test('the end of the server is told at once and again, since its agents end a little later', async () => {
  await start(ONE)
  let told = 0
  const connected = Promise.withResolvers<void>()
  terminal.watch(() => {
    told += 1
    connected.resolve()
  })
  await connected.promise
  const before = told
  await killServer()
  await vi.waitFor(() => expect(told - before).toBeGreaterThanOrEqual(3), 10_000)
})
