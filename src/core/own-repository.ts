/** The one repository that may be looked at, saved to and restored from on behalf of an agent. */
import type { AgentRecord } from '../contract/records.ts'
import type { Repository } from '../contract/repository.ts'
import type { OwnRepository } from './git-port.ts'

/** Of one that was started before it was kept, the root of its worktree is known. */
export function ownOf({ repository, worktree }: AgentRecord): OwnRepository | undefined {
  return repository ?? (worktree === undefined ? undefined : { top: worktree })
}

/**
 * A worktree may be made anew in the same place. Where another repository shows itself, or none, the agent's own is not
 * usable: the one around it is somebody else's.
 */
export function ownAfterStart(
  { repository: known }: AgentRecord,
  found: Repository | undefined,
): { repository?: Repository } {
  if (found === undefined) return {}
  const isOther = known !== undefined && known !== 'none' && (found === 'none' || found.top !== known.top)
  return isOther ? {} : { repository: found }
}
