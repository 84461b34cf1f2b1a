import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { openGit } from '../../src/adapters/git/git.ts'
import { VirtualGit } from '../fakes/virtual-git.ts'
import { Repo } from '../e2e/git/repo.ts'
import { gitSuite } from './git-suite.ts'

gitSuite('real', async () => {
  const repo = Repo.make()
  const outside = join(repo.base, 'outside')
  mkdirSync(outside)
  return {
    git: openGit(),
    workspace: repo.top,
    outside,
    edit: async (path, text) => repo.write({ [path]: text }),
    stage: async (path) => void repo.git('add', path),
    commit: async () => repo.commit('work'),
    saved: async (ref, path) => {
      try {
        return repo.git('show', `${ref}:${path}`)
      } catch {
        return undefined
      }
    },
    remove: async () => Repo.removeAll(),
  }
})

gitSuite('in memory', async () => {
  const git = new VirtualGit()
  const workspace = '/workspaces/agent-1'
  git.init(workspace)
  return {
    git,
    workspace,
    outside: '/outside',
    edit: async (path, text) => git.edit(workspace, path, text),
    stage: async () => git.stage(workspace),
    commit: async () => git.commit(workspace),
    saved: async (ref, path) => git.saved(ref, path),
    remove: async () => {},
  }
})
