import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readStat } from '../process/proc-stat.ts'
import { parseEntry, Registry } from './registry.ts'

const fixtures = JSON.parse(readFileSync(new URL('fixtures/registry.json', import.meta.url), 'utf8')) as object[]

let config: string
let children: ChildProcess[]
beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), 'cloister-registry-'))
  mkdirSync(join(config, 'sessions'))
  children = []
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(config, { recursive: true })
})

test('the client says what it does, and since when', () => {
  expect(fixtures.map((each) => parseEntry(JSON.stringify(each)))).toEqual([
    { ...common, statusWallAt: 1_794_787_187_237 },
    { ...common, status: 'idle', statusWallAt: 1_794_787_187_500 },
    { ...common, status: 'busy', statusWallAt: 1_794_787_187_917 },
    { ...common, status: 'waiting', waitingFor: 'permission prompt', statusWallAt: 1_794_787_189_000 },
    { ...common, status: 'shell', statusWallAt: 1_794_787_190_239 },
  ])
})

const common = {
  pid: 13_609,
  startedAt: 1_490_057,
  sessionId: '89ef65aa-168f-4d9c-b699-725548ed2c5f',
  isInteractive: true,
}

test('whatever lies there is an entry or nothing', () => {
  const field = fc.oneof(fc.integer(), fc.string(), fc.constant(null), fc.double())
  const entry = fc.record(
    { pid: field, procStart: field, sessionId: field, status: field, statusUpdatedAt: field, waitingFor: field },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        entry.map((each) => JSON.stringify(each)),
      ),
      (text) => {
        const read = parseEntry(text)
        if (read !== undefined) expect(read.pid > 0 && read.startedAt > 0 && read.sessionId !== '').toBe(true)
      },
    ),
  )
})

/** A process with the tag of a run, and its entry. */
async function client(run: string, given: object = {}): Promise<number> {
  const child = spawn('sleep', ['60'], { env: { CLOISTER_RUN: run }, stdio: 'ignore' })
  children.push(child)
  await new Promise((done) => child.once('spawn', done))
  const pid = child.pid ?? 0
  const fields = { pid, procStart: String(readStat(pid)?.startedAt), sessionId: `s-${pid}`, status: 'busy', ...given }
  writeFileSync(join(config, 'sessions', `${pid}.json`), JSON.stringify(fields))
  return pid
}

test('a run is found by the tag of its process, and only while that lives', async () => {
  const registry = new Registry(config, 'home')
  const pid = await client('home.run-1')
  await client('other.run-1')
  const nested = await client('home.run-1', { kind: 'sdk' })
  writeFileSync(join(config, 'sessions', 'notes.txt'), 'x')
  writeFileSync(join(config, 'sessions', '9.json'), '{"pid":')
  expect(registry.ofRun('run-1')).toMatchObject({ pid, status: 'busy' })
  expect(registry.ofRun('run-1', nested + 1_000_000)).toMatchObject({ pid })
  expect(registry.ofRun('run-2')).toBeUndefined()
  expect([`${pid}.json`, 'notes.txt', '9.json', '../x'].map((name) => registry.runOfFile(name))).toEqual([
    'run-1',
    undefined,
    undefined,
    undefined,
  ])
  const [child] = children
  const gone = new Promise((done) => child?.once('exit', done))
  child?.kill('SIGKILL')
  await gone
  // Its file is left behind, as after a SIGKILL of the client.
  expect(registry.ofRun('run-1', pid)).toBeUndefined()
})

test('an entry of an earlier process with the same number does not count', async () => {
  const pid = await client('home.run-1', { procStart: '17' })
  expect(new Registry(config, 'home').ofRun('run-1', pid)).toBeUndefined()
})

test('without a folder nobody is there', () => {
  expect(new Registry(join(config, 'none'), 'home').entries()).toEqual([])
})

test('a pipe in the place of an entry is not waited for', () => {
  execFileSync('mkfifo', [join(config, 'sessions', `${process.pid}.json`)])
  expect(new Registry(config, 'home').entries()).toEqual([])
})
