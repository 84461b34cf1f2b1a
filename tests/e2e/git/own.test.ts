/** Only the repository that an agent was started in is ever looked at or saved to, whatever becomes of its `.git`. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openGit } from '../../../src/adapters/git/git.ts'
import { openPlainFiles } from '../../../src/adapters/plain-files/plain-files.ts'
import { readPlain } from '../../../src/adapters/plain-files/list-file.ts'
import type { OwnRepository } from '../../../src/core/git-port.ts'
import { withPlainFiles } from '../../../src/daemon/with-plain-files.ts'
import { refOf } from '../../samples/saved.ts'
import { pictureOf, Repo } from './repo.ts'

let repo: Repo
let home: string
/** An agent's worktree, inside the repository of a person who has uncommitted files there. */
let worktree: string
let own: OwnRepository

beforeEach(async () => {
  repo = Repo.make()
  home = join(repo.base, 'home')
  mkdirSync(home)
  repo.git('worktree', 'add', '--quiet', '-b', 'feature', 'workspaces/feature')
  worktree = repo.path('workspaces/feature')
  repo.write({ 'a.txt': 'of the person\n', 'secret.txt': 'of the person\n' })
  writeFileSync(join(worktree, 'a.txt'), 'of the agent\n')
  mkdirSync(join(worktree, 'new'))
  writeFileSync(join(worktree, 'new/thought.txt'), 'half a thought\n')
  own = (await openGit().find(worktree)).repository
})

afterEach(() => Repo.removeAll())

const git = () => withPlainFiles(openGit(), openPlainFiles(home))
const refs = () => repo.git('for-each-ref', '--format=%(refname)', 'refs/cloister/').trim()

test('what is found at the start: top, git folder and shared folder by their real paths, and the owner', () => {
  const commonDir = repo.path('.git')
  const gitDir = join(commonDir, 'worktrees/feature')
  expect(own).toEqual({ top: worktree, gitDir, commonDir, owner: process.getuid?.() })
})

const dotGit = () => join(worktree, '.git')
/** Where a commit lands then, as git itself says. */
const committedTo = () => {
  const answer = spawnSync('git', ['-C', worktree, 'rev-parse', '--path-format=absolute', '--git-common-dir'])
  return answer.status === 0
    ? answer.stdout
        .toString()
        .trim()
        .replace(/\/\.git$/, '')
    : undefined
}
const DAMAGES: [string, () => void, RegExp][] = [
  ['deleted', () => rmSync(dotGit()), /is no repository any more/],
  ['emptied', () => (rmSync(dotGit()), mkdirSync(dotGit())), /is no repository any more/],
  ['garbage', () => writeFileSync(dotGit(), '\0garbage\n'), /is no repository any more/],
  ['leading nowhere', () => writeFileSync(dotGit(), 'gitdir: /nowhere\n'), /is no repository any more/],
  [
    'leading to the main checkout',
    () => writeFileSync(dotGit(), 'gitdir: ../../.git\n'),
    /leads to another repository/,
  ],
  ['a link to the main checkout', () => (rmSync(dotGit()), symlinkSync('../../.git', dotGit())), /leads to another/],
  [
    'of another repository',
    () => (rmSync(dotGit()), void execFileSync('git', ['init', '--quiet', worktree], { env: process.env })),
    /leads to another repository/,
  ],
  ['pruned from the main repository', () => rmSync(repo.path('.git/worktrees'), { recursive: true }), /no repository/],
]

