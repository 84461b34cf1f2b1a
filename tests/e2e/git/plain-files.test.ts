/** Plain files on a real disk: what is saved and what is not, and that it comes back without losing anything. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Folders } from '../../../src/adapters/process/folders.ts'
import { openPlainFiles, type PlainOptions } from '../../../src/adapters/plain-files/plain-files.ts'
import { readPlain } from '../../../src/adapters/plain-files/list-file.ts'
import { restorePlain } from '../../../src/adapters/plain-files/restore-plain.ts'
import { LIMITS, savePlain } from '../../../src/adapters/plain-files/save-plain.ts'
import { refOf } from '../../samples/saved.ts'
import { pictureOf } from './repo.ts'

let base: string
let home: string
let workspace: string

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'cloister-plain-')))
  home = join(base, 'home')
  workspace = join(base, 'work')
  for (const folder of [home, workspace]) mkdirSync(folder)
})

// Node cannot remove what has too long a path.
afterEach(() => void execFileSync('rm', ['-rf', base]))

function put(files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(workspace, name, '..'), { recursive: true })
    writeFileSync(join(workspace, name), text)
  }
}

const plain = (options?: PlainOptions) => openPlainFiles(home, options)
const save = (options: PlainOptions = {}, more: { generation?: number; since?: string } = {}) =>
  plain(options).save({ agent: 'agent-1', generation: 1, workspace, ...more })
const restore = (ref: string, more: { force?: boolean; paths?: string[] } = {}) =>
  plain().restore({ agent: 'agent-1', workspace, ref, ...more })
const named = async (ref: string) => (await readPlain(home, ref)).list.leftOut.map(({ path, why }) => `${path}: ${why}`)

test('files, programs, links and odd names come back as they were; nobody else can read the copy', async () => {
  put({ 'a.txt': 'one\n', 'deep/er/b.txt': 'two\n', 'run.sh': '#!/bin/sh\n', '.env': 'KEY=1\n', 'with\nline': 'odd\n' })
  chmodSync(join(workspace, 'run.sh'), 0o755)
  symlinkSync('/etc/passwd', join(workspace, 'outside'))
  symlinkSync('/etc', join(workspace, 'folder-outside'))
  writeFileSync(Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from([0xff, 0xfe])]), 'no text\n')
  const before = pictureOf(workspace, { times: false, git: true })
  const ref = refOf(await save())
  expect([ref, await named(ref)]).toEqual(['salvage/agent-1/1-1', []])
  const open = execFileSync('find', [join(home, 'salvage'), '!', '-type', 'l', '-perm', '/077'], { encoding: 'utf8' })
  expect(open).toBe('')
  rmSync(workspace, { recursive: true })
  mkdirSync(workspace)
  expect((await restore(ref)).written).toHaveLength(before.length)
  expect(pictureOf(workspace, { times: false, git: true })).toEqual(before)
})

test('what programs can fill again, what git keeps, and what is no file are left out, and named', async () => {
  put({ 'a.txt': 'one\n', 'node_modules/x/index.js': 'x', 'sub/node_modules/y.js': 'y', '.git/config': 'z' })
  put({
    'target/CACHEDIR.TAG': 'Signature',
    'target/big': 'x',
    'env/pyvenv.cfg': 'home',
    'env/lib.py': 'x',
    'out/target/kept': 'x',
  })
  execFileSync('mkfifo', [join(workspace, 'pipe')])
  const ref = refOf(await save())
  const { list } = await readPlain(home, ref)
  expect(list.files.map(({ path }) => path)).toEqual(['a.txt', 'out/target/kept'])
  expect((await named(ref)).toSorted()).toEqual([
    '.git: what git keeps stays where it is',
    'env: its program can fill it again',
    'node_modules: its program can fill it again',
    'pipe: it is neither a file nor a link',
    'sub/node_modules: its program can fill it again',
    'target: its program can fill it again',
  ])
})

test('within its limit the newest come first, and what is left out is named', async () => {
  put({ old: 'x'.repeat(600), new: 'y'.repeat(600), small: 'z' })
  utimesSync(join(workspace, 'old'), 1, 1)
  const ref = refOf(await save({ limits: { totalBytes: 1000 } }))
  const { list } = await readPlain(home, ref)
  expect([list.files.map(({ path }) => path), list.bytes, await named(ref)]).toEqual([
    ['new', 'small'],
    601,
    ['old: the snapshot is full'],
  ])
  const { leftOutTotal } = (await readPlain(home, refOf(await save({ limits: { files: 1 } })))).list
  expect(leftOutTotal).toBe(2)
})

describe('only the folder that its agent was started in', () => {
  const given = () => ({ agent: 'agent-1', generation: 1, workspace, place: workspace })
  let elsewhere: string

  beforeEach(() => {
    elsewhere = join(base, 'elsewhere')
    mkdirSync(elsewhere)
    writeFileSync(join(elsewhere, 'a.txt'), 'of somebody else\n')
  })

  test('a link in its place is not followed, neither to save nor to restore', async () => {
    put({ 'a.txt': 'work\n' })
    const ref = refOf(await plain().save(given()))
    rmSync(workspace, { recursive: true })
    symlinkSync(elsewhere, workspace)
    expect(await plain().save({ ...given(), since: ref })).toEqual({
      gone: `${workspace} is a link to ${elsewhere} now`,
    })
    await expect(plain().restore({ ...given(), ref, force: true })).rejects.toThrow(
      `The workspace ${workspace} is gone (${workspace} is a link to ${elsewhere} now). Make it again, or name another`,
    )
    expect(readFileSync(join(elsewhere, 'a.txt'), 'utf8')).toBe('of somebody else\n')
    expect(await plain().list('agent-1')).toHaveLength(1)
  })

  test('a link on the way to it is not followed', async () => {
    const outer = join(base, 'outer')
    mkdirSync(join(outer, 'work'), { recursive: true })
    const place = join(outer, 'work')
    renameSync(outer, join(base, 'moved'))
    symlinkSync(join(base, 'moved'), outer)
    const saved = await plain().save({ ...given(), workspace: place, place })
    expect(saved).toEqual({ gone: `${place} leads to ${join(base, 'moved/work')} now` })
  })

  test('a workspace that was a link all along is the folder that it led to', async () => {
    put({ 'a.txt': 'work\n' })
    const link = join(base, 'link')
    symlinkSync(workspace, link)
    const request = { ...given(), workspace: link }
    const { list } = await readPlain(home, refOf(await plain().save(request)))
    rmSync(link)
    symlinkSync(elsewhere, link)
    const again = await readPlain(home, refOf(await plain().save(request)))
    expect([list.files, list.workspace]).toEqual([again.list.files, workspace])
  })

  test('nor a folder in it that became a link after it was looked at', async () => {
    put({ 'sub/a.txt': 'work\n', 'sub/deep/a.txt': 'work\n', 'b.txt': 'work\n' })
    const limits = {
      ...LIMITS,
      // Asked for when the walk is over and the first file is about to be copied.
      get totalBytes() {
        if (!existsSync(join(workspace, 'was'))) {
          renameSync(join(workspace, 'sub'), join(workspace, 'was'))
          symlinkSync(elsewhere, join(workspace, 'sub'))
          mkdirSync(join(elsewhere, 'deep'))
          writeFileSync(join(elsewhere, 'deep/a.txt'), 'of somebody else\n')
        }
        return LIMITS.totalBytes
      },
    }
    const ref = refOf(await savePlain({ ...given(), home, limits, wallAt: Date.now() }))
    const { list, folder } = await readPlain(home, ref)
    expect(list.files.map(({ path }) => readFileSync(join(folder, 'files', path), 'utf8'))).toEqual(
      list.files.map(() => 'work\n'),
    )
    expect(list.files.length + list.leftOutTotal).toBe(3)
    // Who comes later is not led elsewhere either.
    await using folders = await Folders.open(workspace)
    await expect(folders.openFile('sub/a.txt')).rejects.toThrow('ENOTDIR')
    const after = await named(refOf(await plain().save(given())))
    expect(after).toEqual([])
    expect((await readPlain(home, 'salvage/agent-1/1-2')).list.files.map(({ path, link }) => [path, link])).toEqual([
      ['b.txt', undefined],
      ['sub', true],
      ['was/a.txt', undefined],
      ['was/deep/a.txt', undefined],
    ])
  })

  test('a pipe in the place of a file is not waited for', async () => {
    execFileSync('mkfifo', [join(workspace, 'a.txt')])
    await using folders = await Folders.open(workspace)
    await expect(folders.openFile('a.txt')).rejects.toThrow('it is no file any more')
  })
})

test('what has too long a path is named, and everything else is saved', async () => {
  put({ 'a.txt': 'one\n' })
  const folders = (letter: string) => Array.from({ length: 15 }, () => letter.repeat(200)).join('/')
  // Its own path is allowed, and the one that it would have in the home is not.
  const near = `${folders('x')}/${folders('x')}`.slice(0, 4090 - workspace.length)
  put({ [near]: 'near the limit\n', [`${folders('y')}/b.txt`]: 'two\n', [`${folders('z')}/c.txt`]: 'far\n' })
  const z = 'z'.repeat(200)
  renameSync(join(workspace, z), join(workspace, folders('y'), z))
  const { list, notes } = await readPlain(home, refOf(await save()))
  expect(list.files.map(({ path }) => path)).toEqual(['a.txt', `${folders('y')}/b.txt`])
  const far = 2 * folders('y').length + 7
  expect(new Map(list.leftOut.map(({ path, why }) => [path.length, why]))).toEqual(
    new Map([near.length, far].map((bytes) => [bytes, `its path is too long to be kept (${bytes} bytes)`])),
  )
  expect(notes[0]).toMatch(/^It is incomplete: 2 files and folders left out, such as [xy]+…: its path is too long/)
})

test.each([
  ['so many files and folders', { entries: 3 }, 'there are more than 3 files and folders'],
  ['so long', { timeMs: -1 }, 'looking through the workspace took too long'],
])('it looks at only %s, and says that it is incomplete', async (_, limits, why) => {
  put({ 'a.txt': 'one\n', 'b/c.txt': 'two\n', 'b/d/e.txt': 'three\n', 'f.txt': 'four\n' })
  const saved = await save({ limits })
  expect(saved).toMatchObject({ incomplete: why })
  const { list, notes } = await readPlain(home, refOf(saved))
  expect([list.incomplete, notes[0], list.leftOut.at(-1)?.why]).toEqual([why, `It is incomplete: ${why}.`, why])
  expect(await save({ limits }, { since: refOf(saved) })).toEqual(saved)
})

test('a home inside the workspace is not saved into itself', async () => {
  workspace = base
  writeFileSync(join(base, 'a.txt'), 'one\n')
  const ref = refOf(await save())
  const { list } = await readPlain(home, ref)
  expect([list.files.map(({ path }) => path), await named(ref)]).toEqual([
    ['a.txt'],
    ['home: it is the home of Cloister'],
  ])
})

test('numbers are never given twice; what has not changed is not saved again', async () => {
  put({ 'a.txt': 'one\n' })
  const first = refOf(await save())
  expect(refOf(await save({}, { since: first }))).toBe(first)
  const at = lstatSync(join(workspace, 'a.txt')).mtime
  put({ 'a.txt': 'two\n' })
  utimesSync(join(workspace, 'a.txt'), at, at)
  expect(refOf(await save({}, { since: first }))).toBe('salvage/agent-1/1-2')
  const refs = await Promise.all([1, 2, 3].map(async () => refOf(await save({}, { generation: 2 }))))
  expect(new Set(refs)).toEqual(new Set([1, 2, 3].map((n) => `salvage/agent-1/2-${n}`)))
  const found = await plain().list('agent-1')
  expect(found).toHaveLength(5)
  expect(await plain().list('agent-2')).toEqual([])
})

test('a restore refuses to lose anything, and by force saves it first', async () => {
  put({ 'a.txt': 'saved\n', 'b.txt': 'saved\n', 'c/d.txt': 'saved\n' })
  const ref = refOf(await save())
  put({ 'a.txt': 'later\n' })
  rmSync(join(workspace, 'c'), { recursive: true })
  const refused = [{ path: 'a.txt', why: 'the file there has other content' }]
  expect(await restore(ref)).toMatchObject({ written: [], same: ['b.txt'], refused })
  expect(existsSync(join(workspace, 'c'))).toBe(false)
  expect(await restore(ref, { paths: ['c'] })).toMatchObject({ written: ['c/d.txt'], refused: [] })
  const { written, savedFirst } = await restore(ref, { force: true })
  expect([written, savedFirst, readFileSync(join(workspace, 'a.txt'), 'utf8')]).toEqual([
    ['a.txt'],
    'salvage/agent-1/1-2',
    'saved\n',
  ])
  expect(readFileSync(join(home, savedFirst ?? '', 'files/a.txt'), 'utf8')).toBe('later\n')
  expect((await plain().list('agent-1')).map(({ replaced, notes }) => [replaced, notes])).toEqual([
    [undefined, []],
    [true, ['It holds only the files that a restore replaced.']],
  ])
  await expect(restore(ref, { paths: ['nowhere'] })).rejects.toThrow('holds nothing under nowhere')
  await expect(restore('salvage/agent-1/9-9')).rejects.toThrow('There is no snapshot salvage/agent-1/9-9')
})

test('a restore removes no file but its own', async () => {
  put({ 'a.txt': 'saved\n', 'sub/b.txt': 'saved\n' })
  const ref = refOf(await save())
  put({ 'a.txt': 'later\n', 'a.txt.cloister-new': 'of a person\n' })
  await restore(ref, { force: true })
  expect(readFileSync(join(workspace, 'a.txt.cloister-new'), 'utf8')).toBe('of a person\n')
  expect(readdirSync(workspace).toSorted()).toEqual(['a.txt', 'a.txt.cloister-new', 'sub'])
})

test('what force replaces in another folder is saved first, wherever it lies', async () => {
  put({ 'a.txt': 'saved\n', 'sub/b.txt': 'saved\n' })
  const ref = refOf(await save())
  const into = join(base, 'into')
  mkdirSync(join(into, 'sub'), { recursive: true })
  for (const name of ['a.txt', 'sub/b.txt', 'other.txt', 'sub/CACHEDIR.TAG'])
    writeFileSync(join(into, name), `${name} there\n`)
  const given = { agent: 'agent-1', workspace, ref, home, into, force: true, wallAt: Date.now() }
  const { written, savedFirst = '' } = await restorePlain(given)
  expect([written, savedFirst]).toEqual([['a.txt', 'sub/b.txt'], 'salvage/agent-1/1-2'])
  const { list, replaced, folder } = await readPlain(home, savedFirst)
  expect([list.files.map(({ path }) => path), list.workspace, replaced]).toEqual([['a.txt', 'sub/b.txt'], into, true])
  expect(readFileSync(join(folder, 'files/sub/b.txt'), 'utf8')).toBe('sub/b.txt there\n')
})

test('nothing is written through a link that stands in the way', async () => {
  put({ 'sub/a.txt': 'saved\n' })
  const ref = refOf(await save())
  rmSync(join(workspace, 'sub'), { recursive: true })
  mkdirSync(join(base, 'elsewhere'))
  symlinkSync(join(base, 'elsewhere'), join(workspace, 'sub'))
  expect((await restore(ref, { force: true })).refused).toEqual([{ path: 'sub/a.txt', why: 'sub is in the way' }])
  expect(existsSync(join(base, 'elsewhere/a.txt'))).toBe(false)
})

test('a list that leads out of the folder is no snapshot', async () => {
  put({ 'a.txt': 'saved\n' })
  const ref = refOf(await save())
  const file = join(home, ref, 'list.json')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"a.txt"', '"../a.txt"'))
  await expect(restore(ref)).rejects.toThrow()
  expect(await plain().list('agent-1')).toEqual([])
})
