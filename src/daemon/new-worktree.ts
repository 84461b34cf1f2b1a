/** A worktree for an agent that is started over the API, as `pan agents spawn` makes one. */
import type { ApiDeps } from '../api/deps.ts'
import { make, undo } from './offline/worktrees.ts'

export const newWorktree: ApiDeps['newWorktree'] = async (repo, { id, issue, project }) => {
  const who = Object.fromEntries(Object.entries({ id, issue, project }).filter(([, value]) => value !== undefined))
  const made = await make({ folder: repo, ...who })
  if (made === undefined) {
    const hint = 'Name a folder of the project, or give the folder that it works in (workspace).'
    return { code: 'conflict', sentence: `${repo} is in no git repository`, hint }
  }
  if ('refused' in made) return { code: 'conflict', ...made.refused }
  return {
    workspace: made.path,
    undo: async () => {
      if (made.made.worktree === true) await undo(made)
    },
  }
}
