/** The port for workspaces under git: what is seen of one, what is saved of it and brought back. */
import type { UnusableRepository } from '../contract/evidence.ts'
import type { DiffStat } from '../contract/finished.ts'
import type { AgentId } from '../contract/ids.ts'
import type { Ground, Repository } from '../contract/repository.ts'
import type { DirtyFile } from '../contract/work-views.ts'

export interface GitState {
  /** Identity of the newest commit, index and worktree change. */
  stamp: string
  ageMs: number
  /** What HEAD points at; empty when it is detached. */
  branch?: string
  /** The files that conflict while a merge or the like waits for somebody; the first ten. */
  conflicts?: string[]
}

/** A worktree in words. */
export interface GitDescription {
  /** Undefined when HEAD is detached. */
  branch: string | undefined
  head: { hash: string; subject: string; committedWallAt: number } | undefined
  /** The first 200. */
  dirty: DirtyFile[]
  dirtyTotal: number
  /** Commits that only this side, and only the upstream, has. */
  upstream: { name: string; ahead: number; behind: number } | undefined
}

export interface Salvage {
  ref: string
  agent: AgentId
  generation: number
  savedWallAt: number
  files: number
  /** Left out where plain files were saved. */
  commit?: string
  branch: string | undefined
  /** What a restore was about to replace or delete; never the newest work of the agent. */
  replaced?: true
  /** What could not be saved, and the like. */
  notes: readonly string[]
}

/** The place is left out where there is no such folder. */
export type Found = Ground & { repository: Repository }

/**
 * The only repository that counts for a workspace, as it was found when its agent was started: wherever another one
 * shows itself, or this one in another state than that, there is none. Left out, it is looked for.
 */
export type OwnRepository = 'none' | (Pick<Exclude<Repository, 'none'>, 'top'> & Partial<Exclude<Repository, 'none'>>)

export interface RestoreRequest {
  agent: AgentId
  /** A folder of the repository. */
  workspace: string
  own?: OwnRepository | undefined
  place?: string | undefined
  ref: string
  /** Only these files and folders. */
  paths?: readonly string[] | undefined
  /** Replace files that differ, and delete what was deleted in the snapshot. */
  force?: boolean | undefined
}

export interface Restored {
  written: readonly string[]
  /** Already there with the same bytes. */
  same: readonly string[]
  /** In the way; when there is any, nothing was written. */
  refused: readonly { path: string; why: string }[]
  deleted: readonly string[]
  /** What force replaced or deleted was saved under this ref first. */
  savedFirst?: string
}

export interface SalvageRequest {
  agent: AgentId
  generation: number
  workspace: string
  own?: OwnRepository | undefined
  /** The workspace's real path when its agent was started: only that folder is its own. Left out, any is. */
  place?: string | undefined
  /** A snapshot from before: it is the answer when nothing has changed since. */
  since?: string | undefined
  /** A restore is about to replace or delete it. */
  replaced?: true
}

/** The ref that holds the snapshot, nothing was there, or what is in the place of the workspace. */
export type PlainSaved = { ref: string; incomplete?: string } | 'clean' | { gone: string }

/**
 * The ref that holds the snapshot (where plain files were saved, why not with git), or why there is none: nothing was
 * uncommitted, there is no place to save to, the repository cannot be used, or the workspace is not there.
 */
export type Saved =
  | { ref: string; plain?: string; incomplete?: string }
  | { unusable: string }
  | { gone: string }
  | 'clean'
  | 'no_repository'
  | 'gone'

/** Saves and brings back files without git, in the home. */
export interface PlainFiles {
  save(request: SalvageRequest): Promise<PlainSaved>
  /** Oldest first. */
  list(agent: AgentId): Promise<readonly Salvage[]>
  restore(request: RestoreRequest): Promise<Restored>
}

export interface Git {
  /** Cheap: no process is started for it. Undefined outside a repository. */
  lookIn(workspace: string, own?: OwnRepository): Promise<GitState | undefined>
  /** The folder verifiably is not there. */
  isGone(workspace: string): Promise<boolean>
  /** Cheap. Undefined where its own repository can be used, and where there never was one and its folder is in its place. */
  unusable(where: Pick<SalvageRequest, 'workspace' | 'own' | 'place'>): Promise<UnusableRepository | undefined>
  /** What the folder is, and the repository that it lies in, by real paths. */
  find(workspace: string): Promise<Found>
  /** Saves everything uncommitted under a new ref, worktree and index untouched. */
  salvage(request: SalvageRequest): Promise<Saved>
  /** For people; starts processes. Undefined outside a repository and in a bare one. */
  describe(workspace: string, own?: OwnRepository): Promise<GitDescription | undefined>
  /** Against where its branch began; starts processes. Undefined outside a repository and in one without a commit. */
  diffStat(workspace: string): Promise<DiffStat | undefined>
  /** Oldest first; none outside a repository. Also those of a worktree that is gone, where its repository is not. */
  salvages(agent: AgentId, workspace: string, own?: OwnRepository): Promise<readonly Salvage[]>
  /** Writes what a snapshot changed, all of it or nothing, and compares every file afterwards. Throws when it cannot. */
  restore(request: RestoreRequest): Promise<Restored>
}
