/** `pan restore` as people run it: the offline program as a process of its own, in a home of its own. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openGit } from '../../../src/adapters/git/git.ts'
import { pictureOf, Repo } from './repo.ts'
import { COMPILE_CACHE, built } from '../../programs.ts'

const PROGRAM = built('daemon/offline/restore')
const AT = Date.UTC(2026, 0, 2, 3, 4, 5)

let repo: Repo
let home: string

beforeEach(() => {
  repo = Repo.make()
  home = join(repo.base, 'home')
  mkdirSync(join(home, 'agents/pan-1'), { recursive: true })
  writeFileSync(join(home, 'agents/pan-1/state.json'), JSON.stringify({ id: 'pan-1', workspace: repo.top }))
})

afterEach(() => Repo.removeAll())

function run(program: string, args: readonly string[]): { code: number | null; out: string; err: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], {
    env: {
      ...COMPILE_CACHE,
      PATH: process.env['PATH'] ?? '',
      HOME: repo.base,
      PANOPTICON_HOME: home,
      GIT_CONFIG_SYSTEM: '/dev/null',
    },
    encoding: 'utf8',
  })
  return { code: status, out: stdout, err: stderr }
}

const pan = (...args: readonly string[]) => run(PROGRAM, args)

/** Salvaged, and then gone from the worktree. */
async function loseWork(): Promise<void> {
  repo.write({ 'a.txt': 'changed\n', 'new/file.txt': 'new\n' })
  rmSync(repo.path('run.sh'))
  await openGit({ wallAt: () => AT }).salvage({ agent: 'pan-1', generation: 3, workspace: repo.top })
  repo.git('checkout', '--quiet', '.')
  repo.git('clean', '-fdq')
}

const read = (name: string) => readFileSync(repo.path(name), 'utf8')

test('lists nothing when there is nothing', () => {
  expect(pan('pan-1')).toEqual({
    code: 0,
    out: `No work of pan-1 was salvaged in ${repo.top}: there was nothing uncommitted, or it was never stopped.\n`,
    err: '',
  })
  expect(pan('pan-1', '--json')).toEqual({ code: 0, out: '[]\n', err: '' })
})

test('lists the snapshots and the command that brings one back', async () => {
  await loseWork()
  await openGit().salvage({ agent: 'pan-18', generation: 1, workspace: repo.top })
  expect(pan('pan-1')).toEqual({
    code: 0,
    out:
      '3-1       2026-01-02T03:04:05.000Z  generation 3  3 files  on main\n\n' +
      'See what it holds:    pan restore pan-1 --show 3-1\n' +
      'Bring it back:        pan restore pan-1 --ref 3-1\n' +
      'As a separate copy:   pan restore pan-1 --ref 3-1 --into <folder>\n',
    err: '',
  })
  expect(JSON.parse(pan('pan-1', '--list', '--json').out)).toEqual([
    {
      ref: 'refs/cloister/pan-1/3-1',
      commit: repo.git('rev-parse', 'refs/cloister/pan-1/3-1').trim(),
      agent: 'pan-1',
      generation: 3,
      savedAt: '2026-01-02T03:04:05.000Z',
      files: 3,
      workspace: repo.top,
      branch: 'main',
      base: repo.git('rev-parse', 'HEAD').trim(),
      staged: null,
      takenOver: [],
      notes: [],
    },
  ])
})

test('shows what a snapshot holds, and lets no name write to the terminal', async () => {
  repo.write({ 'evil\u001b[31m\nname': 'e' })
  await loseWork()
  const { code, out } = pan('pan-1', '--show', 'latest')
  expect(code).toBe(0)
  expect(out.split('\n').slice(4)).toEqual([
    '  modified               8 bytes  a.txt',
    '  added                  1 bytes  "evil\\u001b[31m\\nname"',
    '  added                  4 bytes  new/file.txt',
    '  deleted                         run.sh',
    '',
  ])
  expect((JSON.parse(pan('pan-1', '--show', '3-1', '--json').out) as { changes: unknown }).changes).toEqual([
    { path: 'a.txt', status: 'modified', bytes: 8 },
    { path: 'evil\u001b[31m\nname', status: 'added', bytes: 1 },
    { path: 'new/file.txt', status: 'added', bytes: 4 },
    { path: 'run.sh', status: 'deleted', bytes: 0 },
  ])
})

