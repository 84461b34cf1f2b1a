import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isInWorkspace, readWorkspaceFile } from './workspace-file.ts'

let folder: string
let workspace: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-file-'))
  workspace = join(folder, 'work')
  mkdirSync(join(workspace, '.planning'), { recursive: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

const read = (name: string, limit = 100) => readWorkspaceFile(workspace, name, limit)

test('a file, whole and cut', async () => {
  writeFileSync(join(workspace, '.planning/STATE.md'), 'äöü done')
  expect(await read('.planning/STATE.md')).toEqual({ text: 'äöü done', cut: false })
  expect(await read('.planning/STATE.md', 3)).toEqual({ text: 'äöü', cut: true })
  writeFileSync(join(workspace, 'empty'), '')
  expect(await read('empty')).toEqual({ text: '', cut: false })
})

test('a link inside the workspace is followed, one that leads out is not', async () => {
  writeFileSync(join(workspace, 'AGENTS.md'), 'rules')
  symlinkSync('AGENTS.md', join(workspace, 'CLAUDE.md'))
  expect(await read('CLAUDE.md')).toEqual({ text: 'rules', cut: false })
  writeFileSync(join(folder, 'secret'), 'key')
  symlinkSync('../secret', join(workspace, 'STATE.md'))
  symlinkSync('..', join(workspace, 'out'))
  expect(await read('STATE.md')).toBe('STATE.md leads out of the workspace')
  expect(await read('out/secret')).toBe('out/secret leads out of the workspace')
  expect(await read('../secret')).toBe('../secret leads out of the workspace')
})

test('what is no text says so, and a pipe keeps nobody waiting', async () => {
  mkdirSync(join(workspace, 'folder'))
  execFileSync('mkfifo', [join(workspace, 'pipe')])
  writeFileSync(join(workspace, 'binary'), 'a\0b')
  expect(await read('folder')).toBe('folder is not a file')
  expect(await read('pipe')).toBe('pipe is not a file')
  expect(await read('binary')).toBe('binary is not a text')
  expect(await read('none')).toBe('there is no none')
  expect(await read('binary/below')).toBe('there is no binary/below')
  expect(await readWorkspaceFile(join(folder, 'gone'), 'STATE.md', 10)).toBe('there is no STATE.md')
})

test('one that may not be read says why', async (ctx) => {
  ctx.skip(process.getuid?.() === 0, 'root reads everything')
  writeFileSync(join(workspace, 'closed'), 'x')
  chmodSync(join(workspace, 'closed'), 0)
  expect(await read('closed')).toBe('closed could not be read (EACCES)')
})

test('whether a file is there', async () => {
  writeFileSync(join(workspace, 'a.ts'), '')
  const names = ['a.ts', 'b.ts', 'a.ts/c', `${'x'.repeat(300)}.ts`]
  expect(await Promise.all(names.map((name) => isInWorkspace(workspace, name)))).toEqual([
    true,
    false,
    false,
    undefined,
  ])
})
