/** Writes trees and commits without a worktree, an index of the user, hooks or signatures. */
import type { RawPath } from './raw-path.ts'
import type { Entry } from './scan.ts'
import type { Scratch } from './scratch.ts'

export async function writeTree(scratch: Scratch, name: string, entries: ReadonlyMap<RawPath, Entry>): Promise<string> {
  const git = scratch.withIndex(name)
  await fillIndex(scratch, name, entries)
  return (await git(['write-tree', '--missing-ok'])).trim()
}

/** Puts the entries into an index of that name; it is empty before. */
export async function fillIndex(scratch: Scratch, name: string, entries: ReadonlyMap<RawPath, Entry>): Promise<void> {
  const lines = [...entries].map(([path, { mode, hash }]) => `${mode} ${hash}\t${path}\0`)
  await scratch.withIndex(name)(['update-index', '--add', '--replace', '-z', '--index-info'], { input: lines.join('') })
}

export interface NewCommit {
  tree: string
  parents: readonly string[]
  message: string
  wallAt: number
}

export async function writeCommit(scratch: Scratch, { tree, parents, message, wallAt }: NewCommit): Promise<string> {
  const date = `@${Math.floor(wallAt / 1000)} +0000`
  const args = ['commit-tree', '--no-gpg-sign', tree, ...parents.flatMap((parent) => ['-p', parent])]
  const hash = await scratch.git([...args, '-F', '-'], {
    input: Buffer.from(message, 'utf8').toString('latin1'),
    env: {
      GIT_AUTHOR_NAME: 'Cloister',
      GIT_AUTHOR_EMAIL: 'cloister@localhost',
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_NAME: 'Cloister',
      GIT_COMMITTER_EMAIL: 'cloister@localhost',
      GIT_COMMITTER_DATE: date,
    },
  })
  return hash.trim()
}
