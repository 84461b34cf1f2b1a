/** Plain files on a real disk: what is saved and what is not, and that it comes back without losing anything. */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openPlainFiles, type PlainOptions } from '../../../src/adapters/plain-files/plain-files.ts'
import { readPlain } from '../../../src/adapters/plain-files/list-file.ts'
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

afterEach(() => rmSync(base, { recursive: true, force: true }))

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