describe('with a .git that is', () => {
  test.each(DAMAGES)(
    '%s: the plain files of the agent are saved, and nothing of the person',
    async (_, damage, why) => {
      damage()
      const person = repo.git('status', '--porcelain')
      const before = pictureOf(worktree, { times: true, git: true })
      expect([await git().lookIn(worktree, own), await git().describe(worktree, own)]).toEqual([undefined, undefined])

      const unusable = await git().unusable({ workspace: worktree, own })
      expect(unusable).toEqual({ why: expect.stringMatching(why) as string, instead: committedTo() })

      const saved = await git().salvage({ agent: 'agent-1', generation: 2, workspace: worktree, own })

      expect(saved).toEqual({ ref: 'salvage/agent-1/2-1', plain: expect.stringMatching(why) as string })
      const { list, folder } = await readPlain(home, refOf(saved))
      expect(list.files.map(({ path }) => path)).toEqual(['a.txt', 'new/thought.txt', 'run.sh', 'src/b.txt'])
      const copied = pictureOf(join(folder, 'files'), { times: false, git: true }).map((line) =>
        line.replace(/ program /, ' file '),
      )
      const there = pictureOf(worktree, { times: false, git: false }).map((line) => line.replace(/ program /, ' file '))
      expect(copied).toEqual(there)
      expect([refs(), repo.git('status', '--porcelain')]).toEqual(['', person])
      expect(pictureOf(worktree, { times: true, git: true })).toEqual(before)
    },
  )

  test('deleted: what was saved before is found in the shared repository, and nothing is written into the one around it', async () => {
    const first = refOf(await git().salvage({ agent: 'agent-1', generation: 1, workspace: worktree, own }))
    rmSync(dotGit())
    expect((await git().salvages('agent-1', worktree, own)).map(({ ref }) => ref)).toEqual([first])
    await expect(
      git().restore({ agent: 'agent-1', workspace: worktree, own, ref: first, force: true }),
    ).rejects.toThrow('The repository has no worktree. Name a folder to write to with --into.')
    expect(repo.git('diff', '--stat', 'HEAD', '--', 'a.txt')).toContain('a.txt')
  })

  test('broken inside: what git cannot save is saved as plain files', async () => {
    writeFileSync(repo.path('.git/worktrees/feature/HEAD'), 'garbage\n')
    expect(await git().salvage({ agent: 'agent-1', generation: 1, workspace: worktree, own })).toEqual({
      ref: 'salvage/agent-1/1-1',
      plain: expect.stringContaining(`${worktree}/.git cannot be used (git `) as string,
    })
  })
})

test('of another owner than when its agent was started, it is not its own', async () => {
  const was = { ...(own as object), owner: 4711 } as OwnRepository
  const uid = process.getuid?.()
  const why = `${dotGit()} belongs to user ${uid} now, and belonged to user 4711 when the agent was started`
  expect(await git().unusable({ workspace: worktree, own: was })).toEqual({ why, instead: repo.top })
  expect(await git().lookIn(worktree, was)).toBe(undefined)
  const saved = await git().salvage({ agent: 'agent-1', generation: 1, workspace: worktree, own: was })
  expect([saved, refs()]).toEqual([{ ref: 'salvage/agent-1/1-1', plain: why }, ''])
})

test.each(['none', 'its own'] as const)(
  'a workspace in %s that became a link is told of, and nothing is saved',
  async (which) => {
    const workspace = which === 'none' ? join(repo.base, 'outside') : worktree
    if (which === 'none') mkdirSync(workspace)
    const found = await git().find(workspace)
    renameSync(workspace, join(repo.base, 'moved'))
    symlinkSync(repo.top, workspace)
    const given = { workspace, own: found.repository, place: found.place }
    expect(await git().unusable(given)).toMatchObject({ why: expect.stringContaining(workspace) as string })
    expect(await git().salvage({ agent: 'agent-1', generation: 1, ...given })).toEqual({
      gone: `${workspace} is a link to ${repo.top} now`,
    })
    expect([await git().salvages('agent-1', workspace, found.repository), refs()]).toEqual([[], ''])
  },
)

