/**
 * A git worktree of its own for one agent, under `workspaces/` in the root of the main repository, on a branch of its
 * own. What is there already is taken over when nothing can be lost by it, and refused otherwise; what fails half-way
 * is undone. No hook of the repository runs.
 */
import { mkdir, readdir, rmdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { deadlineIn, gitCall, GitFailure, type GitCall } from './git-command.ts'
import { findRepository, repositoryAt, type Repository } from './repository.ts'
import { exclude, unexclude, type Exclusion } from './worktree-exclude.ts'
import {
  commitOf,
  countChanges,
  describeCommit,
  listWorktrees,
  remoteBranch,
  type ListedWorktree,
} from './worktree-list.ts'

export interface WorktreePlan {
  /** Any folder of the repository; what is checked out there is what a new branch begins with. */
  folder: string
  /** Its folder under `workspaces/`. */
  name: string
  branch: string
  /** Where a new branch begins instead. */
  base?: string
}

/** What was done, with everything that is needed to undo it. */
export interface MadeWorktree {
  path: string
  branch: string
  /** The commit that is checked out. */
  commit: string
  /** Where the branch began, or stands, in words. */
  from: string
  /** The root of the main repository. */
  root: string
  made: { branch?: true; worktree?: true; folder?: true; exclusion?: Exclusion }
}

export type WorktreeResult = MadeWorktree | { refused: { sentence: string; hint: string } }

/** A big repository on a slow disk takes its time to check out. */
const TIMEOUT_MS = 10 * 60_000

const WORKSPACES = 'workspaces'

/** The root of the main checkout; undefined outside a repository, and in one without a main checkout. */
export async function repositoryRoot(folder: string): Promise<string | undefined> {
  const repository = await findRepository(folder)
  return repository === undefined ? undefined : rootOf(repository)
}

export async function makeWorktree(plan: WorktreePlan): Promise<WorktreeResult> {
  const repository = await findRepository(plan.folder)
  const root = repository === undefined ? undefined : rootOf(repository)
  if (repository === undefined || root === undefined) return notHere(plan.folder, repository)
  const call = (cwd: string) => gitCall({ GIT_NO_LAZY_FETCH: '0' }, cwd, deadlineIn(TIMEOUT_MS))
  const path = join(root, WORKSPACES, plan.name)
  const place: Place = { ...plan, root, path, repository, call, git: call(repository.top ?? root) }
  try {
    const listed = await listWorktrees(place.git)
    const known = listed.find((one) => one.path === path)
    if (known !== undefined && (await repositoryAt(path)) !== undefined) return await takeOver(place, known)
    if (known === undefined && (await isInUse(path))) return inTheWay(path)
    const holder = listed.find((one) => one.branch === plan.branch && one.path !== path)
    if (holder !== undefined) return branchTaken(plan.branch, holder.path)
    return await add(place, known !== undefined)
  } catch (error) {
    const sentence = `The worktree ${path} could not be made: ${(error as Error).message}`
    return refuse(sentence, '`git worktree list` and `git branch` show what is there.')
  }
}

/** Gives what could not be undone, since something was done in it meanwhile. */
export async function undoWorktree({ path, branch, commit, root, made }: MadeWorktree): Promise<readonly string[]> {
  const git = gitCall({}, root, deadlineIn(TIMEOUT_MS))
  if (made.worktree) {
    if ((await countChanges(gitCall({}, path, deadlineIn(TIMEOUT_MS)))) > 0) return [path]
    await git(['worktree', 'remove', '--force', path])
  }
  // Only if it is still where it was made.
  const ref = `refs/heads/${branch}`
  if (made.branch) await git(['update-ref', '-d', ref, commit], { codes: [1, 128] })
  if (made.folder) await rmdir(dirname(path)).catch(() => undefined)
  // Whoever came meanwhile relies on it.
  if (made.exclusion !== undefined && !(await isInUse(dirname(path)))) await unexclude(made.exclusion)
  return made.branch && (await commitOf(git, ref)) !== undefined ? [branch] : []
}

interface Place extends WorktreePlan {
  root: string
  path: string
  repository: Repository
  call: (cwd: string) => GitCall
  git: GitCall
}

function rootOf({ commonDir, gitDir, top }: Repository): string | undefined {
  if (basename(commonDir) === '.git') return dirname(commonDir)
  return gitDir === commonDir ? top : undefined
}

function notHere(folder: string, repository: Repository | undefined): WorktreeResult {
  const what = repository === undefined ? 'is in no git repository' : 'is in a repository without a main checkout'
  const hint = 'Go to the project, or name the folder to work in: `pan agents spawn <id> --workspace <dir>`.'
  return refuse(`${folder} ${what}`, hint)
}

async function takeOver({ branch, path, root, call }: Place, known: ListedWorktree): Promise<WorktreeResult> {
  if (known.branch !== branch) {
    const on = known.branch === undefined ? 'on no branch' : `on the branch ${known.branch}`
    const hint = `Check out ${branch} there, or remove it: \`git worktree remove ${path}\`.`
    return refuse(`The worktree ${path} is there already, but ${on} instead of ${branch}`, hint)
  }
  const changes = await countChanges(call(path))
  if (changes > 0) {
    const hint = `Commit them, or go on with them as they are: \`pan agents spawn <id> --workspace ${path}\`.`
    return refuse(`The worktree ${path} is there already, with uncommitted changes (${changes})`, hint)
  }
  return { path, branch, commit: known.commit, from: `${branch} (${known.commit.slice(0, 7)})`, root, made: {} }
}

async function add(place: Place, isStale: boolean): Promise<WorktreeResult> {
  const { git, branch, base, path, root } = place
  const existing = await commitOf(git, `refs/heads/${branch}`)
  const from = existing === undefined ? (base ?? (await remoteBranch(git, branch)) ?? 'HEAD') : branch
  const commit = existing ?? (await commitOf(git, from))
  if (commit === undefined) return noBeginning(root, from)
  const done: MadeWorktree = { path, branch, commit, root, from: await describeCommit(git, from, commit), made: {} }
  try {
    // Its folder is gone, and git would not give the place to another one.
    if (isStale) await git(['worktree', 'remove', '--force', path])
    await build(place, done, existing === undefined)
    return done
  } catch (error) {
    const rest = await undoWorktree(done).catch(() => [path])
    if (rest.length === 0) throw error
    const message = `${(error as Error).message}; ${rest.join(' and ')} could not be cleared away`
    throw new Error(message, { cause: error })
  }
}

/** Notes each step in `done` as soon as it may have to be undone. */
async function build({ git, call, name, root, repository }: Place, done: MadeWorktree, isNew: boolean): Promise<void> {
  const { path, branch, commit, made } = done
  if ((await mkdir(dirname(path), { recursive: true })) !== undefined) made.folder = true
  const exclusion = await exclude(call(root), `${WORKSPACES}/${name}`, join(repository.commonDir, 'info/exclude'))
  if (exclusion !== undefined) made.exclusion = exclusion
  if (isNew) {
    await git(['branch', '--no-track', branch, commit])
    made.branch = true
  }
  try {
    await git(['worktree', 'add', '--quiet', path, branch])
  } catch (error) {
    // A git that fails clears its own half away, and what stands there is another's; one that was cut off does not.
    if (!(error instanceof GitFailure) && (await repositoryAt(path)) !== undefined) made.worktree = true
    throw error
  }
  made.worktree = true
}

function noBeginning(root: string, from: string): WorktreeResult {
  if (from !== 'HEAD') return refuse(`There is no commit «${from}»`, 'Name a branch or a commit that is there.')
  return refuse(`${root} has no commit yet, so that no branch can begin there`, 'Commit something first.')
}

function branchTaken(branch: string, path: string): WorktreeResult {
  const hint = `Check out another branch there, or work in it: \`pan agents spawn <id> --workspace ${path}\`.`
  return refuse(`The branch ${branch} is checked out in ${path}`, hint)
}

function inTheWay(path: string): WorktreeResult {
  return refuse(`${path} is there already and is no worktree of this repository`, 'Move it away, then try again.')
}

function refuse(sentence: string, hint: string): WorktreeResult {
  return { refused: { sentence, hint } }
}

/** An empty folder is not in the way of anything. */
async function isInUse(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).length > 0
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}
