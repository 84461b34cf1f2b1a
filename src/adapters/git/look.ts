/**
 * Sees commits, adds and checkouts by four small files, without starting a process. Edits that were not added leave no
 * trace there; the hooks report those.
 */
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { GitState, OwnRepository } from '../../core/git-port.ts'
import { conflictsIn } from './conflicts.ts'
import { ownCheckout, ownRefs } from './own.ts'
import { headRef } from './repository.ts'

const LONGEST_BRANCH = 250

export async function lookIn(workspace: string, wallAt: number, own?: OwnRepository): Promise<GitState | undefined> {
  const where = { workspace, own }
  // Without one that is its own, a bare one will do.
  const repository = await (own === undefined ? ownRefs(where) : ownCheckout(where))
  if (repository === undefined || 'unusable' in repository) return undefined
  const { gitDir, commonDir } = repository
  const [ref, head, log, index, conflicts] = await Promise.all([
    headRef(repository),
    witness(join(gitDir, 'HEAD')),
    lastMove(join(gitDir, 'logs/HEAD')),
    witness(join(gitDir, 'index')),
    conflictsIn(gitDir),
  ])
  // Packing refs takes the branch's file away without any progress, so it counts only where no log tells of commits.
  const branch = log === undefined && ref !== undefined ? await witness(join(commonDir, ref)) : undefined
  const seen = [head, log, index, branch]
  const newestAt = Math.max(0, ...seen.map((one) => one?.wallAt ?? 0))
  const stamp = [ref ?? 'detached', ...seen.map((one) => one?.stamp ?? '-')].join(' ')
  return {
    stamp,
    ageMs: newestAt === 0 ? 0 : Math.max(0, wallAt - newestAt),
    conflicts,
    branch: (ref ?? '').replace(/^refs\/heads\//, '').slice(0, LONGEST_BRANCH),
  }
}

interface Witness {
  stamp: string
  wallAt: number
}

async function witness(file: string): Promise<Witness | undefined> {
  try {
    const { mtimeNs, size, ino } = await stat(file, { bigint: true })
    // Two writes may fall into one tick of the file system's clock; git replaces files, so the inode still differs.
    return { stamp: `${mtimeNs}.${size}.${ino}`, wallAt: Number(mtimeNs / 1_000_000n) }
  } catch {
    return undefined
  }
}

const TAIL_BYTES = 4096

/** The newest line of HEAD's log. Its content counts, not the file's time: garbage collection writes the file anew. */
async function lastMove(file: string): Promise<Witness | undefined> {
  try {
    await using log = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = await log.stat()
    if (!stats.isFile()) return undefined
    const { size } = stats
    const { buffer, bytesRead } = await log.read(
      Buffer.alloc(TAIL_BYTES),
      0,
      TAIL_BYTES,
      Math.max(0, size - TAIL_BYTES),
    )
    const tail = buffer.toString('latin1', 0, bytesRead)
    const last = [...tail.matchAll(/([0-9a-f]{40,64}) ([0-9a-f]{40,64}) .*> (\d+) [-+]\d{4}\t/g)].at(-1)
    return last && { stamp: `${last[1]}.${last[2]}.${last[3]}`, wallAt: Number(last[3]) * 1000 }
  } catch {
    return undefined
  }
}