describe('nothing that a link leads to is saved with git', () => {
  const secret = () => join(repo.base, 'elsewhere')
  const salvage = async () =>
    refOf(await openGit().salvage({ agent: 'agent-1', generation: 1, workspace: worktree, own }))
  const names = (ref: string) => repo.git('ls-tree', '-r', '--name-only', ref).split('\n')

  beforeEach(() => {
    mkdirSync(join(secret(), 'handoffs'), { recursive: true })
    writeFileSync(join(secret(), 'handoffs/handoff-1.md'), 'of somebody else\n')
    writeFileSync(join(secret(), 'STATE.md'), 'of somebody else\n')
    writeFileSync(repo.path('.git/info/exclude'), '.bmad\n.planning\nSTATE.md\n')
  })

  test('notes and hand-offs: a link anywhere on the way is saved as a link, or not at all', async () => {
    symlinkSync(secret(), join(worktree, '.bmad'))
    symlinkSync(secret(), join(worktree, '.planning'))
    symlinkSync(join(secret(), 'STATE.md'), join(worktree, 'STATE.md'))
    const ref = await salvage()
    expect(names(ref).filter((name) => /bmad|planning|STATE/.test(name))).toEqual(['STATE.md'])
    expect(repo.git('show', `${ref}:STATE.md`)).toBe(join(secret(), 'STATE.md'))
  })

  test('a submodule in whose place a link is', async () => {
    const other = join(repo.base, 'other')
    execFileSync('git', ['clone', '--quiet', repo.top, other], { env: process.env })
    const add = ['-c', 'protocol.file.allow=always', '-C', worktree, 'submodule', '--quiet', 'add', other]
    for (const name of ['sub', 'libs/inner']) repo.git(...add, name)
    repo.git('-C', worktree, 'commit', '--quiet', '--message', 'submodules')
    writeFileSync(join(other, 'secret.txt'), 'of somebody else\n')
    mkdirSync(join(repo.base, 'others'))
    execFileSync('git', ['clone', '--quiet', other, join(repo.base, 'others/inner')], { env: process.env })
    writeFileSync(join(repo.base, 'others/inner/secret.txt'), 'of somebody else\n')
    for (const name of ['sub', 'libs']) rmSync(join(worktree, name), { recursive: true })
    symlinkSync(other, join(worktree, 'sub'))
    symlinkSync(join(repo.base, 'others'), join(worktree, 'libs'))
    const ref = await salvage()
    expect(names(ref).filter((name) => /sub|libs|secret/.test(name))).toEqual(['libs', 'sub'])
    expect([repo.git('show', `${ref}:sub`), repo.git('show', `${ref}:libs`)]).toEqual([
      other,
      join(repo.base, 'others'),
    ])
  })
})

test('a folder that came back in place of a worktree is none, until its repository is back', async () => {
  expect(await git().unusable({ workspace: worktree, own })).toBe(undefined)
  rmSync(worktree, { recursive: true })
  mkdirSync(worktree)
  expect(await git().unusable({ workspace: worktree, own })).toEqual({
    why: `${worktree}/.git is no repository any more`,
    instead: repo.top,
  })
  repo.git('worktree', 'repair')
  expect([
    await git().unusable({ workspace: worktree, own }),
    await git().unusable({ workspace: repo.base, own: 'none' }),
  ]).toEqual([undefined, undefined])
})

test('a folder inside a repository stays allowed', async () => {
  const workspace = join(worktree, 'new')
  const { repository: found } = await git().find(workspace)
  expect(found).toEqual(own)
  const saved = await git().salvage({ agent: 'agent-1', generation: 1, workspace, own: found })
  expect(saved).toEqual({ ref: 'refs/cloister/agent-1/1-1' })
  rmSync(dotGit())
  const { ref } = (await git().salvage({ agent: 'agent-1', generation: 1, workspace, own: found })) as { ref: string }
  expect((await readPlain(home, ref)).list.files.map(({ path }) => path)).toEqual(['thought.txt'])
})

test('one that never was in a repository is saved as plain files, also when one is made around it later', async () => {
  const outside = join(repo.base, 'outside')
  mkdirSync(join(outside, 'inner'), { recursive: true })
  writeFileSync(join(outside, 'inner/a.txt'), 'work\n')
  const workspace = join(outside, 'inner')
  expect(await git().find(workspace)).toEqual({ repository: 'none', place: workspace })
  execFileSync('git', ['init', '--quiet', outside], { env: process.env })
  const saved = await git().salvage({ agent: 'agent-1', generation: 1, workspace, own: 'none' })
  expect(saved).toEqual({ ref: 'salvage/agent-1/1-1', plain: `${workspace} is in no git repository` })
})

test('a worktree that is gone is not said to be anything else', async () => {
  rmSync(worktree, { recursive: true })
  expect(await git().isGone(worktree)).toBe(true)
  expect(await git().salvage({ agent: 'agent-1', generation: 1, workspace: worktree, own })).toBe('gone')
  expect(await git().lookIn(worktree, own)).toBe(undefined)
})
