/** Git where there is a repository of the agent's own, plain files where there is none or it cannot be used. */
import type { Git, PlainFiles } from '../core/git-port.ts'

export function withPlainFiles(git: Git, plain: PlainFiles): Git {
  return {
    ...git,
    salvage: async (request) => {
      const saved = await git.salvage(request)
      const isUnusable = typeof saved === 'object' && 'unusable' in saved
      if (saved !== 'no_repository' && !isUnusable) return saved
      const why = isUnusable ? saved.unusable : `${request.workspace} is in no git repository`
      const files = await plain.save(request)
      return files === 'clean' || 'gone' in files ? files : { ...files, plain: why }
    },
    salvages: async (agent, workspace, own) => {
      const found = [...(await git.salvages(agent, workspace, own)), ...(await plain.list(agent))]
      return found.toSorted((a, b) => a.savedWallAt - b.savedWallAt)
    },
    restore: (request) => (request.ref.startsWith('salvage/') ? plain : git).restore(request),
  }
}
