/** Salvage in every state a repository can be in: nothing is touched, and everything comes back byte for byte. */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { openGit } from '../../../src/adapters/git/git.ts'
import { restoreSalvage } from '../../../src/adapters/git/restore-salvage.ts'
import { showSalvage } from '../../../src/adapters/git/snapshots.ts'
import { refOf } from '../../samples/saved.ts'
import { pictureOf, Repo } from './repo.ts'

let repo: Repo

afterEach(() => Repo.removeAll())

interface State {
  what: string
  make: () => Repo
  /** What the snapshot says it changes, sorted by path. */
  changes: string[]
  /** Lines of the worktree that a snapshot does not hold, and files it holds beyond the worktree. */
  without?: RegExp
  beyond?: RegExp
  notes?: (string | RegExp)[]
}

const STATES: State[] = [
  {
    what: 'dirty, staged and untracked files',
    make: () => {
      const made = Repo.make()
      made.write({ 'a.txt': 'changed\n', 'new/deep/file': 'x', 'staged.txt': 'staged\n' })
      made.git('add', 'staged.txt')
      return made
    },
    changes: ['modified a.txt', 'added new/deep/file', 'added staged.txt'],
  },
  {
    what: 'a file that was staged and changed again, one staged and reverted',
    make: () => {
      const made = Repo.make()
      made.write({ 'a.txt': 'staged content\n', 'src/b.txt': 'staged only\n' })
      made.git('add', '--all')
      made.write({ 'a.txt': 'worktree content\n', 'src/b.txt': 'two\n' })
      return made
    },
    changes: ['modified a.txt'],
  },
  {
    what: 'deleted and renamed files, a file that became a folder, a folder that became a link',
    make: () => {
      const made = Repo.make()
      rmSync(made.path('a.txt'))
      made.write({ 'a.txt/inside': 'x' })
      rmSync(made.path('src'), { recursive: true })
      made.link('a.txt', 'src')
      made.git('mv', 'run.sh', 'moved.sh')
      return made
    },
    changes: [
      'deleted a.txt',
      'added a.txt/inside',
      'added moved.sh',
      'deleted run.sh',
      'added src',
      'deleted src/b.txt',
    ],
  },
  {
    what: 'a stale index.lock',
    make: () => {
      const made = Repo.make()
      writeFileSync(join(made.gitDir(), 'index.lock'), '')
      made.write({ 'a.txt': 'changed\n' })
      return made
    },
    changes: ['modified a.txt'],
  },
  {
    what: 'a merge with conflicts: both changed, deleted here, added twice',
    make: () => {
      const made = conflicting()
      made.tryGit('merge', 'other')
      made.write({ 'untracked.txt': 'u\n' })
      return made
    },
    changes: ['modified a.txt', 'modified both.txt', 'added src/b.txt', 'added untracked.txt'],
  },
  {
    what: 'a rebase that stopped',
    make: () => {
      const made = conflicting()
      made.tryGit('rebase', 'other')
      return made
    },
    changes: ['modified a.txt', 'modified both.txt'],
  },
  {
    what: 'a cherry-pick that stopped',
    make: () => {
      const made = conflicting()
      made.tryGit('cherry-pick', 'other')
      return made
    },
    changes: ['modified a.txt', 'modified both.txt', 'added src/b.txt'],
  },
  {
    what: 'no commits yet',
    make: () => {
      const made = Repo.make({ commit: false })
      made.write({ 'staged.txt': 's\n', 'untracked.txt': 'u\n' })
      made.git('add', 'staged.txt')
      return made
    },
    changes: ['added staged.txt', 'added untracked.txt'],
  },
  {
    what: 'no commits and no index',
    make: () => {
      const made = Repo.make({ commit: false })
      made.write({ 'untracked.txt': 'u\n' })
      return made
    },
    changes: ['added untracked.txt'],
  },
  {
    what: 'a detached HEAD',
    make: () => {
      const made = Repo.make()
      made.git('checkout', '--quiet', '--detach')
      made.write({ 'a.txt': 'changed\n' })
      return made
    },
    changes: ['modified a.txt'],
  },
  {
    what: 'a linked worktree',
    make: () => {
      const made = Repo.make()
      made.git('worktree', 'add', '--quiet', '-b', 'side', '../side')
      const side = made.at('../side')
      side.write({ 'a.txt': 'changed in the worktree\n', 'new.txt': 'n\n' })
      return side
    },
    changes: ['modified a.txt', 'added new.txt'],
  },
  {
    what: 'an index that cannot be read',
    make: () => {
      const made = Repo.make()
      writeFileSync(join(made.gitDir(), 'index'), 'garbage')
      made.write({ 'a.txt': 'changed\n', 'new.txt': 'n\n' })
      return made
    },
    changes: ['modified a.txt', 'added new.txt'],
    notes: [/^The index could not be read \(git ls-files: .*\): what was staged is saved only/],
  },
  {
    what: 'a split index',
    make: () => {
      const made = Repo.make()
      made.git('update-index', '--split-index')
      made.write({ 'a.txt': 'changed\n', 'staged.txt': 's\n' })
      made.git('add', 'staged.txt')
      return made
    },
    changes: ['modified a.txt', 'added staged.txt'],
  },
  {
    what: 'hashes of 256 bits',
    make: () => {
      const made = Repo.make({ init: ['--object-format=sha256'] })
      made.write({ 'a.txt': 'changed\n', 'new.txt': 'n\n' })
      return made
    },
    changes: ['modified a.txt', 'added new.txt'],
  },
  {
    what: 'a sparse checkout with a change, and a file outside of it that is there nevertheless',
    make: () => {
      const made = Repo.make()
      made.write({ 'far/c.txt': 'c\n', 'far/d.txt': 'd\n' })
      made.commit('far')
      made.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'src')
      made.write({ 'src/b.txt': 'changed\n', 'far/d.txt': 'written anyway\n' })
      return made
    },
    changes: ['modified far/d.txt', 'modified src/b.txt'],
    beyond: /^far\/c\.txt /,
  },
  {
    what: 'assume-unchanged and skip-worktree files that were changed, one deleted',
    make: () => {
      const made = Repo.make()
      made.write({ 'gone.txt': 'g\n' })
      made.commit('more')
      made.git('update-index', '--assume-unchanged', 'a.txt', 'gone.txt')
      made.git('update-index', '--skip-worktree', 'src/b.txt')
      made.write({ 'a.txt': 'changed in secret\n', 'src/b.txt': 'also changed\n' })
      rmSync(made.path('gone.txt'))
      return made
    },
    changes: ['modified a.txt', 'deleted gone.txt', 'modified src/b.txt'],
  },
  {
    what: 'an intent to add, one with and one without its file',
    make: () => {
      const made = Repo.make()
      made.write({ 'intent.txt': 'i\n', 'gone.txt': 'g\n' })
      made.git('add', '--intent-to-add', 'intent.txt', 'gone.txt')
      rmSync(made.path('gone.txt'))
      return made
    },
    changes: ['added intent.txt'],
  },
  {
    what: 'names with newlines, quotes, tabs, unicode, other bytes, leading dashes and spaces',
    make: () => {
      const made = Repo.make()
      made.write({
        'new\nline "quoted"\t\\.txt': '1',
        'ünï/çødé 日本.txt': '2',
        '-rf': '3',
        ' spaced ': '4',
        ':(glob)*': '5',
        'git~1': '6',
        'back\\slash': '7',
      })
      writeFileSync(Buffer.concat([Buffer.from(`${made.top}/`), Buffer.from([0x66, 0xe4, 0xff])]), '8')
      return made
    },
    changes: [
      'added  spaced ',
      'added -rf',
      'added :(glob)*',
      'added back\\slash',
      'added f\ufffd\ufffd',
      'added git~1',
      'added new\nline "quoted"\t\\.txt',
      'added ünï/çødé 日本.txt',
    ],
  },
  {
    what: 'links, to files, to folders and to nothing, and changed rights',
    make: () => {
      const made = Repo.make()
      made.link('a.txt', 'link')
      made.link('src', 'folder-link')
      made.link('/nowhere/at all\n', 'broken')
      chmodSync(made.path('a.txt'), 0o755)
      chmodSync(made.path('run.sh'), 0o644)
      return made
    },
    changes: ['modified a.txt', 'added broken', 'added folder-link', 'added link', 'modified run.sh'],
  },
  {
    what: 'a folder and files that are read-only',
    make: () => {
      const made = Repo.make()
      made.write({ 'locked/file.txt': 'x\n' })
      chmodSync(made.path('locked/file.txt'), 0o444)
      chmodSync(made.path('locked'), 0o555)
      return made
    },
    changes: ['added locked/file.txt'],
  },
  {
    what: 'binary, empty and large files',
    make: () => {
      const made = Repo.make()
      made.write({ bytes: Buffer.from(Array.from({ length: 512 }, (_, at) => at % 256)), empty: '' })
      made.write({ large: Buffer.alloc(3_000_000, 'large\r\n') })
      return made
    },
    changes: ['added bytes', 'added empty', 'added large'],
  },
  {
    what: 'a file over the limit',
    make: () => {
      const made = Repo.make()
      made.write({ 'huge.bin': '', 'small.txt': 's\n', 'a.txt': '' })
      truncateSync(made.path('huge.bin'), 5 * 1024 * 1024)
      truncateSync(made.path('a.txt'), 6 * 1024 * 1024)
      return made
    },
    changes: ['added small.txt'],
    without: /^(huge\.bin|a\.txt) /,
    beyond: /^a\.txt file 4 /,
    notes: [
      'a.txt: 6.0 MB is over the limit of 4.0 MB per file; it is only in the workspace.',
      'huge.bin: 5.0 MB is over the limit of 4.0 MB per file; it is only in the workspace.',
    ],
  },
  {
    what: 'line endings that git converts, in changed and unchanged files',
    make: () => {
      const made = Repo.make()
      made.git('config', 'core.autocrlf', 'true')
      made.write({
        '.gitattributes': '*.txt text=auto\n*.bat text eol=crlf\n*.id ident\n*.u16 text working-tree-encoding=UTF-16\n',
        'crlf.txt': 'one\r\ntwo\r\n',
        'changed.txt': 'one\r\ntwo\r\n',
        'run.bat': 'echo\r\n',
        'v.id': '$Id$\n',
        'wide.u16': Buffer.from('\ufeffwide\n', 'utf16le'),
      })
      made.commit('converted')
      rmSync(made.path('v.id'))
      made.git('checkout', 'v.id')
      made.git('config', 'core.safecrlf', 'true')
      made.write({ 'changed.txt': 'mixed\r\nendings\n', 'new.txt': 'n\r\n', 'new.bat': 'lf only\n' })
      return made
    },
    changes: ['modified changed.txt', 'added new.bat', 'added new.txt'],
  },
  {
    what: 'filter programs such as LFS, in changed and unchanged files',
    make: () => {
      const made = Repo.make()
      made.git('config', 'filter.fake.clean', `sed s/secret/pointer/; echo ran >>"${made.base}/filter-ran"`)
      made.git('config', 'filter.fake.smudge', `sed s/pointer/secret/; echo ran >>"${made.base}/filter-ran"`)
      made.git('config', 'filter.fake.required', 'true')
      made.write({
        '.gitattributes': '*.big filter=fake -text\n',
        'same.big': 'secret 1\n',
        'changed.big': 'secret 2\n',
      })
      made.commit('filtered')
      // Old enough for git to trust the times, as in a worktree that was not made this second.
      for (const name of ['same.big', 'changed.big']) utimesSync(made.path(name), 1_000_000, 1_000_000)
      made.git('add', '--all')
      made.write({ 'changed.big': 'secret changed\n', 'new.big': 'secret new\n' })
      rmSync(join(made.base, 'filter-ran'))
      return made
    },
    changes: ['modified changed.big', 'added new.big'],
  },
  {
    what: 'hooks and programs named in the settings of the repository',
    make: () => {
      const made = Repo.make()
      const program = join(made.base, 'program')
      writeFileSync(program, `#!/bin/sh\necho ran >>"${made.base}/filter-ran"\n`)
      chmodSync(program, 0o755)
      made.git('config', 'core.fsmonitor', program)
      made.git('config', 'commit.gpgSign', 'true')
      made.git('config', 'gpg.program', program)
      for (const hook of ['pre-commit', 'reference-transaction', 'post-index-change', 'post-checkout']) {
        execFileSync('cp', [program, join(made.gitDir(), 'hooks', hook)])
      }
      made.write({ 'a.txt': 'changed\n' })
      rmSync(join(made.base, 'filter-ran'), { force: true })
      return made
    },
    changes: ['modified a.txt'],
  },
  {
    what: 'ignored files, precious and not',
    make: () => {
      const made = Repo.make()
      made.write({ '.gitignore': '.planning/\n.bmad/\n*.md\n.env\nnode_modules/\n' })
      made.commit('ignore')
      made.write({
        '.planning/STATE.md': '# State\n',
        '.planning/deep/plan.md': 'plan\n',
        '.bmad/handoffs/handoff-2026-01-01-10-00.md': 'next\n',
        '.bmad/other.md': 'other\n',
        'CLAUDE.local.md': 'mine\n',
        'STATE.md': '# State\n',
        'HANDOFF.md': 'next\n',
        'handoff-2026-01-02.md': 'next\n',
        'notes.md': 'other\n',
        'src/STATE.md': 'other\n',
        '.env': 'SECRET=1\n',
        'node_modules/x/index.js': 'x\n',
      })
      return made
    },
    changes: [
      'added .bmad/handoffs/handoff-2026-01-01-10-00.md',
      'added .planning/STATE.md',
      'added .planning/deep/plan.md',
      'added CLAUDE.local.md',
      'added HANDOFF.md',
      'added STATE.md',
      'added handoff-2026-01-02.md',
    ],
    without: /^(\.env|node_modules\/.*|\.bmad\/other\.md|notes\.md|src\/STATE\.md) /,
  },
  {
    what: 'nested repositories: with and without commits, one inside another',
    make: () => {
      const made = Repo.make()
      nest(made, 'nested', true).write({
        'in.txt': 'changed inside\n',
        'new.txt': 'n\n',
        '.gitignore': 'skip\n',
        skip: 's\n',
      })
      nest(made, 'nested/deeper', true)
      nest(made, 'empty-repo', false).write({ 'only.txt': 'o\n' })
      return made
    },
    changes: [
      'added empty-repo/only.txt',
      'added nested/.gitignore',
      'added nested/deeper/in.txt',
      'added nested/in.txt',
      'added nested/new.txt',
    ],
    without: /^nested\/skip /,
    notes: [
      /^empty-repo\/ is a repository of its own and was saved as files; it has no commit\.$/,
      /^deeper\/ is a repository of its own and was saved as files; it is at [0-9a-f]{40}\.$/,
      /^nested\/ is a repository of its own and was saved as files; it is at [0-9a-f]{40}\.$/,
    ],
  },
  {
    what: 'a submodule with changes',
    make: () => {
      const made = withSubmodule()
      made.at('sub').write({ 'in.txt': 'changed inside\n', 'new.txt': 'n\n' })
      return made
    },
    changes: ['added sub/in.txt', 'added sub/new.txt', 'added sub/other.txt'],
    notes: [/^sub\/ is a repository of its own/],
  },
  {
    what: 'a submodule at another commit',
    make: () => {
      const made = withSubmodule()
      made.at('sub').write({ 'in.txt': 'committed inside\n' })
      made.at('sub').commit('inside')
      return made
    },
    changes: ['added sub/in.txt', 'added sub/other.txt'],
    notes: [/^sub\/ is a repository of its own/],
  },
  {
    what: 'a clean submodule beside a change, one that is not there, and files where one should be',
    make: () => {
      const made = withSubmodule()
      made.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', made.path('../origin'), 'bare')
      made.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', made.path('../origin'), 'plain')
      made.commit('more submodules')
      made.git('submodule', '--quiet', 'deinit', '--force', 'bare', 'plain')
      made.write({ 'a.txt': 'changed\n', 'plain/file.txt': 'plain\n' })
      return made
    },
    changes: ['modified a.txt', 'added plain/file.txt'],
    without: /^sub\//,
  },
  {
    what: 'pipes, one of them where a file was',
    make: () => {
      const made = Repo.make()
      rmSync(made.path('a.txt'))
      execFileSync('env', ['mkfifo', made.path('a.txt'), made.path('pipe')])
      made.write({ 'new.txt': 'n\n' })
      return made
    },
    changes: ['deleted a.txt', 'added new.txt'],
    without: /^(a\.txt|pipe) /,
    notes: ['a.txt is neither a file nor a link: nothing to save.'],
  },
]

