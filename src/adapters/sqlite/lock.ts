/**
 * One daemon per home: an exclusive transaction held on a small SQLite file of its own. The kernel frees it
 * when the process ends, however it ends, and it holds across network, mount and pid namespaces.
 * Nothing else may ever open daemon.lock.db: closing any handle of it would drop the lock of this process.
 */
import { chmodSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import * as z from 'zod'
import { prepareHome } from './home.ts'
import { reasonOf } from './reason.ts'
import { diskRemedy } from './remedy.ts'

const SQLITE_BUSY = 5

/** Keeps held locks from being collected as garbage, which would free them. */
const held = new Set<DatabaseSync>()

const holder = z.object({ pid: z.int(), host: z.string(), since: z.string() })

export interface Lock {
  release: () => void
}

/** Throws a sentence that names the holder when the home is taken. Never waits and never steals. */
export function acquireLock(home: string, wallAt: number): Lock {
  prepareHome(home)
  const path = join(home, 'daemon.lock.db')
  const note = join(home, 'daemon.lock.json')
  const db = hold(path, note)
  held.add(db)
  const release = (): void => {
    // Only once: afterwards the home, and the note, may be another's.
    if (!held.delete(db)) return
    rmSync(note, { force: true })
    db.close()
  }
  try {
    sign(note, wallAt)
  } catch (error) {
    release()
    throw error
  }
  return { release }
}

function hold(path: string, note: string): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(path)
    chmodSync(path, 0o600)
    db.exec('BEGIN EXCLUSIVE')
    return db
  } catch (error) {
    db?.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new Error(
        `Another daemon ${nameHolder(note)} has this home. Stop it, or set PANOPTICON_HOME to another folder.`,
        {
          cause: error,
        },
      )
    }
    throw cannotLock(path, error, 'If no daemon runs for this home, remove that file and start again.')
  }
}

function sign(note: string, wallAt: number): void {
  const draft = `${note}.new`
  const text = JSON.stringify({ pid: process.pid, host: hostname(), since: new Date(wallAt).toISOString() })
  try {
    writeFileSync(draft, `${text}\n`, { mode: 0o600 })
    renameSync(draft, note)
  } catch (error) {
    throw cannotLock(note, error, 'Remove what is in its place and start again.')
  }
}

function cannotLock(path: string, error: unknown, otherwise: string): Error {
  const remedy = diskRemedy(error, dirname(path)) ?? otherwise
  return new Error(`Could not lock ${path}: ${reasonOf(error)}. ${remedy}`, { cause: error })
}

/** The note is only for people: it may be missing for a moment, and the lock does not depend on it. */
function nameHolder(note: string): string {
  try {
    const { pid, host, since } = holder.parse(JSON.parse(readFileSync(note, 'utf8')))
    return `(process ${pid} on ${host}, since ${since})`
  } catch {
    return '(which has not said its process id)'
  }
}
