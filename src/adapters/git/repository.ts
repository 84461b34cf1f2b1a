/** Finds the repository that a folder belongs to by reading files only: no process is started. */
import { lstat, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readSmall } from '../process/read-small.ts'

export interface Repository {
  /** Holds HEAD and the index: of this worktree alone. */
  gitDir: string
  /** Holds objects and refs: shared by all worktrees. */
  commonDir: string
  /** The root of the worktree; a bare repository has none. */
  top: string | undefined
}

/** A repository with files in it. */
export interface Checkout extends Repository {
  top: string
}

/**
 * Undefined outside a repository, and where nothing can be read. A `.git` that cannot be used ends the search: what lies
 * around it is another repository than the one that was meant.
 */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  let at: string
  try {
    at = await realpath(folder)
  } catch {
    return undefined
  }
  for (;;) {
    const found = (await repositoryAt(at)) ?? (await bareAt(at))
    if (found !== undefined) return found
    if (await exists(join(at, '.git'))) return undefined
    const parent = dirname(at)
    if (parent === at) return undefined
    at = parent
  }
}

/** The repository whose worktree begins exactly here. */
export async function repositoryAt(top: string): Promise<Checkout | undefined> {
  const dotGit = join(top, '.git')
  const gitDir = await gitDirOf(dotGit)
  if (gitDir === undefined) return undefined
  const shared = gitDir === dotGit ? undefined : await readText(join(gitDir, 'commondir'))
  const commonDir = shared === undefined ? gitDir : resolve(gitDir, shared.trim())
  return (await isFolder(join(commonDir, 'objects'))) ? { gitDir, commonDir, top } : undefined
}

/** What HEAD names: a branch's full ref, or nothing when it is detached or unreadable. */
export async function headRef({ gitDir }: Repository): Promise<string | undefined> {
  const text = await readText(join(gitDir, 'HEAD'))
  return text === undefined ? undefined : /^ref:\s*(.+?)\s*$/.exec(text)?.[1]
}

/** An agent may put a pipe or a huge file in the place of any of them. */
export const readText = (file: string): Promise<string | undefined> => readSmall(file)

/** `.git` is a folder, or a file that names one (linked worktrees, submodules). */
async function gitDirOf(dotGit: string): Promise<string | undefined> {
  if (await isFolder(dotGit)) return dotGit
  const named = /^gitdir:\s*(.+?)\s*$/.exec((await readText(dotGit)) ?? '')?.[1]
  if (named === undefined) return undefined
  const gitDir = resolve(dirname(dotGit), named)
  return (await isFolder(gitDir)) ? gitDir : undefined
}

async function bareAt(folder: string): Promise<Repository | undefined> {
  const isBare =
    (await isFolder(join(folder, 'objects'))) &&
    (await isFolder(join(folder, 'refs'))) &&
    (await readText(join(folder, 'HEAD'))) !== undefined
  return isBare ? { gitDir: folder, commonDir: folder, top: undefined } : undefined
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