describe('salvage touches nothing and loses nothing:', () => {
  test.each(STATES)('$what', async ({ make, changes, without, beyond, notes = [] }) => {
    repo = make()
    const before = repo.picture()
    const git = openGit({ limits: { fileBytes: 4 * 1024 * 1024 } })

    const ref = refOf(await git.salvage({ agent: 'agent-1', generation: 3, workspace: repo.top }))

    expect(ref).toBe('refs/cloister/agent-1/3-1')
    expect(repo.picture()).toEqual(before)
    expect(pictureOf(repo.base, { times: false, git: true }).filter((line) => line.startsWith('filter-ran'))).toEqual(
      [],
    )
    const shown = await showSalvage(repo.top, ref)
    expect(shown.changes.map(({ path, status }) => `${status} ${path}`)).toEqual(changes)
    expect({ files: shown.files, notes: shown.about.notes }).toEqual({
      files: expect.any(Number) as number,
      notes: notes.map((note) => (note instanceof RegExp ? (expect.stringMatching(note) as string) : note)),
    })

    const into = join(repo.base, 'copy')
    const restored = await restoreSalvage({ workspace: repo.top, ref, into, wallAt: Date.now() })
    const worktree = pictureOf(repo.top, { times: false, git: false })
    const copy = pictureOf(into, { times: false, git: false })
    expect(copy.filter((line) => !beyond?.test(line))).toEqual(worktree.filter((line) => !without?.test(line)))
    expect(restored.verified).toBe(copy.length)
    expect(repo.picture()).toEqual(before)
  })
})

