import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { StatusFile } from '../../contract/house-view.ts'
import { openJournal } from './journal.ts'
import { StatusPublisher } from './status-publisher.ts'

let home: string
let timers: { ms: number; call: () => void }[]
let said: string[]
let publisher: StatusPublisher

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'cloister-status-'))
  timers = []
  said = []
  publisher = new StatusPublisher({
    home,
    report: (sentence) => said.push(sentence),
    well: () => said.push('well'),
    later: (call, ms) => timers.push({ call, ms }),
  })
})

afterEach(() => rmSync(home, { recursive: true }))

const path = () => join(home, 'status.json')
const written = () => JSON.parse(readFileSync(path(), 'utf8')) as StatusFile
const status = (watching: number): StatusFile => ({ condition: 'watching', sentence: `Watching ${watching}`, watching })

/** Lets the timers pass that wait now; returns how long each had waited. */
function pass(): number[] {
  const due = timers.splice(0)
  for (const { call } of due) call()
  return due.map(({ ms }) => ms)
}

test('the newest is written, once in a round, for its owner alone', () => {
  for (const n of [1, 2, 3]) publisher.offer(status(n))
  expect(existsSync(path())).toBe(false)
  expect(pass()).toEqual([100])
  expect(written()).toEqual(status(3))
  expect((statSync(path()).mode & 0o777).toString(8)).toBe('600')
  expect(existsSync(`${path()}.new`)).toBe(false)
})

test('what cannot be written is told once, tried again, and told when it is well', () => {
  mkdirSync(path())
  publisher.offer(status(1))
  pass()
  publisher.offer(status(2))
  expect(pass()).toEqual([5000])
  expect(said).toEqual([expect.stringMatching(/^Could not publish \S+status\.json: .*the file follows/)])
  rmdirSync(path())
  expect(pass()).toEqual([5000])
  expect([written(), said.at(-1)]).toEqual([status(2), 'well'])
  expect(timers).toEqual([])
})

test('the journal publishes it by the time it is closed, and says what is wrong as long as it is', async () => {
  mkdirSync(path())
  const told: string[] = []
  const journal = await openJournal({ home, onProblem: (sentence) => told.push(sentence) })
  journal.publish(status(1))
  await expect.poll(() => journal.trouble()).toMatch(/^Could not publish /)
  expect(told).toEqual([journal.trouble()])
  rmdirSync(path())
  journal.publish(status(2))
  await expect.poll(() => journal.trouble(), { timeout: 10_000 }).toBeUndefined()
  journal.publish(status(4))
  await journal.close()
  expect(written()).toEqual(status(4))
})