test('brings changes back, verified, and leaves newer commits and deleted files alone', async () => {
  await loseWork()
  repo.write({ 'src/b.txt': 'committed later\n' })
  repo.commit('later')
  expect(pan('pan-1', '--ref', '3-1')).toEqual({
    code: 0,
    out:
      '  wrote    a.txt\n  wrote    new/file.txt\n' +
      `Brought back from 3-1 into ${repo.top}: 2 files written, 0 already there.\n` +
      'All 2 files were compared with the snapshot: byte-equal.\n' +
      'Deleted in the snapshot, but left here (--force deletes them): run.sh\n',
    err: '',
  })
  expect([read('a.txt'), read('new/file.txt'), read('src/b.txt'), read('run.sh')]).toEqual([
    'changed\n',
    'new\n',
    'committed later\n',
    '#!/bin/sh\n',
  ])
  expect(pan('pan-1', '--ref', '3-1').out).toContain('0 files written, 2 already there')
})

test('writes nothing at all when one file would be lost', async () => {
  await loseWork()
  repo.write({ 'a.txt': 'other work\n' })
  const before = repo.picture()
  expect(pan('pan-1', '--ref', 'refs/cloister/pan-1/3-1')).toEqual({
    code: 1,
    out: '',
    err:
      `Nothing was written to ${repo.top}: 1 file would be lost.\n` +
      '  a.txt: the file there has other content that is not committed\n' +
      'Commit or move them, choose others with --paths, write a copy elsewhere with --into <folder>, or add --force\n' +
      '(what force replaces is salvaged first).\n',
  })
  expect(repo.picture()).toEqual(before)
  expect(JSON.parse(pan('pan-1', '--ref', '3-1', '--json').out)).toMatchObject({
    written: [],
    refused: [{ path: 'a.txt', why: 'the file there has other content that is not committed' }],
  })
})

test.each<[string, () => void, string]>([
  ['untracked', () => repo.write({ 'new/file.txt': 'mine\n' }), 'new/file.txt: the file there has other content'],
  [
    'ignored',
    () => {
      repo.write({ '.git/info/exclude': 'new\n', 'new/file.txt': 'mine\n' })
    },
    'new/file.txt: the file there has other content',
  ],
  [
    'staged',
    () => {
      repo.write({ 'a.txt': 'staged\n' })
      repo.git('add', 'a.txt')
    },
    'a.txt: the file there has other content',
  ],
  ['a file where a folder should be', () => repo.write({ new: 'file\n' }), 'new/file.txt: new is in the way'],
  ['a link where a folder should be', () => repo.link('src', 'new'), 'new/file.txt: new is in the way'],
  [
    'a folder where a file should be',
    () => mkdirSync(repo.path('new/file.txt'), { recursive: true }),
    'no file is in the way',
  ],
])('refuses: %s', async (_what, change, sentence) => {
  await loseWork()
  change()
  const before = repo.picture()
  expect(pan('pan-1', '--ref', '3-1')).toEqual({ code: 1, out: '', err: expect.stringContaining(sentence) as string })
  expect(repo.picture()).toEqual(before)
})

