import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AgentRecord } from '../../contract/records.ts'
import { publishedFiles } from '../../core/published.ts'
import { sampleAgent } from '../../../tests/contract/journal-samples.ts'
import { Publisher } from './publisher.ts'

let home: string
let timers: { ms: number; call: () => void }[]
let problems: string[]
let publisher: Publisher

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-publisher-'))
  timers = []
  problems = []
  publisher = new Publisher({
    home,
    report: (sentence) => problems.push(sentence),
    later: (call, ms) => timers.push({ call, ms }),
  })
})

afterEach(() => rmSync(home, { recursive: true }))

/** Lets the timers pass that wait now; returns how long each had waited. */
function pass(): number[] {
  const due = timers
  timers = []
  for (const { call } of due) call()
  return due.map(({ ms }) => ms)
}

function filesOf(id: string): Record<string, string> {
  const folder = join(home, 'agents', id)
  return Object.fromEntries(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
}

function expected(agent: AgentRecord): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(publishedFiles(agent)).filter(([, text]) => text !== undefined))
}

const busy = (id: string, tool: string) =>
  sampleAgent(id, { sessionId: 's-1', activities: [{ ts: 't', tool, state: 'active' }] })

test('publishes the newest state of each agent, once per round', () => {
  publisher.offer(busy('a', 'Read'))
  publisher.offer(busy('b', 'Read'))
  publisher.offer(busy('a', 'Edit'))
  expect(readdirSync(home)).toEqual([])
  expect(pass()).toEqual([100])
  expect({ a: filesOf('a'), b: filesOf('b') }).toEqual({
    a: expected(busy('a', 'Edit')),
    b: expected(busy('b', 'Read')),
  })
  expect(timers).toEqual([])

  publisher.offer(busy('a', 'Bash'))
  expect(pass()).toEqual([100])
  expect(filesOf('a')).toEqual(expected(busy('a', 'Bash')))
})

test('files and folders are for the owner only', () => {
  publisher.offer(busy('a', 'Read'))
  pass()
  const modeOf = (...path: string[]) => statSync(join(home, 'agents', ...path)).mode & 0o777
  expect([modeOf(), modeOf('a'), ...readdirSync(join(home, 'agents', 'a')).map((name) => modeOf('a', name))]).toEqual([
    0o700, 0o700, 0o600, 0o600, 0o600, 0o600,
  ])
})

test('a file that has nothing more to say is removed, and unchanged ones are not written', () => {
  publisher.offer(busy('a', 'Read'))
  pass()
  const inode = statSync(join(home, 'agents', 'a', 'activity.jsonl')).ino
  const { sessionId: _, ...without } = busy('a', 'Read')
  publisher.offer(without)
  pass()
  expect(filesOf('a')).toEqual(expected(without))
  expect(statSync(join(home, 'agents', 'a', 'activity.jsonl')).ino).toBe(inode)
})

test('stale files of an earlier process are made right, a removed folder comes back', () => {
  const folder = join(home, 'agents', 'a')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'state.json'), '{ half')
  writeFileSync(join(folder, 'session.id'), 'old')
  writeFileSync(join(folder, 'state.json.new'), 'left by a crash')
  publisher.offer(sampleAgent('a'))
  pass()
  expect(filesOf('a')).toEqual(expected(sampleAgent('a')))
  rmSync(folder, { recursive: true })
  publisher.offer(sampleAgent('a'))
  pass()
  expect(filesOf('a')).toEqual(expected(sampleAgent('a')))
})

test('many agents are published in slices, so that commits get their turn', () => {
  for (let n = 0; n < 40; n += 1) publisher.offer(sampleAgent(`a${n}`))
  const published = () => readdirSync(join(home, 'agents')).length
  expect([pass(), published()]).toEqual([[100], 16])
  publisher.offer(sampleAgent('a0', { generation: 2 }))
  expect([pass(), published()]).toEqual([[0], 32])
  expect([pass(), published()]).toEqual([[0], 40])
  expect(filesOf('a0')).toEqual(expected(sampleAgent('a0')))
  expect(pass()).toEqual([100])
  expect(filesOf('a0')).toEqual(expected(sampleAgent('a0', { generation: 2 })))
})

test('flush writes at once whatever waits', () => {
  for (let n = 0; n < 20; n += 1) publisher.offer(sampleAgent(`a${n}`))
  pass()
  publisher.offer(sampleAgent('a0', { generation: 2 }))
  publisher.flush()
  expect(readdirSync(join(home, 'agents')).length).toBe(20)
  expect(filesOf('a0')).toEqual(expected(sampleAgent('a0', { generation: 2 })))
})

