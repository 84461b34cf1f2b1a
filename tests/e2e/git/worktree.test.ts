/** Worktrees for agents in real repositories: made, taken over, refused, and undone without a trace. */
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openGit } from '../../../src/adapters/git/git.ts'
import { showSalvage } from '../../../src/adapters/git/snapshots.ts'
import { makeWorktree, repositoryRoot, undoWorktree, type MadeWorktree } from '../../../src/adapters/git/worktree.ts'
import { refOf } from '../../samples/saved.ts'
import { Repo } from './repo.ts'

afterEach(() => Repo.removeAll())

const PLAN = { name: 'feature-pan-18', branch: 'feature/pan-18' }

async function made(folder: string, plan: Partial<typeof PLAN & { base: string }> = {}): Promise<MadeWorktree> {
  const result = await makeWorktree({ folder, ...PLAN, ...plan })
  if ('refused' in result) throw new Error(result.refused.sentence)
  return result
}

async function refused(folder: string, plan: Partial<typeof PLAN & { base: string }> = {}): Promise<string> {
  const result = await makeWorktree({ folder, ...PLAN, ...plan })
  return 'refused' in result ? result.refused.sentence : 'it was made'
}

/** All that a worktree could leave behind. */
function traces(repo: Repo) {
  return {
    branches: repo.git('branch', '--format=%(refname:short)').trim().split('\n'),
    worktrees: repo.git('worktree', 'list', '--porcelain').match(/^worktree .*$/gm),
    excluded: readFileSync(join(repo.top, '.git/info/exclude'), 'utf8'),
    folder: existsSync(repo.path('workspaces')),
    status: repo.git('status', '--porcelain'),
  }
}

test('a worktree is made on a branch of its own, and the main checkout does not see it', async () => {
  const repo = Repo.make()
  const root = realpathSync(repo.top)
  const head = repo.git('rev-parse', 'HEAD').trim()
  expect(await made(repo.path('src'))).toEqual({
    path: join(root, 'workspaces/feature-pan-18'),
    branch: 'feature/pan-18',
    commit: head,
    from: `main (${head.slice(0, 7)})`,
    root,
    made: {
      folder: true,
      branch: true,
      worktree: true,
      exclusion: { file: join(root, '.git/info/exclude'), line: '/workspaces/feature-*/' },
    },
  })
  const at = repo.at('workspaces/feature-pan-18')
  expect([at.git('branch', '--show-current').trim(), at.git('status', '--porcelain')]).toEqual(['feature/pan-18', ''])
  expect([repo.git('status', '--porcelain'), repo.git('branch', '--show-current').trim()]).toEqual(['', 'main'])
  expect(await repositoryRoot(at.top)).toBe(root)
})

