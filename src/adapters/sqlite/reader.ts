/**
 * Reads the journal of a home that no daemon has, and changes nothing, not even on disk: no lock that a starting daemon
 * would meet, and no write-ahead log where none was.
 */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { databasePath, journalError, mustNotBeEmpty } from './database.ts'
import { FORMAT, versionOf } from './migrations.ts'
import { prepareReads } from './reads.ts'

const BUSY_MS = 1_000

export interface Reader extends ReturnType<typeof prepareReads> {
  format: number
  close: () => void
}

/** Undefined where there is no journal yet. */
export function openReader(home: string): Reader | undefined {
  const path = databasePath(home)
  if (!existsSync(path)) return undefined
  const url = pathToFileURL(path)
  // Nothing was left to be taken over from a log, so that the file stands still until a daemon starts.
  if (!existsSync(`${path}-wal`)) url.searchParams.set('immutable', '1')
  let db: DatabaseSync | undefined
  try {
    mustNotBeEmpty(path)
    const opened = (db = new DatabaseSync(url, { readOnly: true, timeout: BUSY_MS }))
    mustBeReadable(opened)
    const reads = prepareReads(opened)
    return {
      format: FORMAT,
      state: () => reading(path, () => reads.state()),
      events: (query) => reading(path, () => reads.events(query)),
      close: () => opened.close(),
    }
  } catch (error) {
    db?.close()
    throw journalError('read', path, error)
  }
}

function mustBeReadable(db: DatabaseSync): void {
  const format = versionOf(db)
  if (format !== FORMAT) throw new Error(`it has the format ${format}, and this Cloister reads ${FORMAT}`)
}

function reading<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw journalError('read', path, error)
  }
}
