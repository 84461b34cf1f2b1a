/** The cheap witnesses and the description of a worktree, in real repositories. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeGit } from '../../../src/adapters/git/describe.ts'
import { lookIn } from '../../../src/adapters/git/look.ts'
import { Repo } from './repo.ts'

let repo: Repo

beforeEach(() => {
  repo = Repo.make()
})

afterEach(() => Repo.removeAll())

const stamp = async (folder = repo.top) => (await lookIn(folder, Date.now()))?.stamp

test.each<[string, (made: Repo) => void]>([
  ['a commit', (made) => made.commit('more')],
  ['an add', (made) => (made.write({ 'a.txt': 'x\n' }), made.git('add', 'a.txt'))],
  ['a new branch', (made) => made.git('checkout', '--quiet', '-b', 'other')],
  ['a detached HEAD', (made) => made.git('checkout', '--quiet', '--detach')],
  ['an amended commit', (made) => made.git('commit', '--quiet', '--amend', '--message', 'other')],
  ['a reset', (made) => (made.commit('more'), made.git('reset', '--quiet', '--hard', 'HEAD~1'))],
])('%s changes the stamp', async (_what, change) => {
  const before = await stamp()
  change(repo)
  expect(await stamp()).not.toBe(before)
})

test('packing refs and collecting garbage is no change', async () => {
  const before = await stamp()
  repo.git('gc', '--quiet')
  expect(existsSync(join(repo.gitDir(), 'refs/heads/main'))).toBe(false)
  expect(await stamp()).toBe(before)
})

test('without a log the branch tells of commits', async () => {
  repo.git('config', 'core.logAllRefUpdates', 'false')
  rmSync(join(repo.gitDir(), 'logs'), { recursive: true })
  const before = await stamp()
  repo.git('update-ref', 'refs/heads/main', repo.git('commit-tree', 'HEAD^{tree}', '-p', 'HEAD', '-m', 'x').trim())
  expect(await stamp()).not.toBe(before)
})

test('linked worktrees and subfolders are seen, each worktree by itself', async () => {
  repo.git('worktree', 'add', '--quiet', '-b', 'side', '../side')
  const side = repo.at('../side')
  const before = { main: await stamp(), side: await stamp(side.top) }
  expect(await stamp(repo.path('src'))).toBe(before.main)
  side.commit('in the worktree')
  expect(await stamp()).toBe(before.main)
  expect(await stamp(side.top)).not.toBe(before.side)
})

test('the age is that of the newest witness', async () => {
  const later = Date.now() + 60_000
  const look = await lookIn(repo.top, later)
  expect(look?.ageMs).toBeGreaterThan(0)
  expect(look?.ageMs).toBeLessThanOrEqual(120_000)
  expect((await lookIn(repo.top, 0))?.ageMs).toBe(0)
})

test.each<[string, (made: Repo) => void, boolean]>([
  ['no HEAD', (made) => rmSync(join(made.gitDir(), 'HEAD')), true],
  ['garbage in HEAD', (made) => writeFileSync(join(made.gitDir(), 'HEAD'), '\0\0'), true],
  [
    'no index and no log',
    (made) => (rmSync(made.path('.git/logs'), { recursive: true }), rmSync(made.path('.git/index'))),
    true,
  ],
  ['.git is a file that leads nowhere', (made) => replaceDotGit(made, 'gitdir: /nowhere\n'), false],
  ['.git is garbage', (made) => replaceDotGit(made, 'garbage'), false],
  ['no objects', (made) => rmSync(join(made.gitDir(), 'objects'), { recursive: true }), false],
])('odd states never throw: %s', async (_what, change, isSeen) => {
  change(repo)
  expect((await lookIn(repo.top, Date.now())) !== undefined).toBe(isSeen)
})

test.each(['merge', 'rebase', 'cherry-pick'])('the conflicts of a %s, until it is over', async (how) => {
  repo.git('checkout', '--quiet', '-b', 'other')
  repo.write({ 'a.txt': 'theirs\n', 'src/b.txt': 'theirs\n' })
  repo.git('commit', '--quiet', '--all', '--message', 'theirs')
  repo.git('checkout', '--quiet', 'main')
  repo.write({ 'a.txt': 'ours\n', 'src/b.txt': 'ours\n' })
  repo.git('commit', '--quiet', '--all', '--message', 'ours')
  const conflicts = async () => (await lookIn(repo.top, Date.now()))?.conflicts
  expect(await conflicts()).toEqual([])
  expect(() => repo.git(how, 'other')).toThrow()
  expect(await conflicts()).toEqual(['a.txt', 'src/b.txt'])
  repo.git(how, '--abort')
  expect(await conflicts()).toEqual([])
})

function replaceDotGit(made: Repo, text: string): void {
  rmSync(made.path('.git'), { recursive: true })
  writeFileSync(made.path('.git'), text)
}

test('describes branch, newest commit and dirty files', async () => {
  repo.write({ 'a.txt': 'changed\n', 'new file "x".txt': 'n\n', 'ü.txt': 'u\n', 'staged.txt': 's\n' })
  repo.git('add', 'staged.txt')
  rmSync(repo.path('run.sh'))
  expect(await describeGit(repo.top)).toEqual({
    branch: 'main',
    head: {
      hash: repo.git('rev-parse', 'HEAD').trim(),
      subject: 'first',
      committedWallAt: Number(repo.git('log', '-1', '--format=%ct')) * 1000,
    },
    dirty: [
      { path: 'a.txt', state: 'modified', staged: false },
      { path: 'run.sh', state: 'deleted', staged: false },
      { path: 'staged.txt', state: 'added', staged: true },
      { path: 'new file "x".txt', state: 'untracked', staged: false },
      { path: 'ü.txt', state: 'untracked', staged: false },
    ],
    dirtyTotal: 5,
    upstream: undefined,
  })
})

test('describes the distance to the upstream, and 200 of many dirty files', async () => {
  repo.git('clone', '--quiet', '.', '../clone')
  const clone = repo.at('../clone')
  clone.commit('ahead')
  repo.commit('behind one')
  repo.commit('behind two')
  clone.git('fetch', '--quiet')
  clone.write(Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`many/${at}`, 'x'])))
  const { upstream, dirty, dirtyTotal } = (await describeGit(clone.top)) ?? {}
  expect({ upstream, shown: dirty?.length, dirtyTotal }).toEqual({
    upstream: { name: 'origin/main', ahead: 1, behind: 2 },
    shown: 200,
    dirtyTotal: 250,
  })
})

test('describes a detached HEAD, a conflict and a repository without commits', async () => {
  repo.git('checkout', '--quiet', '--detach')
  expect(await describeGit(repo.top)).toMatchObject({ branch: undefined, head: { subject: 'first' }, dirtyTotal: 0 })
  repo.git('checkout', '--quiet', '-b', 'other', 'main')
  repo.write({ 'a.txt': 'theirs\n' })
  repo.commit('theirs')
  repo.git('checkout', '--quiet', 'main')
  repo.write({ 'a.txt': 'ours\n' })
  repo.commit('ours')
  repo.tryGit('merge', 'other')
  expect(await describeGit(repo.top)).toMatchObject({
    branch: 'main',
    dirty: [{ path: 'a.txt', state: 'conflict', staged: false }],
  })

  const fresh = repo.at('../fresh')
  mkdirSync(fresh.top)
  fresh.git('init', '--quiet', '--initial-branch=main')
  expect(await describeGit(fresh.top)).toEqual({
    branch: 'main',
    head: undefined,
    dirty: [],
    dirtyTotal: 0,
    upstream: undefined,
  })
  expect(await describeGit(repo.base)).toBe(undefined)
})

test('pipes in the place of a log or of a note are not waited for', async () => {
  rmSync(join(repo.top, '.git/logs/HEAD'))
  execFileSync('mkfifo', [join(repo.top, '.git/logs/HEAD'), join(repo.top, '.git/MERGE_MSG')])
  writeFileSync(join(repo.top, '.git/MERGE_HEAD'), '0'.repeat(40))
  expect(await lookIn(repo.top, Date.now())).toBeDefined()
})
