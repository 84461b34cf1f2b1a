/** The one repository, and the one folder, that may be looked at, saved from and restored to on behalf of an agent. */
import type { AgentRecord } from '../contract/records.ts'
import type { Ground } from '../contract/repository.ts'
import type { Found, OwnRepository } from './git-port.ts'

/** Of one that was started before it was kept, the root of its worktree is known. */
export function ownOf({ repository, worktree }: AgentRecord): OwnRepository | undefined {
  return repository ?? (worktree === undefined ? undefined : { top: worktree })
}

/** What has one owner: the root of the worktree, else the folder itself. */
export function worktreeOf(workspace: string, { repository, place = workspace }: Found): string {
  return repository === 'none' ? place : repository.top
}

/**
 * A worktree may be made anew in the same place. Where another repository shows itself, or none, or another folder, the
 * agent's own is not usable: the one around it is somebody else's.
 */
export function ownAfterStart({ repository: known, place: was }: Ground, { repository: found, place }: Ground): Ground {
  const isOther = known !== undefined && known !== 'none' && found !== undefined && !isSameTop(known, found)
  const isElsewhere = was !== undefined && place !== undefined && place !== was
  if (isOther || isElsewhere) return {}
  return { ...(found === undefined ? {} : { repository: found }), ...(place === undefined ? {} : { place }) }
}

type Known = NonNullable<Ground['repository']>

function isSameTop(known: Exclude<Known, 'none'>, found: Known): boolean {
  return found !== 'none' && found.top === known.top
}
