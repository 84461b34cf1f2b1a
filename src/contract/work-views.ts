/** An agent's work as it lies in its workspace: the state of the repository, and what was salvaged of it. */
import * as z from 'zod'
import { agentId, generation } from './ids.ts'

export const salvageView = z.object({
  ref: z.string(),
  /** The ref without its folder, such as «3-1»; of plain files the whole of it. */
  name: z.string(),
  /** Left out where plain files were saved. */
  commit: z.string().optional(),
  generation,
  savedAt: z.string(),
  files: z.int().nonnegative(),
  branch: z.string().optional(),
  /** What a restore was about to replace or delete; never «latest». */
  replaced: z.literal(true).optional(),
  /** What could not be saved, and the like. */
  notes: z.array(z.string()),
})
export type SalvageView = z.infer<typeof salvageView>

/** Oldest first. */
export const salvagesView = z.object({ agent: agentId, workspace: z.string(), salvages: z.array(salvageView) })
export type SalvagesView = z.infer<typeof salvagesView>

export const dirtyFile = z.object({
  path: z.string(),
  state: z.enum(['added', 'modified', 'deleted', 'type changed', 'untracked', 'conflict']),
  /** Whether all or a part of the change stands in the index. */
  staged: z.boolean(),
})
export type DirtyFile = z.infer<typeof dirtyFile>

export const gitView = z.object({
  agent: agentId,
  workspace: z.string(),
  /** Everything else is there only inside a repository. */
  repository: z.boolean(),
  /** Absent when HEAD is detached. */
  branch: z.string().optional(),
  head: z.object({ hash: z.string(), subject: z.string(), committedAt: z.string() }).optional(),
  /** Commits that only this side, and only the upstream, has. */
  upstream: z.object({ name: z.string(), ahead: z.int(), behind: z.int() }).optional(),
  /** The first 200 of `dirtyTotal`. */
  dirty: z.array(dirtyFile),
  dirtyTotal: z.int().nonnegative(),
  salvages: z.array(salvageView),
})
export type GitView = z.infer<typeof gitView>

export const restoreBody = z.strictObject({
  /** Whole, as «3-1», or «latest». */
  ref: z
    .string()
    .max(200)
    .regex(
      /^(?:latest|(?:(?:refs\/cloister|salvage)\/[a-z0-9_-]+\/)?\d{1,9}-\d{1,9})$/,
      'is no salvage: use «latest», «3-1» or a whole ref',
    ),
  /** Only these files and folders of the workspace. */
  paths: z.array(z.string().min(1).max(4096)).min(1).max(1000).optional(),
  /** Replace what differs and delete what was deleted; what was there is salvaged first. */
  force: z.boolean().optional(),
})
export type RestoreBody = z.infer<typeof restoreBody>
