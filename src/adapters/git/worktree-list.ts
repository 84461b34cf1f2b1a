/** What git knows of worktrees, branches and commits. */
import type { GitCall } from './git-command.ts'

export interface ListedWorktree {
  path: string
  commit: string
  /** Undefined when no branch is checked out. */
  branch: string | undefined
}

export async function listWorktrees(git: GitCall): Promise<readonly ListedWorktree[]> {
  const blocks = (await git(['worktree', 'list', '--porcelain'])).split('\n\n')
  return blocks.flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name} (.+)$`, 'm').exec(block)?.[1]
    const path = field('worktree')
    if (path === undefined) return []
    return [{ path, commit: field('HEAD') ?? '', branch: field('branch')?.replace(/^refs\/heads\//, '') }]
  })
}

/** Undefined when there is no such commit. */
export async function commitOf(git: GitCall, name: string): Promise<string | undefined> {
  if (name.startsWith('-')) return undefined
  const commit = await git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { codes: [1, 128] })
  return commit.trim() || undefined
}

/** The one branch of that name at a remote; with two of them nobody knows which is meant. */
export async function remoteBranch(git: GitCall, branch: string): Promise<string | undefined> {
  const refs = await git(['for-each-ref', '--format=%(refname:short)', `refs/remotes/*/${branch}`])
  const names = refs.split('\n').filter((name) => name !== '')
  return names.length === 1 ? names[0] : undefined
}

/** «main (1a2b3c4)» */
export async function describeCommit(git: GitCall, name: string, commit: string): Promise<string> {
  const branch = (await git(['rev-parse', '--abbrev-ref', name], { codes: [128] })).trim()
  return `${branch === '' ? name : branch} (${commit.slice(0, 7)})`
}

/** Files that differ from the newest commit there, or are not known to git. */
export async function countChanges(git: GitCall): Promise<number> {
  const status = await git(['status', '--porcelain', '--no-renames', '--untracked-files=normal'])
  return status.split('\n').filter((line) => line !== '').length
}
