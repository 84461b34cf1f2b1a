/** One format of the journal. What was released of it is never changed, only followed by another. */
import type { DatabaseSync } from 'node:sqlite'

export interface Format {
  number: number
  /** Brings a database of the format before it to this one; runs in a transaction that all missing steps share. */
  bring: (db: DatabaseSync) => void
}

export type Body = Readonly<Record<string, unknown>>

/** Puts what `change` makes of it in the place of every row; a row that is to stay as it is comes back itself. */
export function rewrite(db: DatabaseSync, table: 'events' | 'state' | 'outbox', change: (body: Body) => Body): void {
  const put = db.prepare(`UPDATE ${table} SET body = ? WHERE rowid = ?`)
  // All rows are read before the first is written, a slice at a time: no statement is read from while its table changes.
  const read = db.prepare(`SELECT rowid AS n, body FROM ${table} WHERE rowid > ? ORDER BY rowid LIMIT 1000`)
  for (let last = 0; ;) {
    const rows = read.all(last)
    if (rows.length === 0) return
    for (const { n, body } of rows) {
      const before = JSON.parse(String(body)) as Body
      const after = change(before)
      if (after !== before) put.run(JSON.stringify(after), Number(n))
      last = Number(n)
    }
  }
}
