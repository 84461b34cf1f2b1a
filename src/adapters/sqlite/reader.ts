/**
 * Reads the journal of a home that no daemon has, and changes nothing, not even on disk. One of an older format is
 * brought to this one in memory, and stays as it is until a daemon starts.
 */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { databasePath, journalError, mustNotBeEmpty } from './database.ts'
import { FORMAT, migrate, versionOf } from './migrations.ts'
import { prepareReads } from './reads.ts'
import { openReadOnly, readOnlyUrl, refuseNewer } from './stored-format.ts'

export interface Reader extends ReturnType<typeof prepareReads> {
  /** As it is stored. */
  format: number
  isOlder: boolean
  close: () => void
}

/** Undefined where there is no journal yet. */
export function openReader(home: string): Reader | undefined {
  const path = databasePath(home)
  if (!existsSync(path)) return undefined
  let db: DatabaseSync | undefined
  try {
    mustNotBeEmpty(path)
    db = openReadOnly(path)
    const { format, reads, close } = readable(db, path)
    return {
      format,
      isOlder: format < FORMAT,
      state: () => reading(path, () => reads.state()),
      openEffects: () => reading(path, () => reads.openEffects()),
      events: (query) => reading(path, () => reads.events(query)),
      close,
    }
  } catch (error) {
    db?.close()
    throw journalError('read', path, error)
  }
}

function readable(stored: DatabaseSync, path: string) {
  refuseNewer(stored)
  const format = versionOf(stored)
  if (format === 0) throw new Error('it is not a journal of Cloister')
  if (format === FORMAT) return { format, reads: prepareReads(stored), close: () => stored.close() }
  const copy = upToDate(stored, path)
  stored.close()
  return { format, reads: prepareReads(copy), close: () => copy.close() }
}

/** A copy in memory, in the newest format. */
function upToDate(stored: DatabaseSync, path: string): DatabaseSync {
  const format = versionOf(stored)
  const made = stored.prepare('SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL').all()
  const url = readOnlyUrl(path)
  url.searchParams.set('mode', 'ro')
  const db = new DatabaseSync(':memory:')
  try {
    for (const { sql } of made) db.exec(String(sql))
    db.prepare('ATTACH DATABASE ? AS stored').run(url.href)
    for (const { type, name } of made) {
      if (type === 'table') db.exec(`INSERT INTO main."${String(name)}" SELECT * FROM stored."${String(name)}"`)
    }
    db.exec(`DETACH DATABASE stored; PRAGMA user_version = ${format}`)
    migrate(db)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw journalError('read', path, error)
  }
}