test('what was staged and is nowhere else is kept', async () => {
  repo = Repo.make()
  repo.write({ 'a.txt': 'staged content\n' })
  repo.git('add', '--all')
  repo.write({ 'a.txt': 'worktree content\n' })
  const ref = refOf(await openGit().salvage({ agent: 'agent-1', generation: 1, workspace: repo.top }))
  const { about } = await showSalvage(repo.top, ref)
  expect(repo.git('show', `${about.staged}:a.txt`)).toBe('staged content\n')
  expect(repo.git('show', `${ref}:a.txt`)).toBe('worktree content\n')
})

test.each<[string, () => Repo]>([
  ['a clean worktree', () => Repo.make()],
  ['an empty repository', () => Repo.make({ commit: false })],
  ['only ignored files that are not precious', ignoredOnly],
  ['touched files', touched],
  ['line endings as git wants them', cleanCrlf],
  ['a clean submodule', withSubmodule],
])('nothing to save: %s', async (_what, make) => {
  repo = make()
  const before = repo.picture()
  expect(await openGit().salvage({ agent: 'agent-1', generation: 1, workspace: repo.top })).toBe('clean')
  expect(repo.picture()).toEqual(before)
})

test('a workspace inside a repository: its own precious files count', async () => {
  repo = Repo.make()
  repo.write({ '.gitignore': '.planning\n', 'packages/one/code.ts': '1\n' })
  repo.commit('packages')
  repo.write({ 'packages/one/.planning/STATE.md': 's\n', 'a.txt': 'changed\n' })
  const ref = refOf(await openGit().salvage({ agent: 'agent-1', generation: 1, workspace: repo.path('packages/one') }))
  expect((await showSalvage(repo.top, ref)).changes.map(({ path }) => path)).toEqual([
    'a.txt',
    'packages/one/.planning/STATE.md',
  ])
})

