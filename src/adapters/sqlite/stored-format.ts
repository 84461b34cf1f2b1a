/**
 * Which format a journal has, asked before anything is written: what a newer Cloister wrote is refused and stays as it
 * is, since this one would drop what it does not know with its first write.
 */
import { existsSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { FORMAT, versionOf } from './migrations.ts'
import { Unknown } from './unknown.ts'

const BUSY_MS = 1_000

/** Reads, and changes nothing, not even on disk: no lock that a starting daemon would meet, no log where none was. */
export function openReadOnly(path: string): DatabaseSync {
  return new DatabaseSync(readOnlyUrl(path), { readOnly: true, timeout: BUSY_MS })
}

export function readOnlyUrl(path: string): URL {
  const url = pathToFileURL(path)
  // Nothing was left to be taken over from a log, so that the file stands still until a daemon starts.
  if (!existsSync(`${path}-wal`)) url.searchParams.set('immutable', '1')
  return url
}

/** A file that is missing, empty or damaged is told of by whoever opens it. */
export function mustNotBeNewer(path: string): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0) return
  let db: DatabaseSync | undefined
  try {
    db = openReadOnly(path)
    refuseNewer(db)
  } catch (error) {
    if (error instanceof Unknown) throw error
  } finally {
    db?.close()
  }
}

export function refuseNewer(db: DatabaseSync): void {
  const format = versionOf(db)
  if (format <= FORMAT) return
  throw new Unknown(
    `it was written by a newer Cloister (${writerOf(db)}format ${format}), and this one knows formats up to ${FORMAT}`,
  )
}

/** Who last wrote it, where that can be read: what a newer format says of itself may stand elsewhere. */
function writerOf(db: DatabaseSync): string {
  try {
    const version = db.prepare("SELECT value FROM about WHERE name = 'version'").get()?.['value']
    return typeof version === 'string' ? `version ${version}, ` : ''
  } catch {
    return ''
  }
}
