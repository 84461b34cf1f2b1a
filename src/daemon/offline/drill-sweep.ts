/**
 * What drills leave behind that were ended by kill -9: a daemon, its agents, its terminal server and its home. Only a
 * home in the temporary folder that is named as one, belongs to this user, and was signed by a process that is gone.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { lives, readStat } from '../../adapters/process/proc-stat.ts'
import { signal } from '../../adapters/process/signal.ts'
import { holderOf } from '../../adapters/sqlite/lock.ts'
import { clearHome, isOurs } from './demo-sweep.ts'

export const DRILL_PREFIX = 'cloister-drill-'
const SIGNATURE = 'drill.json'
const LEAVE_MS = 10_000
const POLL_MS = 50

/** A pid alone may be another process by now; with its start time it cannot. */
const signature = z.object({ pid: z.int().positive(), startedAt: z.int().nonnegative() })

/** Before anything is started in it. */
export function signHome(home: string): void {
  const { pid } = process
  writeFileSync(join(home, SIGNATURE), JSON.stringify({ pid, startedAt: readStat(pid)?.startedAt }), { mode: 0o600 })
}

/** Never throws: a drill begins whatever another one left. */
export async function sweepDrills(folder: string, say: (sentence: string) => void): Promise<void> {
  const names = readdirSync(folder).filter((name) => name.startsWith(DRILL_PREFIX))
  for (const home of names.map((name) => join(folder, name)).filter((each) => isOurs(each) && isAbandoned(each))) {
    try {
      await endDaemon(home)
      await clearHome(home)
      say(`An earlier drill had been killed; its daemon, its agents, its terminal server and ${home} are gone now.`)
    } catch (error) {
      say(`What an earlier drill left in ${home} could not be cleared away: ${(error as Error).message}`)
    }
  }
}

function isAbandoned(home: string): boolean {
  try {
    return !lives(signature.parse(JSON.parse(readFileSync(join(home, SIGNATURE), 'utf8'))))
  } catch {
    return false
  }
}

async function endDaemon(home: string): Promise<void> {
  const { holder } = holderOf(home)
  if (holder?.startedAt === undefined) return
  const daemon = { pid: holder.pid, startedAt: holder.startedAt }
  signal(daemon, 'SIGTERM')
  const deadline = performance.now() + LEAVE_MS
  while (lives(daemon) && performance.now() < deadline) await sleep(POLL_MS)
  signal(daemon, 'SIGKILL')
  while (lives(daemon) && performance.now() < deadline + LEAVE_MS) await sleep(POLL_MS)
}
