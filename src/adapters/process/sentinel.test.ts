import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  forgetUnrecorded,
  isLatched,
  isUnrecorded,
  latch,
  noteStop,
  prepareSentinel,
  readNote,
  release,
  releaseUnrecorded,
} from './sentinel.ts'

let home: string

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-sentinel-'))
})

afterEach(() => rmSync(home, { recursive: true, force: true }))

test('one file goes to and fro; every step may be repeated', async () => {
  const steps: [string, () => Promise<unknown>][] = [
    ['emergency-stop.ready', () => prepareSentinel(home)],
    ['emergency-stop', () => latch(home)],
    ['emergency-stop.ready', () => release(home)],
  ]
  await prepareSentinel(home)
  const made = statSync(join(home, 'emergency-stop.ready')).ino
  for (const [file, step] of steps) {
    for (const _ of [1, 2]) {
      expect(await step()).toBeUndefined()
      expect({ files: readdirSync(home), ino: statSync(join(home, file)).ino }).toEqual({ files: [file], ino: made })
    }
  }
  expect(readFileSync(join(home, 'emergency-stop.ready'), 'utf8')).toContain('pan cloister resume')
})

test('a daemon that starts while the stop is in force leaves it in force', async () => {
  await latch(home)
  await prepareSentinel(home)
  expect(readdirSync(home)).toEqual(['emergency-stop'])
  expect(await isLatched(home)).toBe(true)
})

test('who stops again changes nothing of what is noted, and a note that comes after the resume latches nothing', async () => {
  await latch(home)
  const first = { reason: 'a bill that grows and grows', person: 'ana', askedWallAt: 1_000 }
  await noteStop(home, first)
  await noteStop(home, { reason: 'fire', person: 'ben', askedWallAt: 2_000 })
  expect(await readNote(home)).toEqual(first)
  await releaseUnrecorded(home)
  expect(await readNote(home)).toEqual(first)
  await latch(home)
  await noteStop(home, { reason: 'fire' })
  expect(await readNote(home)).toEqual({ reason: 'fire' })
  await release(home)
  await noteStop(home, { reason: 'too late' })
  expect({ files: readdirSync(home), note: await readNote(home) }).toEqual({
    files: ['emergency-stop.ready'],
    note: {},
  })
})

test('whom it ended is noted on one line; who stops again adds those whom only he ended', async () => {
  await latch(home)
  const first = { person: 'ana', askedWallAt: 1_000 }
  await noteStop(home, { ...first, ended: ['agent-1', 'not\na name'], found: 3 })
  expect(await readNote(home)).toEqual({ ...first, ended: ['agent-1'], found: 3 })
  await noteStop(home, { person: 'ben', askedWallAt: 2_000, ended: ['agent-2'], found: 2 })
  const noted = { ...first, ended: ['agent-1', 'agent-2'], found: 3 }
  expect(await readNote(home)).toEqual(noted)
  await releaseUnrecorded(home)
  expect(await readNote(home)).toEqual(noted)
  await latch(home)
  await noteStop(home, { reason: 'fire', ended: [], found: 0 })
  expect(await readNote(home)).toEqual({ reason: 'fire', ended: ['agent-1', 'agent-2'], found: 3 })
  const many = Array.from({ length: 20_000 }, (_, n) => `agent-${n}`)
  await noteStop(home, { ended: many, found: many.length })
  expect((await readNote(home)).ended).toHaveLength(10_000)
})

test('latches without a file made beforehand, and with both', async () => {
  expect(await latch(home)).toBeUndefined()
  writeFileSync(join(home, 'emergency-stop.ready'), '')
  expect(await latch(home)).toBeUndefined()
  expect(readdirSync(home)).toEqual(['emergency-stop'])
})

test('a stop that ends without a daemon leaves a note, which the next stop takes for its sentinel', async () => {
  const state = async () => ({ latched: await isLatched(home), unrecorded: await isUnrecorded(home) })
  await latch(home)
  await releaseUnrecorded(home)
  expect(await state()).toEqual({ latched: false, unrecorded: true })
  expect(readdirSync(home)).toEqual(['emergency-stop.ready', 'emergency-stop.unrecorded'])
  // As on a disk that was too full for a new one.
  rmSync(join(home, 'emergency-stop.ready'))
  expect(await latch(home)).toBeUndefined()
  expect(readdirSync(home)).toEqual(['emergency-stop'])
  await releaseUnrecorded(home)
  for (const _ of [1, 2]) await forgetUnrecorded(home)
  expect(await state()).toEqual({ latched: false, unrecorded: false })
  expect(readdirSync(home)).toEqual(['emergency-stop.ready'])
  await expect(releaseUnrecorded(home)).rejects.toThrow(/^Could not end the emergency stop: .* Rename it by hand/)
})

test('says what is wrong and what to do', async () => {
  const lost = join(home, 'lost')
  expect(await latch(lost)).toMatch(/^Could not latch the sentinel .*lost\/emergency-stop: ENOENT.*nothing blocks new/)
  expect(await isLatched(lost)).toBe(false)
  await latch(home)
  mkdirSync(join(home, 'emergency-stop.ready', 'x'), { recursive: true })
  await expect(release(home)).rejects.toThrow(/^Could not end the emergency stop: .*Rename it by hand and resume again/)
})
