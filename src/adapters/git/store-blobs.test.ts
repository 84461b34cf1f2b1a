import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { deadlineIn } from './git-command.ts'
import { repositoryAt } from './repository.ts'
import { withScratch } from './scratch.ts'
import { hashFiles, lookAtPath } from './store-blobs.ts'

const HELLO = 'ce013625030ba8dba906f756967f9e9ca394464a'

test('a link that took the place of a file or a folder since it was looked at is not followed', async () => {
  const base = mkdtempSync(join(tmpdir(), 'cloister-blobs-'))
  onTestFinished(() => rmSync(base, { recursive: true }))
  const folder = join(base, 'work')
  execFileSync('git', ['init', '--quiet', folder], { env: { PATH: process.env['PATH'] ?? '', HOME: base } })
  const repository = await repositoryAt(folder)
  if (repository === undefined) throw new Error('no repository')
  mkdirSync(join(base, 'elsewhere'))
  writeFileSync(join(base, 'elsewhere/a.txt'), 'of somebody else')
  symlinkSync(join(base, 'elsewhere/a.txt'), join(folder, 'file'))
  symlinkSync(join(base, 'elsewhere'), join(folder, 'sub'))
  execFileSync('mkfifo', [join(folder, 'pipe')])
  writeFileSync(join(folder, 'own'), 'hello\n')
  const files = ['file', 'sub/a.txt', 'pipe', 'own'].map((path) => ({ path, mode: '100644' as const, bytes: 6 }))
  const plan = { repository, worktree: folder, deadline: deadlineIn(30_000), attributes: 'git' } as const
  const hashed = await withScratch(plan, (scratch) => hashFiles(scratch, files, { folder, store: true }))
  expect(hashed).toEqual({
    hashes: new Map([['own', HELLO]]),
    failures: new Map([
      ['file', 'ELOOP'],
      ['sub/a.txt', 'ENOTDIR'],
      ['pipe', 'it is no file any more'],
    ]),
  })
})

test('a file that goes away while the work is saved is named, and the others are saved', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloister-blobs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  execFileSync('git', ['init', '--quiet', folder], { env: { PATH: process.env['PATH'] ?? '', HOME: folder } })
  writeFileSync(join(folder, 'first'), 'hello\n')
  writeFileSync(join(folder, 'last'), 'hello\n')
  symlinkSync('hello\n', join(folder, 'link'))
  const repository = await repositoryAt(folder)
  if (repository === undefined) throw new Error('no repository')
  const file = (path: string) => ({ path, mode: '100644' as const, bytes: 6 })
  const files = [file('first'), file('gone'), { ...file('gone-link'), mode: '120000' as const }, file('last')]
  const link = await lookAtPath(folder, 'link')
  if (typeof link === 'string') throw new Error('no link')
  const plan = { repository, worktree: folder, deadline: deadlineIn(30_000), attributes: 'git' } as const
  const { hashes, failures } = await withScratch(plan, (scratch) =>
    hashFiles(scratch, [...files, link], { folder, store: true }),
  )
  expect({ hashes: [...hashes], failed: [...failures.keys()] }).toEqual({
    hashes: ['first', 'last', 'link'].map((path) => [path, HELLO]),
    failed: ['gone', 'gone-link'],
  })
})
