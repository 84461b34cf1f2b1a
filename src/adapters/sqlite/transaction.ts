/** All of it becomes durable, or none. */
import type { DatabaseSync } from 'node:sqlite'

export function inTransaction<T>(db: DatabaseSync, deed: () => T): T {
  db.exec('BEGIN IMMEDIATE')
  try {
    const result = deed()
    db.exec('COMMIT')
    return result
  } catch (error) {
    // Some failures, a full disk among them, have ended the transaction already.
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}
