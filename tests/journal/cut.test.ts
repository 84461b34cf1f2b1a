/** A journal whose files end, or turn to garbage, at any place: what is read is a whole prefix or a clear error. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/adapters/sqlite/migrations.ts'
import { toRows } from '../../src/adapters/sqlite/rows.ts'
import { Store } from '../../src/adapters/sqlite/store.ts'
import { historyAfter, historyBatch } from '../contract/journal-samples.ts'

const COMMITS = 4

/** In memory where there is such a folder: tens of thousands of small files are written. */
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'cloister-cut-'))
const path = join(folder, 'cloister.db')

let main: Buffer
let wal: Buffer
let clean: Buffer
/** Length of the log when commit 1, 2, … was confirmed. */
const confirmedAt: number[] = []

/** The smallest page makes the smallest log, so that every single byte can be tried. */
beforeAll(() => {
  const db = new DatabaseSync(path)
  db.exec('PRAGMA page_size = 512')
  db.exec('PRAGMA journal_mode = WAL')
  migrate(db)
  db.close()
  const store = new Store({ home: folder })
  for (let k = 1; k <= COMMITS; k += 1) {
    store.write([toRows(historyBatch(k))])
    confirmedAt.push(statSync(`${path}-wal`).size)
  }
  main = readFileSync(path)
  wal = readFileSync(`${path}-wal`)
  store.close()
  clean = readFileSync(path)
})

afterAll(() => rmSync(folder, { recursive: true }))

const histories = Array.from({ length: COMMITS + 1 }, (_, count) => historyAfter(count))

function read(check = false) {
  const store = new Store({ home: folder, check })
  try {
    return { recovered: store.recover(), events: store.events({ afterSeq: 0, limit: 1_000 }) }
  } finally {
    store.close()
  }
}

/** The number of commits whose history is exactly what is read, or what was wrong. */
function readWith(log: Buffer): number | string {
  writeFileSync(path, main)
  writeFileSync(`${path}-wal`, log)
  rmSync(`${path}-shm`, { force: true })
  try {
    const found = read()
    const count = histories.findIndex((history) => isDeepStrictEqual(history, found))
    return count === -1 ? `torn: ${JSON.stringify(found)}` : count
  } catch (error) {
    return String(error)
  }
}

function confirmedBefore(offset: number): number {
  return confirmedAt.filter((length) => length <= offset).length
}

test('the log cut at every byte holds exactly the commits that are whole', { timeout: 300_000 }, () => {
  const wrong: unknown[] = []
  for (let length = 0; length <= wal.length; length += 1) {
    const found = readWith(wal.subarray(0, length))
    if (found !== confirmedBefore(length)) wrong.push({ length, found })
  }
  expect(wrong).toEqual([])
  expect(readWith(wal)).toBe(COMMITS)
})

test('a log with one wrong byte holds exactly the commits before it', { timeout: 300_000 }, () => {
  const wrong: unknown[] = []
  for (let offset = 0; offset < wal.length; offset += 13) {
    const garbled = Buffer.from(wal)
    garbled[offset] = (garbled[offset] ?? 0) ^ 0x55
    const found = readWith(garbled)
    if (found !== confirmedBefore(offset)) wrong.push({ offset, found })
  }
  expect(wrong).toEqual([])
})

const CLEAR = /^Error: Could not (open|read) the journal .*cloister\.db: .+ Nothing was deleted\. .* start again\.$/s

/** The error of two attempts on the same files: it must be clear, and must not change anything. */
function refusalOf(database: Buffer, check: boolean): string {
  writeFileSync(path, database)
  for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true })
  const attempts = [1, 2].map(() => {
    try {
      return isDeepStrictEqual(read(check), histories[COMMITS]) ? 'whole' : 'silently different'
    } catch (error) {
      return CLEAR.test(String(error)) ? 'refused' : `unclear: ${String(error)}`
    }
  })
  if (attempts[0] !== attempts[1]) return `changing: ${attempts.join(', ')}`
  return readFileSync(path).equals(database) ? (attempts[0] ?? '') : 'the file was changed'
}

test('a database that is cut anywhere is refused with a clear sentence', () => {
  const found = new Map<number, string>()
  for (let length = 0; length < clean.length; length += 61)
    found.set(length, refusalOf(clean.subarray(0, length), false))
  for (let length = 512; length < clean.length; length += 512) {
    found.set(length, refusalOf(clean.subarray(0, length), false))
  }
  found.set(clean.length - 1, refusalOf(clean.subarray(0, clean.length - 1), false))
  expect([...found].filter(([, result]) => result !== 'refused')).toEqual([])
  expect(refusalOf(clean, false)).toBe('whole')
})

test('a database with any page turned to garbage is refused with a clear sentence', () => {
  const wrong: unknown[] = []
  for (let offset = 0; offset < clean.length; offset += 512) {
    const garbled = Buffer.from(clean).fill(0xaa, offset, offset + 512)
    const found = refusalOf(garbled, true)
    if (found !== 'refused') wrong.push({ offset, found })
  }
  expect(wrong).toEqual([])
  expect(refusalOf(clean, true)).toBe('whole')
})

test('a log whose database is missing is not thrown away', () => {
  rmSync(path)
  writeFileSync(`${path}-wal`, wal)
  expect(() => read()).toThrow(/it is missing, but its log .*cloister\.db-wal is there/)
  expect(readFileSync(`${path}-wal`)).toEqual(wal)
  rmSync(`${path}-wal`)
})
