import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSmall } from './read-small.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cloister-small-'))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a file is read; a pipe, a folder, nothing and too much are not', async () => {
  const place = (name: string) => join(folder, name)
  writeFileSync(place('file'), 'text')
  execFileSync('mkfifo', [place('pipe')])
  mkdirSync(place('folder'))
  writeFileSync(place('large'), '')
  truncateSync(place('large'), 400 * 1024 * 1024)
  const read = await Promise.all(['file', 'pipe', 'folder', 'none', 'large'].map((name) => readSmall(place(name))))
  expect(read).toEqual(['text', undefined, undefined, undefined, undefined])
  expect(await readSmall(place('file'), 3)).toBeUndefined()
})