test('force replaces and deletes, and salvages first what was there, even ignored files', async () => {
  await loseWork()
  repo.write({ '.git/info/exclude': 'new\n', 'a.txt': 'other work\n', 'new/file.txt': 'ignored work\n' })
  const { code, out } = pan('pan-1', '--ref', '3-1', '--force')
  expect({ code, out }).toEqual({
    code: 0,
    out:
      '  wrote    a.txt\n  wrote    new/file.txt\n  deleted  run.sh\n' +
      `Brought back from 3-1 into ${repo.top}: 2 files written, 0 already there.\n` +
      'All 2 files were compared with the snapshot: byte-equal.\n' +
      'What was replaced or deleted is saved in refs/cloister/pan-1/3-2.\n',
  })
  expect([read('a.txt'), read('new/file.txt'), existsSync(repo.path('run.sh'))]).toEqual(['changed\n', 'new\n', false])
  const saved = ['a.txt', 'new/file.txt', 'run.sh'].map((path) => repo.git('show', `refs/cloister/pan-1/3-2:${path}`))
  expect(saved).toEqual(['other work\n', 'ignored work\n', '#!/bin/sh\n'])

  const [first, second, ...rest] = pan('pan-1').out.split('\n')
  expect([first, second]).toEqual([
    expect.stringMatching(/^3-1 .* on main$/),
    expect.stringMatching(/^3-2 .* on main {2}what a restore replaced$/),
  ])
  expect(rest).toContain('Bring it back:        pan restore pan-1 --ref 3-1')
  expect(pan('pan-1', '--ref', 'latest', '--force').out).toContain('Brought back from 3-1')
  expect(read('a.txt')).toBe('changed\n')
  expect(JSON.parse(pan('pan-1', '--json').out)).toEqual([
    expect.not.objectContaining({ replaced: true }),
    expect.objectContaining({ ref: 'refs/cloister/pan-1/3-2', replaced: true }),
  ])
})

test('brings back only what is named', async () => {
  await loseWork()
  expect(pan('pan-1', '--ref', 'latest', '--paths', './new/').out).toMatch(/1 file written.*\nThe 1 file was compared/)
  expect([read('a.txt'), read('new/file.txt')]).toEqual(['one\n', 'new\n'])
  expect(pan('pan-1', '--ref', 'latest', '--paths', 'nowhere', '--paths', 'ne')).toEqual({
    code: 1,
    out: '',
    err: 'The snapshot refs/cloister/pan-1/3-1 holds nothing under nowhere, ne.\n',
  })
})

test('writes a complete copy elsewhere, only into an empty folder', async () => {
  repo.write({ 'a.txt': 'changed\n', 'new/file.txt': 'new\n' })
  await openGit().salvage({ agent: 'pan-1', generation: 3, workspace: repo.top })
  const before = pictureOf(repo.top, { times: false, git: false })
  repo.git('checkout', '--quiet', '.')
  const into = join(repo.base, 'a copy')
  expect(pan('pan-1', '--ref', '3-1', '--into', into)).toMatchObject({ code: 0, err: '' })
  expect(pictureOf(into, { times: false, git: false })).toEqual(before)
  writeFileSync(join(into, 'a.txt'), 'edited in the copy')
  expect(pan('pan-1', '--ref', '3-1', '--into', into)).toEqual({
    code: 1,
    out: '',
    err: `${into} is not empty. Name a new or an empty folder, or add --force to write into this one.\n`,
  })
  expect(pan('pan-1', '--ref', '3-1', '--into', into, '--force').code).toBe(0)
  expect(pictureOf(into, { times: false, git: false })).toEqual(before)
})

