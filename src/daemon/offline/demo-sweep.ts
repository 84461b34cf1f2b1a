/**
 * What demos leave behind that were ended by kill -9: their agents, their terminal server and their home. Only a home in
 * the temporary folder that is named as one, belongs to this user, and whose daemon has signed its lock and died.
 */
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ProcessTrees } from '../../adapters/process/process-trees.ts'
import { endTerminalServer } from '../../adapters/process/terminal-server.ts'
import { acquireLock, holderOf } from '../../adapters/sqlite/lock.ts'
import { ID_PATTERN } from '../../contract/id-pattern.ts'

export const DEMO_PREFIX = 'cloister-demo-'

/** Never throws: a demo begins whatever another one left. */
export async function sweepDemos(folder: string, say: (sentence: string) => void): Promise<void> {
  for (const home of leftOver(folder)) {
    try {
      await clearHome(home)
      say(`An earlier demo had been killed; its agents, its terminal server and ${home} are gone now.`)
    } catch (error) {
      say(`What an earlier demo left in ${home} could not be cleared away: ${(error as Error).message}`)
    }
  }
}

function leftOver(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => name.startsWith(DEMO_PREFIX))
  return names.map((name) => join(folder, name)).filter((home) => isOurs(home) && holderOf(home).died)
}

export function isOurs(home: string): boolean {
  const stats = lstatSync(home, { throwIfNoEntry: false })
  return stats !== undefined && stats.isDirectory() && stats.uid === process.getuid?.()
}

/** With its lock held, so that nobody else sweeps it or starts in it meanwhile. Its daemon has ended. */
export async function clearHome(home: string): Promise<void> {
  const lock = acquireLock(home, Date.now())
  try {
    await endAll(home)
    rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  } finally {
    lock.release()
  }
}

/** No agent was ever started before the home had its id, nor lives when the id was removed. */
async function endAll(home: string): Promise<void> {
  const file = join(home, 'home.id')
  if (!existsSync(file)) return
  const homeId = readFileSync(file, 'utf8').trim()
  if (!ID_PATTERN.test(homeId)) throw new Error(`${file} does not hold a home id.`)
  const { survivors } = await new ProcessTrees({ homeId, home }).stopFleet([], () => endTerminalServer(homeId))
  if (survivors.length > 0) throw new Error(`${survivors.join(', ')} could not be ended.`)
}