test('a salvage that takes too long fails with a sentence, and changes nothing', async () => {
  repo = Repo.make()
  repo.write({ 'a.txt': 'changed\n' })
  const before = repo.picture()
  await expect(
    openGit({ timeoutMs: 1 }).salvage({ agent: 'agent-1', generation: 1, workspace: repo.top }),
  ).rejects.toThrow(
    `Could not save the work of agent-1 in ${repo.top}: git did not finish within 0.001 s. The files are untouched`,
  )
  expect(repo.picture()).toEqual(before)
  expect(repo.git('for-each-ref', 'refs/cloister')).toBe('')
})

test('when the snapshot is full, folders that programs fill are left out first, and that is said', async () => {
  repo = Repo.make()
  repo.write({ 'node_modules/a.js': 'a', 'node_modules/b.js': 'b', 'work.txt': 'w', '.planning/STATE.md': 's' })
  const ref = refOf(
    await openGit({ limits: { files: 3 } }).salvage({ agent: 'agent-1', generation: 1, workspace: repo.top }),
  )
  const { changes, about } = await showSalvage(repo.top, ref)
  expect({ paths: changes.map(({ path }) => path), notes: about.notes }).toEqual({
    paths: ['.planning/STATE.md', 'node_modules/a.js', 'work.txt'],
    notes: ['node_modules/b.js: the snapshot is full (limit 3 files); it is only in the workspace.'],
  })
})

