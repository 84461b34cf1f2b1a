/**
 * The repository that an agent's workspace lay in when it was started: no other is ever looked at, saved to or restored
 * from on its behalf, whatever becomes of the workspace.
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
