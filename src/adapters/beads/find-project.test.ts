import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findProject } from './find-project.ts'

let top: string

beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), 'cloister-beads-'))
})

afterEach(() => rmSync(top, { recursive: true, force: true }))

function make(...folders: string[]): void {
  for (const folder of folders) mkdirSync(join(top, folder), { recursive: true })
}

test('finds it in the folder, and above it', async () => {
  make('repo/.beads', 'repo/.git', 'repo/src/deep', 'other')
  expect(await findProject(join(top, 'repo'), undefined)).toBe(join(top, 'repo/.beads'))
  expect(await findProject(join(top, 'repo/src/deep'), undefined)).toBe(join(top, 'repo/.beads'))
  expect(await findProject(join(top, 'other'), undefined)).toBe(undefined)
  expect(await findProject(join(top, 'missing'), undefined)).toBe(undefined)
})

test('a linked worktree uses what the main repository has, not the copy that was checked out with it', async () => {
  make('repo/.beads', 'repo/.git/worktrees/feature', 'feature/.beads', 'feature/src')
  writeFileSync(join(top, 'feature/.git'), `gitdir: ${join(top, 'repo/.git/worktrees/feature')}\n`)
  expect(await findProject(join(top, 'feature/src'), undefined)).toBe(join(top, 'repo/.beads'))
})

test('a worktree of a repository without any has its own, and a strange .git is nothing', async () => {
  make('repo/.git/worktrees/feature', 'feature/.beads')
  writeFileSync(join(top, 'feature/.git'), 'gitdir: ../repo/.git/worktrees/feature')
  expect(await findProject(join(top, 'feature'), undefined)).toBe(join(top, 'feature/.beads'))
  writeFileSync(join(top, 'feature/.git'), 'x'.repeat(10_000))
  expect(await findProject(join(top, 'feature'), undefined)).toBe(join(top, 'feature/.beads'))
})

test('BEADS_DIR counts alone', async () => {
  make('repo/.beads', 'own')
  expect(await findProject(join(top, 'repo'), join(top, 'own'))).toBe(join(top, 'own'))
  expect(await findProject(join(top, 'repo'), join(top, 'missing'))).toBe(undefined)
})
