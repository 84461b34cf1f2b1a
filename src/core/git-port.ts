/** The port for workspaces under git: what is seen of one, what is saved of it and brought back. */
import type { AgentId } from '../contract/ids.ts'
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
  commit: string
  branch: string | undefined
  /** What could not be saved, and the like. */
  notes: readonly string[]
}

export interface RestoreRequest {
  /** A folder of the repository. */
  workspace: string
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

/** The ref that holds the snapshot, or why there is none: nothing was uncommitted, or there is no place to save to. */
export type Saved = { ref: string } | 'clean' | 'no_repository'

export interface Git {
  /** Cheap: no process is started for it. Undefined outside a repository. */
  lookIn(workspace: string): Promise<GitState | undefined>
  /** The root of the worktree that the folder lies in, else its real path, else the path as it was given. */
  worktreeOf(workspace: string): Promise<string>
  /** Saves everything uncommitted under a new ref, worktree and index untouched. */
  salvage(agent: AgentId, generation: number, workspace: string): Promise<Saved>
  /** For people; starts processes. Undefined outside a repository and in a bare one. */
  describe(workspace: string): Promise<GitDescription | undefined>
  /** Oldest first; none outside a repository. */
  salvages(agent: AgentId, workspace: string): Promise<readonly Salvage[]>
  /** Writes what a snapshot changed, all of it or nothing, and compares every file afterwards. Throws when it cannot. */
  restore(request: RestoreRequest): Promise<Restored>
}
