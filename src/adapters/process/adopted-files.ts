/** Which living sessions were adopted, by the files that the daemon publishes: an emergency stop needs no database. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Leader } from '../../contract/adopted.ts'
import type { Adoptee } from '../../core/ports.ts'
import { leaderLives } from './adopted-tree.ts'

/** Named by the agent's id. What cannot be read is passed over: a stop must not fail on it. */
export function readAdopted(home: string): Adoptee[] {
  const folder = join(home, 'agents')
  return namesIn(folder).flatMap((id) => {
    try {
      const state = JSON.parse(readFileSync(join(folder, id, 'state.json'), 'utf8')) as {
        adopted?: { leader?: unknown }
      }
      const leader = state.adopted?.leader
      return isLeader(leader) && leaderLives(leader) ? { run: id, leader } : []
    } catch {
      return []
    }
  })
}

/** By hand: a program for emergencies loads no more than it must. */
function isLeader(value: unknown): value is Leader {
  const { pid, startTime, boot } = (value ?? {}) as Partial<Leader>
  return Number.isSafeInteger(pid) && Number(pid) > 1 && Number.isSafeInteger(startTime) && typeof boot === 'string'
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
