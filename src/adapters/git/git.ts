/** The `Git` port on real repositories. */
import { realpath } from 'node:fs/promises'
import type { Git } from '../../core/git-port.ts'
import { describeGit } from './describe.ts'
import { LIMITS, type Limits } from './limits.ts'
import { lookIn } from './look.ts'
import { findRepository } from './repository.ts'
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
    lookIn: (workspace) => lookIn(workspace, wallAt()),
    worktreeOf: async (workspace) =>
      (await findRepository(workspace))?.top ?? (await realpath(workspace).catch(() => workspace)),
    salvage: (agent, generation, workspace) =>
      salvage({ agent, generation, workspace, limits: { ...LIMITS, ...limits }, timeoutMs, wallAt: wallAt() }),
    describe: describeGit,
    salvages: async (agent, workspace) =>
      (await findRepository(workspace)) === undefined ? [] : listSalvages(workspace, agent),
    restore: (request) => restoreSalvage({ ...request, wallAt: wallAt() }),
  }
}