test('snapshots survive garbage collection and get numbers of their own when they are made at once', async () => {
  repo = Repo.make()
  repo.write({ 'a.txt': 'changed\n', 'new.txt': 'n\n' })
  const git = openGit()
  const refs = (
    await Promise.all([1, 2, 3, 4].map(() => git.salvage({ agent: 'agent-1', generation: 2, workspace: repo.top })))
  ).map(refOf)
  expect(new Set(refs)).toEqual(new Set([1, 2, 3, 4].map((n) => `refs/cloister/agent-1/2-${n}`)))
  repo.git('checkout', '--quiet', '.')
  repo.git('clean', '-fdxq')
  repo.git('reflog', 'expire', '--expire=now', '--all')
  repo.git('gc', '--quiet', '--prune=now')
  for (const ref of refs) {
    const into = join(repo.base, `copy-${ref.at(-1)}`)
    await restoreSalvage({ workspace: repo.top, ref, into, wallAt: 0 })
    expect(pictureOf(into, { times: false, git: false }).map((line) => line.split(' ')[0])).toEqual([
      'a.txt',
      'new.txt',
      'run.sh',
      'src/b.txt',
    ])
  }
})

function conflicting(): Repo {
  const made = Repo.make()
  made.write({ 'both.txt': 'base\n' })
  made.commit('base')
  made.git('checkout', '--quiet', '-b', 'other')
  made.write({ 'a.txt': 'theirs\n', 'src/b.txt': 'theirs too\n', 'both.txt': 'theirs\n' })
  made.commit('theirs')
  made.git('checkout', '--quiet', 'main')
  made.write({ 'a.txt': 'ours\n', 'both.txt': 'ours\n' })
  made.git('rm', '--quiet', 'src/b.txt')
  made.commit('ours')
  return made
}

