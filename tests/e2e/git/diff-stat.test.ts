/** How much was changed since a branch began, in real repositories. */
import { rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { diffStat } from '../../../src/adapters/git/diff-stat.ts'
import { makeWorktree } from '../../../src/adapters/git/worktree.ts'
import { Repo } from './repo.ts'

let repo: Repo

beforeEach(() => {
  repo = Repo.make()
})

afterEach(() => Repo.removeAll())

async function worktree(branch = 'feature/pan-18'): Promise<Repo> {
  const made = await makeWorktree({ folder: repo.top, name: branch.replace('/', '-'), branch })
  if ('refused' in made) throw new Error(made.refused.sentence)
  return repo.at(`workspaces/${branch.replace('/', '-')}`)
}

test('committed, staged, changed, deleted and new files count, against the branch that it began at', async () => {
  const work = await worktree()
  work.write({ 'a.txt': 'one\ntwo\n' })
  work.commit('more')
  work.write({ 'src/b.txt': 'zwei\n', 'staged.txt': 'x\n', 'new/ä b.txt': 'u\nv', 'data.bin': Buffer.from([0, 1, 10]) })
  work.git('add', 'staged.txt')
  rmSync(work.path('run.sh'))
  repo.write({ 'elsewhere.txt': 'main goes on\n' })
  repo.commit('main goes on')
  expect(await diffStat(work.top)).toEqual({ files: 6, added: 5, removed: 2, commits: 1, uncommitted: 5, base: 'main' })
  expect(await diffStat(work.path('src'))).toEqual({
    files: 6,
    added: 5,
    removed: 2,
    commits: 1,
    uncommitted: 5,
    base: 'main',
  })
})

test('nothing was changed', async () => {
  expect(await diffStat((await worktree()).top)).toEqual({ files: 0, added: 0, removed: 0, commits: 0, base: 'main' })
})

test('a branch that began at another branch, or was rebased, is compared with where it stands now', async () => {
  repo.git('checkout', '--quiet', '-b', 'dev')
  repo.write({ 'dev.txt': '1\n2\n3\n' })
  repo.commit('dev')
  const work = await worktree()
  work.write({ 'mine.txt': 'm\n' })
  work.commit('mine')
  expect(await diffStat(work.top)).toMatchObject({ files: 1, added: 1, commits: 1, base: 'dev' })
  repo.write({ 'dev.txt': '1\n2\n3\n4\n' })
  repo.commit('dev goes on')
  work.git('rebase', '--quiet', 'dev')
  expect(await diffStat(work.top)).toMatchObject({ files: 1, added: 1, commits: 1, base: 'dev' })
})

test('the only branch is compared with its own newest commit; a pushed one with what it was pushed to', async () => {
  repo.write({ 'a.txt': 'other\n' })
  expect(await diffStat(repo.top)).toEqual({ files: 1, added: 1, removed: 1, commits: 0 })
  repo.commit('other')
  repo.git('update-ref', 'refs/remotes/origin/main', 'HEAD~1')
  expect(await diffStat(repo.top)).toEqual({ files: 1, added: 1, removed: 1, commits: 1, base: 'origin/main' })
})

test('without a repository, or a commit in it, nothing is known; a look changes nothing', async () => {
  expect(await diffStat(repo.base)).toBe(undefined)
  expect(await diffStat(Repo.make({ commit: false }).top)).toBe(undefined)
  const work = await worktree()
  work.write({ 'a.txt': 'other\n' })
  const before = [work.git('status', '--porcelain'), repo.git('for-each-ref')]
  await diffStat(work.top)
  expect([work.git('status', '--porcelain'), repo.git('for-each-ref')]).toEqual(before)
})

test('a detached HEAD, and a branch that shares nothing with another', async () => {
  const work = await worktree()
  work.write({ 'a.txt': 'one\ntwo\n' })
  work.commit('more')
  work.git('checkout', '--quiet', '--detach')
  expect(await diffStat(work.top)).toMatchObject({ files: 1, added: 1, commits: 1, base: 'main' })
  work.git('checkout', '--quiet', '--orphan', 'lonely')
  work.commit('from nothing')
  expect(await diffStat(work.top)).toEqual({ files: 0, added: 0, removed: 0, commits: 0 })
})
