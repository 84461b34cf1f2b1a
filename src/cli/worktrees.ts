/** The program daemon/offline/worktrees, loaded by path: it works on repositories, which the daemon is not asked for. */
import { extname } from 'node:path'

export interface MadeWorktree {
  path: string
  branch: string
  commit: string
  from: string
  /** What of it was not there before. */
  made: { branch?: true; worktree?: true }
}

export type WorktreeResult = MadeWorktree | { refused: { sentence: string; hint: string } }

export interface WorktreeWish {
  folder: string
  id?: string
  issue?: string
  project?: string
  base?: string
}

export interface WorktreeProgram {
  /** Undefined where there is no repository. */
  make: (wish: WorktreeWish) => Promise<WorktreeResult | undefined>
  /** Undefined when the workspace is there, or was no worktree of ours. */
  makeAgain: (workspace: string) => Promise<WorktreeResult | undefined>
  /** Gives what could not be undone. */
  undo: (made: MadeWorktree) => Promise<readonly string[]>
  describe: (made: MadeWorktree) => string
  promptFor: (issue: { issue: string; title?: string; branch: string }) => string
}

export async function loadWorktrees(entry: string): Promise<WorktreeProgram> {
  return (await import(new URL(`../daemon/offline/worktrees${extname(entry)}`, entry).href)) as WorktreeProgram
}
