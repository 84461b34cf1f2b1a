import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDatabase } from './database.ts'
import type { Format } from './formats/format.ts'
import { FORMAT, migrate, versionOf } from './migrations.ts'

let folder: string
let home: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-database-'))
  home = join(folder, 'home')
})

afterEach(() => rmSync(folder, { recursive: true }))

function tablesOf(db: DatabaseSync): unknown[] {
  const rows = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  return rows.map(({ name }) => name)
}

test('a new home and database are for the owner only, durable, and have the tables', () => {
  const db = openDatabase({ home })
  expect({
    home: statSync(home).mode & 0o777,
    files: readdirSync(home).map((name) => [name, statSync(join(home, name)).mode & 0o777]),
    tables: tablesOf(db),
    version: versionOf(db),
    journal: db.prepare('PRAGMA journal_mode').get()?.['journal_mode'],
    synchronous: db.prepare('PRAGMA synchronous').get()?.['synchronous'],
  }).toEqual({
    home: 0o700,
    files: [
      ['cloister.db', 0o600],
      ['cloister.db-shm', 0o600],
      ['cloister.db-wal', 0o600],
    ],
    tables: ['about', 'events', 'outbox', 'seen', 'state'],
    version: FORMAT,
    journal: 'wal',
    synchronous: 2,
  })
  db.close()
  expect(readdirSync(home)).toEqual(['cloister.db'])
})

test('permissions that are too wide for reading are narrowed', () => {
  openDatabase({ home }).close()
  chmodSync(home, 0o755)
  chmodSync(join(home, 'cloister.db'), 0o644)
  openDatabase({ home }).close()
  expect([home, join(home, 'cloister.db')].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600])
})

test.each(['720', '702', '777'])('a home of mode %s is refused, because others may write in it', (mode) => {
  mkdirSync(home)
  chmodSync(home, Number.parseInt(mode, 8))
  expect(() => openDatabase({ home })).toThrow(
    `Cannot use ${home} as home: other users may write in it (mode ${mode}). ` +
      `Check what is in it, then run: chmod 700 ${home}`,
  )
  expect(readdirSync(home)).toEqual([])
})

test('a home of another user is refused', (ctx) => {
  ctx.skip(process.getuid?.() !== 0, 'only root can give a folder to another user')
  mkdirSync(home)
  chownSync(home, 12_345, 12_345)
  expect(() => openDatabase({ home })).toThrow(
    `Cannot use ${home} as home: it belongs to user 12345, not to you. Set PANOPTICON_HOME to a folder of your own.`,
  )
})

test('an empty database gets all tables, a whole one is left alone', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db)
  const tables = tablesOf(db)
  migrate(db)
  expect({ version: versionOf(db), tables: tablesOf(db) }).toEqual({ version: FORMAT, tables })
})

/** Formats that are made by these statements, one each. */
function formatsOf(...steps: string[]): { formats: Format[] } {
  return { formats: steps.map((sql, index) => ({ number: index + 1, bring: (db) => db.exec(sql) })) }
}

test('an older database gets only the steps that it lacks, and keeps its rows', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db, formatsOf('CREATE TABLE a (x INTEGER) STRICT'))
  db.exec('INSERT INTO a VALUES (7)')
  migrate(
    db,
    formatsOf('CREATE TABLE never (x INTEGER)', 'ALTER TABLE a ADD COLUMN y INTEGER DEFAULT 8', 'CREATE TABLE b (z)'),
  )
  expect({ version: versionOf(db), tables: tablesOf(db), rows: db.prepare('SELECT * FROM a').all() }).toEqual({
    version: 3,
    tables: ['a', 'b'],
    rows: [{ x: 7, y: 8 }],
  })
})

test('a step that fails leaves the database as it was', () => {
  const db = new DatabaseSync(':memory:')
  expect(() => migrate(db, formatsOf('CREATE TABLE a (x)', 'nonsense'))).toThrow('syntax error')
  expect({ version: versionOf(db), tables: tablesOf(db) }).toEqual({ version: 0, tables: [] })
})

