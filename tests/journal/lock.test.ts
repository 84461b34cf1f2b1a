import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acquireLock, HomeTaken, holderOf } from '../../src/adapters/sqlite/lock.ts'
import { installed, run } from './victim-runs.ts'

const program = [process.execPath, join(import.meta.dirname, 'lock-holder.ts')] as const

let home: string
let holder: ChildProcess | undefined

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-lock-'))
})

afterEach(async () => {
  await kill()
  rmSync(home, { recursive: true })
})

/** Another process that has the lock. */
async function hold(): Promise<ChildProcess> {
  const child = spawn(program[0], [program[1], home], { stdio: ['pipe', 'pipe', 'inherit'] })
  holder = child
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  expect(String(line)).toBe('held\n')
  return child
}

async function kill(): Promise<void> {
  if (holder === undefined) return
  const ended = once(holder, 'close')
  holder.kill('SIGKILL')
  await ended
  holder = undefined
}

function taken(pid: number | undefined): string {
  return (
    `Another daemon (process ${pid} on ${hostname()}, since 1970-01-01T00:00:00.000Z) has this home. ` +
    'Stop it, or set PANOPTICON_HOME to another folder.'
  )
}

test('a second process is refused and told who has the home', async () => {
  const { pid } = await hold()
  expect(() => acquireLock(home, 1)).toThrow(taken(pid))
  expect((await run([...program, home])).lines).toEqual([`Error: ${taken(pid)}`])
  expect(JSON.parse(readFileSync(join(home, 'daemon.lock.json'), 'utf8'))).toMatchObject({ pid })
})

test('it holds across network, mount and pid namespaces', async (ctx) => {
  ctx.skip(!installed('unshare'), 'unshare is not installed: apt install util-linux')
  const unshare = ['unshare', '--net', '--mount', '--pid', '--fork']
  const unshared = await run([...unshare, 'true'])
  ctx.skip(unshared.code !== 0, `new namespaces are not allowed here: ${unshared.stderr}`)
  const { pid } = await hold()
  expect((await run([...unshare, ...program, home])).lines).toEqual([`Error: ${taken(pid)}`])
})

test('it is free after SIGKILL, and the new holder is named', async () => {
  await hold()
  await kill()
  expect(existsSync(join(home, 'daemon.lock.json'))).toBe(true)
  const { pid } = await hold()
  expect(() => acquireLock(home, 1)).toThrow(taken(pid))
})

test('it is free after release, also twice, and only then', async () => {
  const lock = acquireLock(home, 0)
  expect(() => acquireLock(home, 1)).toThrow(taken(process.pid))
  expect((await run([...program, home])).lines).toEqual([`Error: ${taken(process.pid)}`])
  lock.release()
  lock.release()
  await hold()
})

test('who has it is told by pid and start time, so that a reused pid is nobody', async () => {
  expect(holderOf(home)).toEqual({ died: false })
  const { pid } = await hold()
  expect(holderOf(home)).toMatchObject({ died: false, holder: { pid } })
  await kill()
  expect(holderOf(home)).toEqual({ died: true })
  const note = JSON.parse(readFileSync(join(home, 'daemon.lock.json'), 'utf8')) as object
  writeFileSync(join(home, 'daemon.lock.json'), JSON.stringify({ ...note, pid: process.pid }))
  expect(holderOf(home)).toEqual({ died: true })
  acquireLock(home, 0).release()
  expect(holderOf(home)).toEqual({ died: false })
})

test('before the new holder has signed, the dead one before it is not named', async () => {
  await hold()
  const note = { pid: process.pid, startedAt: 1, host: hostname(), since: 'once' }
  writeFileSync(join(home, 'daemon.lock.json'), JSON.stringify(note))
  expect(() => acquireLock(home, 1)).toThrow(HomeTaken)
  expect(() => acquireLock(home, 1)).toThrow('Another daemon (which has not said its process id) has this home.')
})

test('the files are for the owner only', () => {
  const lock = acquireLock(home, 0)
  const modes = ['daemon.lock.db', 'daemon.lock.json'].map((name) => statSync(join(home, name)).mode & 0o777)
  expect(modes).toEqual([0o600, 0o600])
  lock.release()
})

test.each(['', 'not JSON', '{"pid":"x"}'])('a holder whose note says %j is refused all the same', async (note) => {
  await hold()
  writeFileSync(join(home, 'daemon.lock.json'), note)
  expect(() => acquireLock(home, 1)).toThrow('Another daemon (which has not said its process id) has this home.')
})

test('a lock file that is not one is refused with what to do', () => {
  writeFileSync(join(home, 'daemon.lock.db'), 'something else entirely'.repeat(100))
  expect(() => acquireLock(home, 1)).toThrow(
    `Could not lock ${join(home, 'daemon.lock.db')}: file is not a database. ` +
      'If no daemon runs for this home, remove that file and start again.',
  )
})
