/**
 * Brings files of a snapshot back, byte for byte, and checks every one of them afterwards. Either everything that was
 * asked for is written or nothing. Content that no commit holds is replaced only by force, and saved before that.
 */
import { mkdir, readdir, realpath, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { deadlineIn, type Deadline } from './git-command.ts'
import { onDisk, toRaw, toText, type RawPath } from './raw-path.ts'
import type { Where } from './own.ts'
import type { Repository } from './repository.ts'
import { salvage } from './salvage.ts'
import { GITLINK, scanWorktree, type Entry } from './scan.ts'
import { withScratch, type Scratch } from './scratch.ts'
import { listTree, mustFind, readChanges, readSnapshot, type Snapshot } from './snapshots.ts'
import { hashFiles, lookAtPaths, type DiskFile } from './store-blobs.ts'
import { fillIndex } from './trees.ts'

export interface RestoreRequest extends Where {
  ref: string
  /** Write a complete copy here instead of the changes into the workspace. */
  into?: string
  /** Only these files and folders. */
  paths?: readonly string[] | undefined
  /** Replace files that differ, and delete what was deleted in the snapshot. */
  force?: boolean | undefined
  wallAt: number
}

export interface Restored {
  folder: string
  written: string[]
  /** Already there with the same bytes. */
  same: string[]
  /** In the way; when there is any, nothing was written. */
  refused: { path: string; why: string }[]
  deleted: string[]
  /** Deleted in the snapshot, still in the folder. */
  notDeleted: string[]
  /** How many files were hashed and found equal after writing. */
  verified: number
  /** What force replaced or deleted was saved under this ref first. */
  savedFirst?: string
  /** Clean submodules, which a snapshot only names. */
  submodules: string[]
  notes: string[]
}

const TIMEOUT_MS = 10 * 60_000

export async function restoreSalvage(request: RestoreRequest): Promise<Restored> {
  const repository = await mustFind(request)
  const snapshot = await readSnapshot(repository, request.ref)
  const folder = await targetOf(request, repository)
  const deadline = deadlineIn(TIMEOUT_MS)
  const plan = { repository, worktree: folder, deadline, attributes: 'raw' } as const
  return withScratch(plan, (scratch) => restore(request, { repository, snapshot, folder, deadline, scratch }))
}

async function targetOf({ into, force }: RestoreRequest, { top }: Repository): Promise<string> {
  if (into === undefined) {
    if (top !== undefined) return top
    throw new Error('The repository has no worktree. Name a folder to write to with --into.')
  }
  const folder = resolve(into)
  await mkdir(folder, { recursive: true })
  if (!force && (await readdir(folder)).length > 0) {
    throw new Error(`${folder} is not empty. Name a new or an empty folder, or add --force to write into this one.`)
  }
  return realpath(folder)
}

interface Means {
  repository: Repository
  snapshot: Snapshot
  folder: string
  deadline: Deadline
  scratch: Scratch
}

async function restore(request: RestoreRequest, means: Means): Promise<Restored> {
  const { snapshot, folder, scratch } = means
  const { files, deletions, submodules } = await choose(request, means)
  const sorted = await sortTargets(request, means, files)
  const present = await presentOf(folder, deletions)
  const refused = sorted.refused.map(({ path, why }) => ({ path: toText(path), why }))
  const result: Restored = {
    folder,
    written: [],
    same: sorted.same.map(toText),
    refused,
    deleted: [],
    notDeleted: present.map(toText),
    verified: 0,
    submodules: submodules.map(toText),
    notes: snapshot.about.notes,
  }
  if (refused.length > 0) return result
  const doomed = request.force ? present : []
  const savedFirst = await saveFirst(request, means, [...sorted.lost, ...doomed])
  await writeFiles(scratch, sorted.write)
  for (const path of doomed) await rm(onDisk(folder, path))
  return {
    ...result,
    written: [...sorted.write.keys()].map(toText),
    deleted: doomed.map(toText),
    notDeleted: request.force ? [] : result.notDeleted,
    verified: await verify(means, files),
    ...(savedFirst === undefined ? {} : { savedFirst }),
  }
}

interface Choice {
  files: Map<RawPath, Entry>
  deletions: RawPath[]
  submodules: RawPath[]
}

/** Into another folder everything; into the workspace what the snapshot changed, so that newer commits stay. */
async function choose({ into, paths }: RestoreRequest, { scratch, snapshot }: Means): Promise<Choice> {
  const roots = paths?.map((path) => toRaw(path.replace(/^\.\//, '').replace(/\/+$/, '')))
  const isChosen = (path: RawPath) =>
    roots === undefined || roots.some((root) => root === path || path.startsWith(`${root}/`) || root === '.')
  const tree = (await listTree(scratch.git, snapshot.commit)).filter(({ path }) => isChosen(path))
  const changes = (await readChanges(scratch.git, snapshot)).filter(({ path }) => isChosen(path))
  const changed = new Set(changes.map(({ path }) => path))
  // A path that was named is wanted whether or not it was changed.
  const wanted = tree.filter(({ path }) => into !== undefined || roots !== undefined || changed.has(path))
  if (roots !== undefined && wanted.length + changes.length === 0) {
    throw new Error(`The snapshot ${snapshot.ref} holds nothing under ${paths?.join(', ')}.`)
  }
  return {
    files: new Map(wanted.filter(({ mode }) => mode !== GITLINK).map(({ path, mode, hash }) => [path, { mode, hash }])),
    deletions: into === undefined ? changes.filter(({ status }) => status === 'deleted').map(({ path }) => path) : [],
    submodules: wanted.filter(({ mode }) => mode === GITLINK).map(({ path }) => path),
  }
}

interface Targets {
  write: Map<RawPath, Entry>
  same: RawPath[]
  refused: { path: RawPath; why: string }[]
  /** Written over, though no commit holds what was there. */
  lost: RawPath[]
}

async function sortTargets(
  request: RestoreRequest,
  means: Means,
  files: ReadonlyMap<RawPath, Entry>,
): Promise<Targets> {
  const { folder, scratch } = means
  const paths = [...files.keys()]
  const found = await lookAtPaths(folder, paths)
  const there = found.filter((one) => typeof one === 'object')
  const { hashes } = await hashFiles(scratch, there, { folder, store: false })
  const isCommitted = await committedIn(request, means, there.length > 0)
  const targets: Targets = { write: new Map(), same: [], refused: [], lost: [] }
  const blocked = await blockedFolders(folder, paths)
  for (const [at, [path, entry]] of [...files].entries()) {
    const one = found[at]
    const block = blocked.get(parentOf(path))
    if (block !== undefined) targets.refused.push({ path, why: `${toText(block)} is in the way` })
    else if (one === 'missing') targets.write.set(path, entry)
    else if (typeof one !== 'object') targets.refused.push({ path, why: 'something that is no file is in the way' })
    else if (hashes.get(path) === entry.hash && one.mode === entry.mode) targets.same.push(path)
    else if (isCommitted(path)) targets.write.set(path, entry)
    else if (request.force) {
      targets.write.set(path, entry)
      targets.lost.push(path)
    } else targets.refused.push({ path, why: 'the file there has other content that is not committed' })
  }
  return targets
}

function parentOf(path: RawPath): RawPath {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : ''
}

/** A file or a link where a folder should be: writing through it, or over it, would hit something else. */
async function blockedFolders(folder: string, paths: readonly RawPath[]): Promise<Map<RawPath, RawPath>> {
  const parents = new Set(paths.map(parentOf))
  for (const path of parents) parents.add(parentOf(path))
  parents.delete('')
  const ordered = [...parents].toSorted()
  const found = await lookAtPaths(folder, ordered)
  const blocked = new Map<RawPath, RawPath>()
  for (const [at, path] of ordered.entries()) {
    const above = blocked.get(parentOf(path))
    const isBlocked = found[at] !== 'folder' && found[at] !== 'missing'
    if (above !== undefined || isBlocked) blocked.set(path, above ?? path)
  }
  return blocked
}

/** Whether what lies at a path is exactly what HEAD holds. */
async function committedIn(
  { into }: RestoreRequest,
  { repository, deadline }: Means,
  matters: boolean,
): Promise<(path: RawPath) => boolean> {
  const { top } = repository
  if (into !== undefined || top === undefined || !matters) return () => false
  const plan = { repository, worktree: top, deadline, attributes: 'git' } as const
  const scan = await withScratch(plan, (scratch) => scanWorktree(scratch, repository, deadline))
  return (path) => scan.head !== undefined && scan.index.has(path) && !scan.changed.has(path) && !scan.staged.has(path)
}

async function presentOf(folder: string, paths: readonly RawPath[]): Promise<RawPath[]> {
  const found = await lookAtPaths(folder, paths)
  return paths.filter((_, at) => typeof found[at] === 'object')
}

const NO_LIMITS = { fileBytes: Infinity, totalBytes: Infinity, files: Infinity }

async function saveFirst(
  { into, own, wallAt }: RestoreRequest,
  { snapshot, folder, deadline }: Means,
  lost: readonly RawPath[],
): Promise<string | undefined> {
  if (lost.length === 0 || into !== undefined) return undefined
  const { agent, generation } = snapshot
  const timeoutMs = deadline.limitMs
  const request = { agent, generation, workspace: folder, own, limits: NO_LIMITS, timeoutMs, wallAt, extra: lost }
  const saved = await salvage({ ...request, replaced: true })
  if (typeof saved === 'object' && 'ref' in saved) return saved.ref
  if (saved === 'clean') return undefined
  throw new Error(`What would be replaced in ${folder} could not be saved first; nothing was written.`)
}

async function writeFiles(scratch: Scratch, files: ReadonlyMap<RawPath, Entry>): Promise<void> {
  if (files.size === 0) return
  await fillIndex(scratch, 'restore', files)
  await scratch.withIndex('restore')(['checkout-index', '--all', '--force'])
}

async function verify({ folder, scratch }: Means, files: ReadonlyMap<RawPath, Entry>): Promise<number> {
  const found = await lookAtPaths(folder, [...files.keys()])
  const there = found.filter((one): one is DiskFile => typeof one === 'object')
  const { hashes } = await hashFiles(scratch, there, { folder, store: false })
  const modes = new Map(there.map(({ path, mode }) => [path, mode]))
  const wrong = [...files].filter(([path, { hash, mode }]) => hashes.get(path) !== hash || modes.get(path) !== mode)
  if (wrong.length === 0) return files.size
  const names = wrong.slice(0, 5).map(([path]) => toText(path))
  throw new Error(
    `${wrong.length} of ${files.size} files in ${folder} are not what the snapshot holds (${names.join(', ')}). ` +
      'Somebody else may write there: stop that, and run it again.',
  )
}
