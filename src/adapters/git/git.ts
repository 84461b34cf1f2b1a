/** The `Git` port on real repositories. */
import type { Git } from '../../core/git-port.ts'
import { describeGit } from './describe.ts'
import { diffStat } from './diff-stat.ts'
import { LIMITS, type Limits } from './limits.ts'
import { lookIn } from './look.ts'
import { identify, isGone, ownRefs, unusableOwn } from './own.ts'
import { restoreSalvage } from './restore-salvage.ts'
import { salvage } from './salvage.ts'
import { listSalvages } from './snapshots.ts'

export interface GitOptions {
  limits?: Partial<Limits>
  /** For a whole salvage. */
  timeoutMs?: number
  wallAt?: () => number
}

const TIMEOUT_MS = 30_000

export function openGit({ limits, timeoutMs = TIMEOUT_MS, wallAt = Date.now }: GitOptions = {}): Git {
  return {
    lookIn: (workspace, own) => lookIn(workspace, wallAt(), own),
    isGone,
    unusable: unusableOwn,
    find: identify,
    salvage: (request) => salvage({ ...request, limits: { ...LIMITS, ...limits }, timeoutMs, wallAt: wallAt() }),
    describe: describeGit,
    diffStat,
    salvages: async (agent, workspace, own) => {
      const repository = await ownRefs({ workspace, own })
      return repository === undefined ? [] : listSalvages(repository, agent)
    },
    restore: (request) => restoreSalvage({ ...request, wallAt: wallAt() }),
  }
}
