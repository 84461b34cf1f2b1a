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
import { lives, readStat } from '../process/proc-stat.ts'
import { prepareHome } from './home.ts'
import { reasonOf } from './reason.ts'
import { diskRemedy } from './remedy.ts'

const SQLITE_BUSY = 5

/** Keeps held locks from being collected as garbage, which would free them. */
const held = new Set<DatabaseSync>()

/** A pid alone may be another process by now; with its start time, in clock ticks since boot, it cannot. */
const holder = z.object({
  pid: z.int().positive(),
  startedAt: z.int().nonnegative().optional(),
  host: z.string().optional(),
  since: z.string().optional(),
})
export type Holder = z.infer<typeof holder>

/** The home is another's. */
export class HomeTaken extends Error {}

export interface Lock {
  release: () => void
}

/** Throws a HomeTaken that names the holder when the home is taken. Never waits and never steals. */
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
      throw new HomeTaken(
        `Another daemon ${nameHolder(note)} has this home. Stop it, or set PANOPTICON_HOME to another folder.`,
        { cause: error },
      )
    }
    throw cannotLock(path, error, 'If no daemon runs for this home, remove that file and start again.')
  }
}

function sign(note: string, wallAt: number): void {
  const draft = `${note}.new`
  const { pid } = process
  const since = new Date(wallAt).toISOString()
  const text = JSON.stringify({ pid, startedAt: readStat(pid)?.startedAt, host: hostname(), since })
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

/** The note is only for people: it may be missing, or a dead one's, for a moment, and the lock does not depend on it. */
function nameHolder(note: string): string {
  const found = readNote(note)
  const { pid = 0, host = hostname(), since = 'unknown' } = found ?? {}
  const isLeftOver = found !== undefined && host === hostname() && !isAlive(found)
  if (found === undefined || isLeftOver) return '(which has not said its process id)'
  return `(process ${pid} on ${host}, since ${since})`
}

/**
 * Who has the home, by the note and by what the machine says of that process. `died`: a holder left its note behind,
 * which only kill -9, a crash or a power cut do.
 */
export function holderOf(home: string): { holder?: Holder; died: boolean } {
  const found = readNote(join(home, 'daemon.lock.json'))
  if (found === undefined) return { died: false }
  return isAlive(found) ? { holder: found, died: false } : { died: true }
}

function isAlive({ pid, startedAt }: Holder): boolean {
  return startedAt === undefined ? readStat(pid) !== undefined : lives({ pid, startedAt })
}

function readNote(note: string): Holder | undefined {
  try {
    return holder.parse(JSON.parse(readFileSync(note, 'utf8')))
  } catch {
    return undefined
  }
}