test('a linked folder is refused, reported once, and published when it is gone', () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'cloister-elsewhere-'))
  const folder = join(home, 'agents', 'a')
  mkdirSync(join(home, 'agents'))
  symlinkSync(elsewhere, folder)
  publisher.offer(sampleAgent('a'))
  publisher.offer(sampleAgent('b'))
  pass()
  expect(filesOf('b')).toEqual(expected(sampleAgent('b')))
  expect(pass()).toEqual([5_000])
  expect(pass()).toEqual([0])
  expect(problems).toEqual([
    `Could not publish the files of agent a under ${home}/agents: ${folder} is not a folder of its own ` +
      '(a link or a file): remove it. The journal is not affected; the files follow when they can be written.',
  ])
  expect(readdirSync(elsewhere)).toEqual([])
  rmSync(folder)
  expect(pass()).toEqual([5_000])
  expect(pass()).toEqual([0])
  expect(filesOf('a')).toEqual(expected(sampleAgent('a')))
  expect(timers).toEqual([])
  rmSync(elsewhere, { recursive: true })
})

test('a link in place of the draft is not followed', () => {
  const victim = join(home, 'victim')
  writeFileSync(victim, 'precious')
  mkdirSync(join(home, 'agents', 'a'), { recursive: true })
  symlinkSync(victim, join(home, 'agents', 'a', 'state.json.new'))
  publisher.offer(sampleAgent('a'))
  pass()
  expect(readFileSync(victim, 'utf8')).toBe('precious')
  expect(problems).toHaveLength(1)
})

test.each(['../a', 'a/b', '', '.', 'A', `a${'b'.repeat(64)}`])('the id %j never becomes a path', (id) => {
  publisher.offer(sampleAgent(id))
  pass()
  expect(readdirSync(home)).toEqual([])
  expect(problems).toEqual([expect.stringContaining('its id is not one that may become a path')])
})

test('a newer state that can be written replaces one that could not', () => {
  mkdirSync(join(home, 'agents'))
  writeFileSync(join(home, 'agents', 'a'), 'in the way')
  publisher.offer(sampleAgent('a'))
  pass()
  rmSync(join(home, 'agents', 'a'))
  publisher.offer(sampleAgent('a', { generation: 2 }))
  expect(pass()).toEqual([5_000, 100])
  expect(filesOf('a')).toEqual(expected(sampleAgent('a', { generation: 2 })))
  expect(problems).toHaveLength(1)
})

test('of who is forgotten nothing stays but what is not ours', () => {
  publisher.offer(busy('a', 'Read'))
  publisher.offer(busy('b', 'Read'))
  pass()
  writeFileSync(join(home, 'agents/b/notes.txt'), 'mine')
  publisher.offer(busy('a', 'Edit'))
  for (const id of ['a', 'b', 'never-there', '../..']) publisher.forget(id)
  pass()
  publisher.flush()
  expect([readdirSync(join(home, 'agents')), readdirSync(join(home, 'agents/b')), problems]).toEqual([
    ['b'],
    ['notes.txt'],
    [],
  ])
  publisher.offer(busy('a', 'Read'))
  pass()
  expect(filesOf('a')).toEqual(expected(busy('a', 'Read')))
})

test('what an agent cost stands in its state, and is written alone, and only when it is news', () => {
  const file = (name: string) => join(home, 'agents', 'a', name)
  const state = () => JSON.parse(readFileSync(file('state.json'), 'utf8')) as { costSoFar?: number }
  publisher.cost('a', 0.5)
  expect(readdirSync(home)).toEqual([])
  publisher.offer(busy('a', 'Read'))
  pass()
  expect(state().costSoFar).toBe(0.5)
  const inodes = () => ['state.json', 'heartbeat.json', 'activity.jsonl'].map((name) => statSync(file(name)).ino)
  const before = inodes()
  publisher.cost('a', 0.5)
  expect(inodes()).toEqual(before)
  publisher.cost('a', 0.75)
  expect([state().costSoFar, inodes().slice(1)]).toEqual([0.75, before.slice(1)])
  publisher.offer(busy('a', 'Edit'))
  publisher.cost('a', 1)
  expect(state().costSoFar).toBe(0.75)
  pass()
  expect(state().costSoFar).toBe(1)
  publisher.cost('a', undefined)
  expect(state()).not.toHaveProperty('costSoFar')
  publisher.cost('a', 2)
  publisher.forget('a')
  publisher.cost('a', 3)
  expect(readdirSync(join(home, 'agents'))).toEqual([])
  expect(problems).toEqual([])
})
