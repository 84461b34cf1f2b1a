/**
 * How much a worktree differs from where its branch began, with what is committed, staged, changed and new. Where that
 * is, is the newest commit that it shares with another branch of the project, or where git noted that it was made.
 */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { DiffStat } from '../../contract/finished.ts'
import { deadlineIn, gitCall, type GitCall } from './git-command.ts'
import { onDisk, unquote } from './raw-path.ts'
import { findRepository, headRef, readText, type Checkout, type Repository } from './repository.ts'

const TIMEOUT_MS = 10_000
/** New files whose lines are counted, and how much of each is read. */
const MAX_NEW_FILES = 500
const MAX_BYTES = 256 * 1024

/** Undefined outside a repository, in a bare one, and in one without a commit. */
export async function diffStat(workspace: string): Promise<DiffStat | undefined> {
  const repository = await findRepository(workspace)
  if (repository?.top === undefined) return undefined
  const checkout = { ...repository, top: repository.top }
  const env = { GIT_DIR: checkout.gitDir, GIT_WORK_TREE: checkout.top }
  const git = gitCall(env, checkout.top, deadlineIn(TIMEOUT_MS))
  const head = await commitOf(git, 'HEAD')
  if (head === undefined) return undefined
  const began = await beginningOf(git, checkout, head)
  const commits = began === undefined ? 0 : Number(await git(['rev-list', '--count', `${began.commit}..${head}`]))
  const plain = ['--no-ext-diff', '--no-textconv', '--no-renames']
  const changed = shortStat(await git(['diff', '--shortstat', ...plain, began?.commit ?? head]))
  const fresh = await newFiles(git, checkout.top)
  const uncommitted = shortStat(await git(['diff', '--shortstat', ...plain, head])).files + fresh.files
  return {
    files: changed.files + fresh.files,
    added: changed.added + fresh.lines,
    removed: changed.removed,
    commits,
    ...(began === undefined || uncommitted === 0 ? {} : { uncommitted }),
    ...(began === undefined ? {} : { base: began.name }),
  }
}

interface Beginning {
  commit: string
  /** As people know it. */
  name: string
}

/** Undefined when no other branch is there, and git noted nothing. */
async function beginningOf(git: GitCall, repository: Checkout, head: string): Promise<Beginning | undefined> {
  const own = await headRef(repository)
  const wanted = [await mainRef(repository), ...USUAL].filter((ref) => ref !== undefined && ref !== own) as string[]
  const listed = await git(['for-each-ref', '--format=%(refname)', ...new Set(wanted)])
  const found: Beginning[] = []
  for (const ref of listed.split('\n').filter((line) => line !== '')) {
    const commit = (await git(['merge-base', head, ref], { codes: [1] })).trim()
    if (commit !== '') found.push({ commit, name: shortName(ref) })
  }
  const noted = await notedBeginning(git, repository, { own, head })
  return newest(git, noted === undefined ? found : [...found, noted])
}

/** A branch of a project mostly begins at one of these. */
const USUAL = [
  'refs/remotes/origin/HEAD',
  ...['main', 'master', 'trunk', 'develop'].flatMap((name) => [`refs/heads/${name}`, `refs/remotes/origin/${name}`]),
]

function shortName(ref: string): string {
  return ref.replace(/^refs\/(?:heads|remotes)\//, '')
}

/** What the main checkout has, where this is another worktree of its repository. */
async function mainRef({ gitDir, commonDir }: Repository): Promise<string | undefined> {
  return gitDir === commonDir ? undefined : headRef({ gitDir: commonDir, commonDir, top: undefined })
}

/** Of a branch that was made here: a rebase since then leaves that commit behind, and it does not count. */
async function notedBeginning(
  git: GitCall,
  { commonDir }: Repository,
  { own, head }: { own: string | undefined; head: string },
): Promise<Beginning | undefined> {
  const log = own === undefined ? undefined : await readText(join(commonDir, 'logs', own))
  const commit = /^\S+ ([0-9a-f]{40,64}) .*\tbranch: Created from/.exec(log?.split('\n', 1)[0] ?? '')?.[1]
  if (commit === undefined || (await commitOf(git, commit)) === undefined) return undefined
  const shared = (await git(['merge-base', head, commit], { codes: [1] })).trim()
  return shared === commit ? { commit, name: commit.slice(0, 7) } : undefined
}

/** Of several the one that no other one comes after; a branch's name says more than a commit's. */
async function newest(git: GitCall, found: readonly Beginning[]): Promise<Beginning | undefined> {
  const commits = [...new Set(found.map(({ commit }) => commit))]
  if (commits.length < 2) return found[0]
  const [last] = (await git(['merge-base', '--independent', ...commits])).split('\n')
  return found.find(({ commit }) => commit === last) ?? found[0]
}

async function commitOf(git: GitCall, name: string): Promise<string | undefined> {
  const found = (await git(['rev-parse', '--verify', '--quiet', `${name}^{commit}`], { codes: [1, 128] })).trim()
  return found === '' ? undefined : found
}

function shortStat(text: string): { files: number; added: number; removed: number } {
  const number = (pattern: RegExp) => Number(pattern.exec(text)?.[1] ?? 0)
  return { files: number(/(\d+) file/), added: number(/(\d+) insertion/), removed: number(/(\d+) deletion/) }
}

async function newFiles(git: GitCall, top: string): Promise<{ files: number; lines: number }> {
  const listed = (await git(['ls-files', '--others', '--exclude-standard'])).split('\n').filter(Boolean)
  let lines = 0
  for (const path of listed.slice(0, MAX_NEW_FILES)) lines += await linesIn(onDisk(top, unquote(path)))
  return { files: listed.length, lines }
}

/** Of what is no text, none; of a long one those that were read. */
async function linesIn(path: Buffer): Promise<number> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined)
  if (file === undefined) return 0
  try {
    if (!(await file.stat()).isFile()) return 0
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0)
    const text = buffer.subarray(0, bytesRead)
    if (bytesRead === 0 || text.includes(0)) return 0
    const ends = text.reduce((count, byte) => count + Number(byte === 10), 0)
    return text.at(-1) === 10 ? ends : ends + 1
  } finally {
    await file.close()
  }
}
