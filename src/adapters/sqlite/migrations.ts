/** The journal's formats, one file each, and how an older database is brought to the newest. */
import type { DatabaseSync } from 'node:sqlite'
import type { Format } from './formats/format.ts'
import { format1 } from './formats/format-1.ts'
import { format2 } from './formats/format-2.ts'
import { inTransaction } from './transaction.ts'

export const FORMATS: readonly Format[] = [format1, format2]
export const FORMAT = FORMATS.length

interface Wish {
  formats?: readonly Format[]
  /** Throws when what came of it cannot be read: then nothing has happened. */
  check?: (db: DatabaseSync) => void
}

/** Applies the steps that are missing, in their order and all in one transaction. */
export function migrate(db: DatabaseSync, { formats = FORMATS, check }: Wish = {}): void {
  const version = versionOf(db)
  const missing = formats.filter(({ number }) => number > version)
  if (missing.length === 0) return
  inTransaction(db, () => {
    for (const { number, bring } of missing) {
      bring(db)
      db.exec(`PRAGMA user_version = ${number}`)
    }
    check?.(db)
  })
}

/** 0 is a database in which no step was ever applied. */
export function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
}