test('a worktree that was removed: its work is found in the main repository', async () => {
  repo.git('worktree', 'add', '--quiet', '-b', 'side', '../side')
  repo.at('../side').write({ 'a.txt': 'work in the worktree\n' })
  await openGit().salvage({ agent: 'pan-1', generation: 1, workspace: repo.at('../side').top })
  repo.git('worktree', 'remove', '--force', '../side')
  writeFileSync(join(home, 'agents/pan-1/state.json'), JSON.stringify({ workspace: repo.at('../side').top }))
  expect(pan('pan-1')).toEqual({
    code: 1,
    out: '',
    err:
      `${join(repo.base, 'side')} is not in a git repository. ` +
      'Name the workspace, or another worktree of its repository, with --workspace.\n',
  })
  expect(pan('pan-1', '--workspace', repo.top, '--ref', 'latest').code).toBe(0)
  expect(read('a.txt')).toBe('work in the worktree\n')
  repo.git('clone', '--quiet', '--mirror', '.', '../bare.git')
  const into = join(repo.base, 'from-bare')
  expect(pan('pan-1', '--workspace', join(repo.base, 'bare.git'), '--ref', '1-1').err).toBe(
    'The repository has no worktree. Name a folder to write to with --into.\n',
  )
  expect(pan('pan-1', '--workspace', join(repo.base, 'bare.git'), '--ref', '1-1', '--into', into).code).toBe(0)
  expect(readdirSync(into)).toEqual(['a.txt', 'run.sh', 'src'])
})

test.each<[string[], number, string]>([
  [[], 2, 'restore takes one agent, got 0. `pan restore --help` shows how it is used.\n'],
  [['pan-1', 'pan-2'], 2, 'restore takes one agent, got 2.'],
  [['../etc'], 2, '«../etc» is not a valid id.'],
  [['pan-1', '--list', '--show', 'latest'], 2, 'Use one of --list, --show and --ref.'],
  [['pan-1', '--force'], 2, '--force goes with --ref.'],
  [['pan-1', '--frce'], 2, "Unknown option '--frce'"],
  [['pan-1', '--ref', '9-9'], 1, 'There is no snapshot «9-9» of pan-1. There is 3-1.'],
  [['pan-1', '--ref', 'refs/heads/main'], 1, 'There is no snapshot «refs/heads/main» of pan-1.'],
  [['pan-2', '--ref', 'latest', '--workspace', '.'], 1, 'is not in a git repository'],
  [['pan-2'], 1, 'There is no agent pan-2 in '],
])('%j exits %i', async (args, code, sentence) => {
  await loseWork()
  const given = args.map((arg) => (arg === '.' ? repo.base : arg))
  expect(pan(...given)).toEqual({ code, out: '', err: expect.stringContaining(sentence) as string })
})

test('the command line passes everything on', async () => {
  await loseWork()
  const cli = built('cli/main')
  const into = join(repo.base, '-copy')
  const args = ['restore', 'pan-1', '--ref', '3-1', `--into=${into}`, '--json', '--paths', 'a.txt', 'new']
  const { code, out, err } = run(cli, args)
  expect({ code, err, restored: JSON.parse(out) as unknown }).toEqual({
    code: 0,
    err: '',
    restored: {
      ref: 'refs/cloister/pan-1/3-1',
      folder: into,
      written: ['a.txt', 'new/file.txt'],
      same: [],
      refused: [],
      deleted: [],
      notDeleted: [],
      verified: 2,
      submodules: [],
      notes: [],
    },
  })
})

test('secrets in names are not shown, and the files come back under their own', async () => {
  const secret = 'ghp_0123456789abcdef'
  repo.git('checkout', '--quiet', '-b', `fix/${secret}`)
  repo.write({ [`${secret}.txt`]: 'new\n' })
  await openGit({ wallAt: () => AT }).salvage({ agent: 'pan-1', generation: 3, workspace: repo.top })
  repo.git('clean', '-fdq')
  const lines = [['--list'], ['--json'], ['--show', 'latest'], ['--show', 'latest', '--json']]
  const told = [...lines.map((line) => pan('pan-1', ...line)), pan('pan-1', '--ref', 'latest')]
  expect(told.map(({ code, out }) => [code, out.includes(secret), out.includes('«secret»')])).toEqual(
    told.map(() => [0, false, true]),
  )
  expect(existsSync(repo.path(`${secret}.txt`))).toBe(true)
})
