/**
 * Opens cloister.db: durable settings, integrity, tables.
 * A new database is made under another name and renamed when it is whole, so that an empty or half-made
 * cloister.db always means damage and is refused instead of being taken for a first start.
 */
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { prepareHome } from './home.ts'
import { FORMAT, migrate, versionOf } from './migrations.ts'
import { mustFit } from './reads.ts'
import { reasonOf } from './reason.ts'
import { diskRemedy } from './remedy.ts'
import { mustNotBeNewer, refuseNewer } from './stored-format.ts'
import { Unknown } from './unknown.ts'

const DATABASE_FILE = 'cloister.db'

/** SQLite waits this long when a person's own program holds the file. */
const BUSY_MS = 5_000

export interface DatabaseOptions {
  home: string
  /** Check the whole file even after a clean shutdown. */
  check?: boolean
  /** Of the program that opens it, for whoever cannot read what it writes. */
  version?: string
}

export function databasePath(home: string): string {
  return join(home, DATABASE_FILE)
}

export function openDatabase({ home, check = false, version }: DatabaseOptions): DatabaseSync {
  const path = databasePath(home)
  leaveNewerAlone(home)
  prepareHome(home)
  if (!existsSync(path)) create(home, path)
  try {
    mustNotBeEmpty(path)
    const db = openExisting(path, check)
    if (version !== undefined) sign(db, version)
    return db
  } catch (error) {
    throw journalError('open', path, error)
  }
}

/** Throws when a newer Cloister wrote the journal. To be asked before anything in the home is written. */
export function leaveNewerAlone(home: string): void {
  const path = databasePath(home)
  try {
    mustNotBeNewer(path)
  } catch (error) {
    throw journalError('open', path, error)
  }
}

/** A journal that cannot be opened or read: what was found, and what to do. */
export class JournalError extends Error {
  readonly found: string
  readonly remedy: string

  constructor(found: string, remedy: string, options?: ErrorOptions) {
    super(`${found}. ${remedy}`, options)
    this.found = found
    this.remedy = remedy
  }
}

export function journalError(deed: 'open' | 'read', path: string, error: unknown): JournalError {
  const remedy = error instanceof Unknown ? error.remedy : (diskRemedy(error, dirname(path)) ?? whatToDo(path))
  return new JournalError(`Could not ${deed} the journal ${path}: ${reasonOf(error)}`, remedy, { cause: error })
}

export function mustNotBeEmpty(path: string): void {
  if (statSync(path).size === 0) throw new Error('the file is empty, which a journal never is')
}

/** What people can do about a journal that cannot be read. */
export function whatToDo(path: string): string {
  return (
    'Nothing was deleted. Keep a copy of the file. To begin with an empty journal, ' +
    `move ${path}, ${path}-wal and ${path}-shm to another folder and start again.`
  )
}

function create(home: string, path: string): void {
  if (existsSync(`${path}-wal`)) {
    throw new Error(
      `Could not open the journal ${path}: it is missing, but its log ${path}-wal is there. ${whatToDo(path)}`,
    )
  }
  const draft = `${path}.new`
  try {
    makeDraft(draft)
    renameSync(draft, path)
    syncFolder(home)
  } catch (error) {
    throw new Error(
      `Could not create the journal ${path}: ${reasonOf(error)}. ` +
        (diskRemedy(error, home) ?? 'Check that its disk has space and can be written, then start again.'),
      { cause: error },
    )
  }
}

function makeDraft(draft: string): void {
  for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(draft + suffix, { force: true })
  closeSync(openSync(draft, 'wx', 0o600))
  // No write-ahead log here: closing would move it into the file and keep silent when that fails.
  const db = new DatabaseSync(draft)
  try {
    db.exec('PRAGMA synchronous = FULL')
    migrate(db)
  } finally {
    db.close()
  }
}

function openExisting(path: string, check: boolean): DatabaseSync {
  chmodSync(path, 0o600)
  // A clean shutdown removes the write-ahead log, so finding one means that the last one was not clean.
  const clean = !existsSync(`${path}-wal`)
  const db = new DatabaseSync(path, { timeout: BUSY_MS })
  try {
    if (versionOf(db) === 0) throw new Error('it is not a journal of Cloister')
    refuseNewer(db)
    makeDurable(db)
    if (clean) checkSize(db, path)
    if (check || !clean) checkWhole(db)
    bringUpToDate(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function bringUpToDate(db: DatabaseSync): void {
  const format = versionOf(db)
  try {
    migrate(db, { check: mustFit })
  } catch (error) {
    // What the disk or a row of another version says has a remedy of its own.
    if (error instanceof Unknown || diskRemedy(error, '') !== undefined) throw error
    throw new Error(`it could not be brought from format ${format} to ${FORMAT}: ${reasonOf(error)}`, { cause: error })
  }
}

function sign(db: DatabaseSync, version: string): void {
  const isSigned = db.prepare("SELECT value FROM about WHERE name = 'version'").get()?.['value'] === version
  if (!isSigned) db.prepare("INSERT OR REPLACE INTO about (name, value) VALUES ('version', ?)").run(version)
}

function makeDurable(db: DatabaseSync): void {
  const mode = db.prepare('PRAGMA journal_mode = WAL').get()?.['journal_mode']
  if (mode !== 'wal') throw new Error(`its disk does not allow a write-ahead log (SQLite chose "${String(mode)}")`)
  db.exec('PRAGMA synchronous = FULL')
}

function checkWhole(db: DatabaseSync): void {
  const finding = db.prepare('PRAGMA quick_check(1)').get()?.['quick_check']
  if (finding !== 'ok') throw new Error(`it is damaged (${String(finding)})`)
}

/** Cheap, and true after a clean shutdown only; SQLite itself notices missing pages but not a cut one. */
function checkSize(db: DatabaseSync, path: string): void {
  const pageSize = Number(db.prepare('PRAGMA page_size').get()?.['page_size'])
  if (statSync(path).size % pageSize !== 0) throw new Error('it is damaged (its end is missing)')
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