test.each([
  ['with its version', "INSERT INTO about VALUES ('version', '9.8.7')", 'version 9.8.7, format 99'],
  ['with nothing that this one knows', 'DROP TABLE about', 'format 99'],
])('a database of a newer format is refused and not changed, %s', (_, change, who) => {
  const db = openDatabase({ home })
  db.exec(`PRAGMA user_version = 99; ${change}`)
  db.close()
  chmodSync(home, 0o755)
  const path = join(home, 'cloister.db')
  const before = readFileSync(path)
  expect(() => openDatabase({ home })).toThrow(
    `Could not open the journal ${path}: it was written by a newer Cloister (${who}), and this one knows formats up to ` +
      `${FORMAT}. Nothing was touched. Update this Cloister, or set PANOPTICON_HOME to another folder.`,
  )
  expect(readFileSync(path).equals(before)).toBe(true)
  expect([readdirSync(home), statSync(home).mode & 0o777]).toEqual([['cloister.db'], 0o755])
})

test('a newer format that stands only in the log is seen, too', () => {
  const db = openDatabase({ home })
  db.exec('PRAGMA user_version = 99')
  expect(() => openDatabase({ home })).toThrow('it was written by a newer Cloister (format 99)')
  db.close()
})

test('it says who last wrote it', () => {
  const written = (version: string) => {
    const db = openDatabase({ home, version })
    const [row] = db.prepare('SELECT name, value FROM about').all()
    db.close()
    return { ...row }
  }
  expect([written('0.1.0'), written('0.2.0')]).toEqual([
    { name: 'version', value: '0.1.0' },
    { name: 'version', value: '0.2.0' },
  ])
})

test.each([
  ['agent:a', '{"id":"a"}', 'it could not be brought from format 1 to 2: the row state "agent:a" does not fit: '],
  ['house', 'nothing', 'it could not be brought from format 1 to 2: '],
])('an older database of which the row %s cannot be read stays as it was', (key, body, why) => {
  openDatabase({ home }).close()
  const path = join(home, 'cloister.db')
  const db = new DatabaseSync(path)
  db.exec('DROP TABLE about; PRAGMA user_version = 1')
  db.prepare('INSERT INTO state (key, seq, body) VALUES (?, 1, ?)').run(key, body)
  db.close()
  expect(() => openDatabase({ home })).toThrow(`Could not open the journal ${path}: ${why}`)
  const found = new DatabaseSync(path)
  expect({ version: versionOf(found), tables: tablesOf(found) }).toEqual({
    version: 1,
    tables: ['events', 'outbox', 'seen', 'state'],
  })
  found.close()
})

test('a foreign or emptied database is not taken for a first start', () => {
  mkdirSync(home, { mode: 0o700 })
  const path = join(home, 'cloister.db')
  writeFileSync(path, '')
  expect(() => openDatabase({ home })).toThrow(
    `${path}: the file is empty, which a journal never is. Nothing was deleted.`,
  )
  rmSync(path)
  const foreign = new DatabaseSync(path)
  foreign.exec('CREATE TABLE other (x)')
  foreign.close()
  expect(() => openDatabase({ home })).toThrow(`${path}: it is not a journal of Cloister. Nothing was deleted.`)
})

test('what a killed first start left behind is replaced', () => {
  mkdirSync(home, { mode: 0o700 })
  for (const suffix of ['', '-wal', '-shm', '-journal']) writeFileSync(join(home, `cloister.db.new${suffix}`), 'half')
  openDatabase({ home }).close()
  expect(readdirSync(home)).toEqual(['cloister.db'])
})

test('a database that lacks its last byte is refused, which SQLite itself would not notice', () => {
  openDatabase({ home }).close()
  const path = join(home, 'cloister.db')
  truncateSync(path, statSync(path).size - 1)
  expect(() => openDatabase({ home })).toThrow(
    `Could not open the journal ${path}: it is damaged (its end is missing).`,
  )
  expect(() => openDatabase({ home, check: true })).toThrow('it is damaged (its end is missing).')
})

test('a damaged page is found after an unclean shutdown, and on demand', () => {
  const db = openDatabase({ home })
  const insert = db.prepare('INSERT INTO seen (id) VALUES (?)')
  for (let n = 0; n < 1_000; n += 1) insert.run(`id-${n}`)
  db.close()
  const path = join(home, 'cloister.db')
  const bytes = readFileSync(path)
  bytes.subarray(-4096).fill(0xaa)
  writeFileSync(path, bytes)

  openDatabase({ home }).close()
  expect(() => openDatabase({ home, check: true })).toThrow(`Could not open the journal ${path}: it is damaged (`)
  writeFileSync(`${path}-wal`, '')
  expect(() => openDatabase({ home })).toThrow(`Could not open the journal ${path}: it is damaged (`)
})
