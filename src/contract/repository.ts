/**
 * Where an agent was started: its folder, and the repository that this lay in. No other is ever looked at, saved to or
 * restored from on its behalf, whatever becomes of the workspace.
 */
import * as z from 'zod'

const path = z.string().startsWith('/').max(4096)

export const repository = z.union([
  z.literal('none'),
  z.object({
    /** The root of the worktree; the workspace may be a folder in it. */
    top: path,
    /** Holds HEAD and the index of this worktree alone, by its real path. */
    gitDir: path,
    /** Holds objects and refs, shared by all worktrees, by its real path. */
    commonDir: path,
    /** The user to whom that belongs. */
    owner: z.int().nonnegative(),
  }),
])
export type Repository = z.infer<typeof repository>

export const ground = z.object({
  repository: repository.optional(),
  /** The workspace by its real path: a link in its place, or on the way to it, leads elsewhere. */
  place: path.optional(),
})
export type Ground = z.infer<typeof ground>
