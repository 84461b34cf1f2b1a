/** The tables, as a list of numbered steps. A step that was released is never changed, only followed by another. */
import type { DatabaseSync } from 'node:sqlite'
import { inTransaction } from './transaction.ts'

const MIGRATIONS: readonly string[] = [
  `CREATE TABLE events (seq INTEGER PRIMARY KEY, at REAL NOT NULL, agent TEXT, type TEXT NOT NULL, body TEXT NOT NULL) STRICT;
   CREATE INDEX events_of_agent ON events (agent, seq) WHERE agent IS NOT NULL;
   CREATE TABLE state (key TEXT PRIMARY KEY, seq INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
   CREATE TABLE outbox (n INTEGER PRIMARY KEY, effect TEXT NOT NULL UNIQUE, seq INTEGER NOT NULL, body TEXT NOT NULL,
     outcome TEXT) STRICT;
   CREATE INDEX outbox_open ON outbox (n) WHERE outcome IS NULL;
   CREATE TABLE seen (n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;`,
]

export const FORMAT = MIGRATIONS.length

/** Applies the steps that are missing, all in one transaction. */
export function migrate(db: DatabaseSync, migrations: readonly string[] = MIGRATIONS): void {
  const version = versionOf(db)
  if (version > migrations.length) {
    throw new Error(
      `it was written by a newer Cloister (format ${version}, this one knows ${migrations.length}): use that one`,
    )
  }
  if (version === migrations.length) return
  inTransaction(db, () => {
    for (const step of migrations.slice(version)) db.exec(step)
    db.exec(`PRAGMA user_version = ${migrations.length}`)
  })
}

/** 0 is a database in which no step was ever applied. */
export function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
}
