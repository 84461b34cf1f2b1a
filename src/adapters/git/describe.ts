/** A worktree in words for people and hand-offs: branch, newest commit, dirty files, distance to its upstream. */
import { deadlineIn, gitCall } from './git-command.ts'
import { toText, unquote } from './raw-path.ts'
import { findRepository } from './repository.ts'

export interface GitDescription {
  /** Undefined when HEAD is detached. */
  branch: string | undefined
  head: { hash: string; subject: string; committedWallAt: number } | undefined
  /** The first 200. */
  dirtyFiles: string[]
  dirtyTotal: number
  /** Commits that only this side, and only the upstream, has. */
  upstream: { name: string; ahead: number; behind: number } | undefined
}

const TIMEOUT_MS = 10_000
const MAX_DIRTY = 200

/** Undefined outside a repository and in a bare one. */
export async function describeGit(workspace: string): Promise<GitDescription | undefined> {
  const repository = await findRepository(workspace)
  if (repository?.top === undefined) return undefined
  const env = { GIT_DIR: repository.gitDir, GIT_WORK_TREE: repository.top }
  const git = gitCall(env, repository.top, deadlineIn(TIMEOUT_MS))
  const status = await git(['status', '--porcelain=v2', '--branch', '--no-renames', '--untracked-files=all'])
  const log = await git(['log', '-1', '--no-show-signature', '--format=%H%x00%ct%x00%s', 'HEAD'], { codes: [128] })
  const lines = status.split('\n').filter((line) => line !== '')
  const field = (name: string) => lines.find((line) => line.startsWith(`# ${name} `))?.slice(name.length + 3)
  const dirty = lines.filter((line) => !line.startsWith('#'))
  const branch = field('branch.head')
  const [hash, seconds, subject = ''] = log.trim().split('\0')
  return {
    branch: branch === '(detached)' ? undefined : branch,
    head: hash && seconds ? { hash, subject, committedWallAt: Number(seconds) * 1000 } : undefined,
    dirtyFiles: dirty.slice(0, MAX_DIRTY).map(pathIn),
    dirtyTotal: dirty.length,
    upstream: upstreamOf(field('branch.upstream'), field('branch.ab')),
  }
}

/** How many fields stand before the path, by the kind of line. */
const FIELDS: Record<string, number> = { '1': 8, u: 10, '?': 1 }

function pathIn(line: string): string {
  const fields = line.split(' ')
  return toText(unquote(fields.slice(FIELDS[fields[0] ?? ''] ?? 1).join(' ')))
}

function upstreamOf(name: string | undefined, distance: string | undefined): GitDescription['upstream'] {
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(distance ?? '') ?? []
  return name === undefined || ahead === undefined ? undefined : { name, ahead: Number(ahead), behind: Number(behind) }
}