function nest(outer: Repo, name: string, commit: boolean): Repo {
  const inner = outer.at(name)
  mkdirSync(inner.top, { recursive: true })
  inner.git('init', '--quiet')
  if (commit) {
    inner.write({ 'in.txt': 'inside\n' })
    inner.git('add', 'in.txt')
    inner.git('commit', '--quiet', '--message', 'inside')
  }
  return inner
}

function withSubmodule(): Repo {
  const made = Repo.make()
  const origin = nest(made, '../origin', true)
  origin.write({ 'other.txt': 'o\n' })
  origin.commit('other')
  made.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', origin.top, 'sub')
  made.commit('submodule')
  return made
}

function ignoredOnly(): Repo {
  const made = Repo.make()
  made.write({ '.gitignore': '*.log\n' })
  made.commit('ignore')
  made.write({ 'x.log': 'x' })
  return made
}

function touched(): Repo {
  const made = Repo.make()
  utimesSync(made.path('a.txt'), 1_000_000, 1_000_000)
  return made
}

function cleanCrlf(): Repo {
  const made = Repo.make()
  made.git('config', 'core.autocrlf', 'true')
  made.write({ 'crlf.txt': 'one\r\ntwo\r\n' })
  made.commit('crlf')
  utimesSync(made.path('crlf.txt'), 1_000_000, 1_000_000)
  return made
}
