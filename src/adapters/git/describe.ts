/** A worktree in words for people and hand-offs: branch, newest commit, dirty files, distance to its upstream. */
import type { DirtyFile } from '../../contract/work-views.ts'
import type { GitDescription, OwnRepository } from '../../core/git-port.ts'
import { deadlineIn, gitCall } from './git-command.ts'
import { toText, unquote } from './raw-path.ts'
import { ownCheckout } from './own.ts'

const TIMEOUT_MS = 10_000
const MAX_DIRTY = 200

/** Undefined outside a repository and in a bare one. */
export async function describeGit(workspace: string, own?: OwnRepository): Promise<GitDescription | undefined> {
  const repository = await ownCheckout({ workspace, own })
  if (repository === undefined || 'unusable' in repository) return undefined
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
    dirty: dirty.slice(0, MAX_DIRTY).map(dirtyFileIn),
    dirtyTotal: dirty.length,
    upstream: upstreamOf(field('branch.upstream'), field('branch.ab')),
  }
}

/** How many fields stand before the path, by the kind of line. */
const FIELDS: Record<string, number> = { '1': 8, u: 10, '?': 1 }

function dirtyFileIn(line: string): DirtyFile {
  const fields = line.split(' ')
  const [kind = '', letters = ''] = fields
  const path = toText(unquote(fields.slice(FIELDS[kind] ?? 1).join(' ')))
  if (kind === '?') return { path, state: 'untracked', staged: false }
  if (kind === 'u') return { path, state: 'conflict', staged: false }
  const staged = letters[0] !== '.'
  return { path, state: STATES[letters[staged ? 0 : 1] ?? ''] ?? 'modified', staged }
}

/** The letters of the index and of the worktree; what was staged last names the change. */
const STATES: Record<string, DirtyFile['state']> = { A: 'added', M: 'modified', D: 'deleted', T: 'type changed' }

function upstreamOf(name: string | undefined, distance: string | undefined): GitDescription['upstream'] {
  const [, ahead, behind] = /^\+(\d+) -(\d+)$/.exec(distance ?? '') ?? []
  return name === undefined || ahead === undefined ? undefined : { name, ahead: Number(ahead), behind: Number(behind) }
}