test('two agents in one repository get two worktrees, also from within one', async () => {
  const repo = Repo.make()
  const first = await made(repo.top)
  repo.at('workspaces/feature-pan-18').write({ 'new.txt': 'x' })
  repo.at('workspaces/feature-pan-18').commit('second')
  const second = await made(first.path, { name: 'feature-pan-19', branch: 'feature/pan-19' })
  expect([second.path, second.root]).toEqual([join(first.root, 'workspaces/feature-pan-19'), first.root])
  expect(second.from).toMatch(/^feature\/pan-18 \(/)
  const third = await made(repo.top, { name: 'shop-ps', branch: 'agent/shop-ps', base: 'main' })
  expect(third.made).toMatchObject({ exclusion: { line: '/workspaces/shop-ps/' } })
  expect(repo.git('status', '--porcelain')).toBe('')
})

test('what is there and clean is taken over, and nothing is made', async () => {
  const repo = Repo.make()
  const first = await made(repo.top)
  const again = await made(repo.top)
  expect(again).toEqual({ ...first, from: `feature/pan-18 (${first.commit.slice(0, 7)})`, made: {} })
  expect(await undoWorktree(again)).toEqual([])
  expect(existsSync(first.path)).toBe(true)
})

test('a branch without a worktree is taken over with its commits; a remote one is begun with', async () => {
  const repo = Repo.make()
  repo.git('branch', 'feature/pan-18')
  repo.git(
    'update-ref',
    'refs/remotes/origin/feature/pan-19',
    repo.git('commit-tree', 'HEAD^{tree}', '-m', 'theirs').trim(),
  )
  expect((await made(repo.top)).made).toEqual({ folder: true, worktree: true, exclusion: expect.any(Object) })
  const theirs = await made(repo.top, { name: 'feature-pan-19', branch: 'feature/pan-19' })
  expect(theirs.from).toBe(`origin/feature/pan-19 (${theirs.commit.slice(0, 7)})`)
  expect(repo.at('workspaces/feature-pan-19').git('log', '-1', '--format=%s').trim()).toBe('theirs')
})

test('a worktree whose folder was deleted is made again', async () => {
  const repo = Repo.make()
  const { path } = await made(repo.top)
  rmSync(path, { recursive: true })
  expect((await made(repo.top)).made).toEqual({ worktree: true })
  expect(existsSync(join(path, 'a.txt'))).toBe(true)
})

test('what could be lost or is not ours is refused, and nothing is changed', async () => {
  const repo = Repo.make()
  const { path, root } = await made(repo.top)
  writeFileSync(join(path, 'a.txt'), 'changed')
  expect(await refused(repo.top)).toBe(`The worktree ${path} is there already, with uncommitted changes (1)`)
  repo.at('workspaces/feature-pan-18').git('checkout', '--quiet', '--force', '-b', 'other')
  expect(await refused(repo.top)).toBe(
    `The worktree ${path} is there already, but on the branch other instead of feature/pan-18`,
  )
  repo.git('checkout', '--quiet', '-b', 'feature/pan-20')
  const before = traces(repo)
  expect(await refused(repo.top, { name: 'feature-pan-20', branch: 'feature/pan-20' })).toBe(
    `The branch feature/pan-20 is checked out in ${root}`,
  )
  mkdirSync(repo.path('workspaces/feature-pan-21'))
  writeFileSync(repo.path('workspaces/feature-pan-21/mine.txt'), 'x')
  expect(await refused(repo.top, { name: 'feature-pan-21', branch: 'feature/pan-21' })).toBe(
    `${root}/workspaces/feature-pan-21 is there already and is no worktree of this repository`,
  )
  expect(await refused(repo.top, { name: 'feature-x', branch: 'feature/x', base: 'nowhere' })).toBe(
    'There is no commit «nowhere»',
  )
  expect(await refused(repo.top, { name: 'feature-x', branch: 'feature/x', base: '--detach' })).toBe(
    'There is no commit «--detach»',
  )
  expect(traces(repo)).toEqual(before)
})

test('no repository, and one without a commit, are refused', async () => {
  const repo = Repo.make({ commit: false })
  expect(await refused(repo.top)).toBe(`${realpathSync(repo.top)} has no commit yet, so that no branch can begin there`)
  expect(await refused(repo.base)).toBe(`${repo.base} is in no git repository`)
  expect(existsSync(repo.path('workspaces'))).toBe(false)
})

test('a failure half-way leaves nothing', async () => {
  const repo = Repo.make()
  const before = traces(repo)
  // A branch called «feature» leaves no room for one below it.
  repo.git('branch', 'feature')
  expect(await refused(repo.top)).toMatch(/could not be made: git branch: .*feature/)
  repo.git('branch', '-D', 'feature')
  expect(traces(repo)).toEqual(before)
  // The checkout fails: one of its objects is gone.
  const blob = repo.git('rev-parse', 'HEAD:a.txt').trim()
  rmSync(repo.path(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`))
  expect(await refused(repo.top)).toMatch(/could not be made: git worktree: /)
  expect(traces(repo)).toEqual(before)
})

test('undoing leaves no trace, and leaves what was done meanwhile', async () => {
  const repo = Repo.make()
  const before = traces(repo)
  expect(await undoWorktree(await made(repo.top))).toEqual([])
  expect(traces(repo)).toEqual(before)
  const second = await made(repo.top)
  writeFileSync(join(second.path, 'work.txt'), 'x')
  expect(await undoWorktree(second)).toEqual([second.path])
  expect(existsSync(join(second.path, 'work.txt'))).toBe(true)
  repo.at('workspaces/feature-pan-18').commit('work')
  expect(await undoWorktree(second)).toEqual(['feature/pan-18'])
  expect(repo.git('show', 'feature/pan-18:work.txt')).toBe('x')
})

test('two at once: one makes it, and the other harms nothing', async () => {
  const repo = Repo.make()
  const results = await Promise.all([1, 2, 3].map(() => makeWorktree({ folder: repo.top, ...PLAN })))
  expect(results.some((result) => !('refused' in result))).toBe(true)
  expect((await made(repo.top)).made).toEqual({})
})

test('a salvage of the main checkout does not take the worktrees with it', async () => {
  const repo = Repo.make()
  const { path } = await made(repo.top)
  writeFileSync(join(path, 'a.txt'), 'of the agent')
  repo.write({ 'a.txt': 'of the person' })
  const ref = refOf(await openGit().salvage({ agent: 'agent-main', generation: 1, workspace: repo.top }))
  expect((await showSalvage(repo.top, ref)).changes.map(({ path: name }) => name)).toEqual(['a.txt'])
})

test('no hook of the repository runs', async () => {
  const repo = Repo.make()
  writeFileSync(repo.path('.git/hooks/post-checkout'), '#!/bin/sh\ntouch ran\n', { mode: 0o755 })
  const { path } = await made(repo.top)
  expect([existsSync(join(path, 'ran')), existsSync(repo.path('ran'))]).toEqual([false, false])
})
