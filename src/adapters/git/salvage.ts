/**
 * Saves everything uncommitted in a worktree under a new ref `refs/cloister/<agent>/<generation>-<n>`. The worktree,
 * the index and every other ref stay byte for byte as they are; no hook, filter or other program runs.
 *
 * The snapshot is a commit on top of HEAD. Where git stores other bytes than the worktree has, a second commit on top
 * of the first holds the bytes as they were. What was staged and is nowhere else is a further parent.
 */
import { realpath } from 'node:fs/promises'
import { relative } from 'node:path'
import { agentId } from '../../contract/ids.ts'
import type { Saved, SalvageRequest as Asked } from '../../core/git-port.ts'
import { Elsewhere } from '../process/folders.ts'
import { gather, type Gathered } from './gather.ts'
import { deadlineIn, GitFailure, repositoryCall, type Deadline } from './git-command.ts'
import { keepWithin, type Limits } from './limits.ts'
import { toRaw, toText, type RawPath } from './raw-path.ts'
import { isGone, ownCheckout } from './own.ts'
import { headRef, type Checkout } from './repository.ts'
import { GITLINK, lines, type Entry } from './scan.ts'
import { withScratch, type Scratch } from './scratch.ts'
import { snapshotMessage } from './snapshot-message.ts'
import { readSnapshot } from './snapshots.ts'
import { hashFiles, lookAtPaths, type DiskFile } from './store-blobs.ts'
import { writeCommit, writeTree } from './trees.ts'

export interface SalvageRequest extends Asked {
  limits: Limits
  timeoutMs: number
  wallAt: number
  /** Paths to save in any case, ignored or not. */
  extra?: readonly RawPath[]
}

export async function salvage(request: SalvageRequest): Promise<Saved> {
  if (await isGone(request.place ?? request.workspace)) return 'gone'
  const checkout = await ownCheckout(request)
  if (checkout === undefined) return 'no_repository'
  if ('unusable' in checkout) return checkout
  const deadline = deadlineIn(request.timeoutMs)
  try {
    const plan = { repository: checkout, worktree: checkout.top, deadline, attributes: 'git' } as const
    return await withScratch(plan, (scratch) => save(request, { checkout, scratch, deadline }))
  } catch (error) {
    if (error instanceof Elsewhere) return { unusable: error.message }
    if (error instanceof GitFailure) return { unusable: `${checkout.top}/.git cannot be used (${error.message})` }
    throw new Error(
      `Could not save the work of ${request.agent} in ${request.workspace}: ${(error as Error).message}. ` +
        'The files are untouched; commit or copy them by hand, then try again.',
      { cause: error },
    )
  }
}

interface Means {
  checkout: Checkout
  scratch: Scratch
  deadline: Deadline
}

async function save(request: SalvageRequest, means: Means): Promise<Saved> {
  const { checkout, scratch, deadline } = means
  agentId.parse(request.agent)
  const inside = toRaw(relative(checkout.top, await realpath(request.place ?? request.workspace)))
  const gathered = await gather({
    scratch,
    checkout,
    deadline,
    prefix: inside === '' ? '' : `${inside}/`,
    extra: request.extra ?? [],
  })
  const stored = await storeFiles(request, means, gathered)
  const { head } = gathered.scan
  const tree = await writeTree(scratch, 'changes', stored.changes)
  if (tree === (head?.tree ?? (await writeTree(scratch, 'empty', new Map())))) return 'clean'
  const staged = await commitStaged(request, { ...means, gathered, stored, tree })
  const isConverted = stored.converted.size > 0
  const bytes = isConverted ? await writeTree(scratch, 'bytes', allBytes(stored)) : tree
  const snapshot = { ...means, gathered, stored, tree, staged, bytes }
  if (request.since !== undefined && (await isUnchanged(request.since, snapshot))) return { ref: request.since }
  const commit = await commitSnapshot(request, snapshot)
  return { ref: await nameIt(request, commit, means) }
}

interface Stored {
  /** The worktree as git would store it. */
  changes: Map<RawPath, Entry>
  /** Bytes of unchanged files that git would store differently. */
  converted: Map<RawPath, Entry>
  notes: string[]
}

async function storeFiles(
  { limits }: SalvageRequest,
  { checkout, scratch }: Means,
  { scan, wanted, takenOver }: Gathered,
): Promise<Stored> {
  const changes = new Map(scan.index)
  const notes: string[] = []
  for (const path of [...scan.deleted, ...takenOver]) changes.delete(path)
  const paths = [...wanted.keys()]
  const files: DiskFile[] = []
  for (const [at, found] of (await lookAtPaths(checkout.top, paths)).entries()) {
    const path = paths[at] ?? ''
    if (typeof found === 'object') files.push(found)
    else if (found === 'unreadable') notes.push(`${toText(path)} could not be read.`)
    else {
      changes.delete(path)
      if (found === 'special') notes.push(`${toText(path)} is neither a file nor a link: nothing to save.`)
    }
  }
  const kept = keepWithin(limits, files, wanted)
  const { hashes, failures } = await hashFiles(scratch, kept.files, { folder: checkout.top, store: true })
  const converted = new Map<RawPath, Entry>()
  const trustsMode = scratch.settings.get('core.filemode') !== 'false'
  for (const { path, mode } of kept.files) {
    const hash = hashes.get(path)
    const known = scan.index.get(path)?.mode
    const isFile = mode !== '120000' && known !== undefined && known !== '120000' && known !== GITLINK
    const entry = { mode: isFile && !trustsMode ? known : mode, hash: hash ?? '' }
    if (hash !== undefined) (wanted.get(path) === 'converted' ? converted : changes).set(path, entry)
  }
  for (const [path, why] of failures) notes.push(`${toText(path)} could not be read (${why}).`)
  return { changes, converted, notes: [...notes, ...kept.notes] }
}

interface Work extends Means {
  gathered: Gathered
  stored: Stored
  tree: string
}

interface Snapshot extends Work {
  /** A commit with what was staged and is nowhere else. */
  staged: string | undefined
  /** The tree of the files as they are, where git would store other bytes. */
  bytes: string
}

function allBytes({ changes, converted }: Stored): Map<RawPath, Entry> {
  return new Map([...changes, ...converted])
}

/** By what it holds: the same trees on the same commit. */
async function isUnchanged(ref: string, { checkout, deadline, gathered, ...now }: Snapshot): Promise<boolean> {
  const before = await readSnapshot(checkout, ref).catch(() => undefined)
  if (before === undefined || before.about.base !== gathered.scan.head?.commit) return false
  const git = repositoryCall(checkout, deadline)
  const treeOf = async (commit: string) => (await git(['rev-parse', '--verify', `${commit}^{tree}`])).trim()
  const { staged } = before.about
  if ((staged === undefined) !== (now.staged === undefined)) return false
  if (staged !== undefined && now.staged !== undefined && (await treeOf(staged)) !== (await treeOf(now.staged)))
    return false
  return before.about.changes === now.tree && (await treeOf(before.commit)) === now.bytes
}

async function commitSnapshot(request: SalvageRequest, snapshot: Snapshot): Promise<string> {
  const { checkout, scratch, gathered, stored, tree, staged, bytes } = snapshot
  const { agent, generation, workspace, wallAt, replaced } = request
  const { head } = gathered.scan
  const branch = await headRef(checkout)
  const parents = [...(head === undefined ? [] : [head.commit]), ...(staged === undefined ? [] : [staged])]
  const message = snapshotMessage({
    version: 1,
    agent,
    generation,
    savedWallAt: wallAt,
    workspace,
    ...(branch === undefined ? {} : { branch: branch.replace(/^refs\/heads\//, '') }),
    ...(head === undefined ? {} : { base: head.commit }),
    files: await countChanges(scratch, head?.tree, { tree, entries: stored.changes }),
    changes: tree,
    ...(staged === undefined ? {} : { staged }),
    takenOver: [...gathered.takenOver].map(toText),
    ...(replaced === undefined ? {} : { replaced }),
    notes: [...gathered.notes, ...stored.notes].slice(0, MAX_NOTES),
  })
  const first = { tree, parents, message, wallAt }
  if (stored.converted.size === 0) return writeCommit(scratch, first)
  const changes = await writeCommit(scratch, { ...first, message: `Changes of ${agent}, as git would store them\n` })
  return writeCommit(scratch, { ...first, tree: bytes, parents: [changes] })
}

const MAX_NOTES = 100

/** What is staged and neither committed nor in the files is kept as a commit of its own. */
async function commitStaged(
  { agent, wallAt }: SalvageRequest,
  { scratch, gathered: { scan }, stored }: Work,
): Promise<string | undefined> {
  const isElsewhere = ([path, entry]: [RawPath, Entry | undefined]) =>
    entry === undefined || entry.mode === GITLINK || stored.changes.get(path)?.hash === entry.hash
  if ([...scan.staged].every(isElsewhere)) return undefined
  const tree = await writeTree(scratch, 'staged', scan.index)
  const parents = scan.head === undefined ? [] : [scan.head.commit]
  return writeCommit(scratch, { tree, parents, message: `What ${agent} had staged\n`, wallAt })
}

async function countChanges(
  scratch: Scratch,
  base: string | undefined,
  { tree, entries }: { tree: string; entries: ReadonlyMap<RawPath, Entry> },
): Promise<number> {
  if (base === undefined) return entries.size
  return lines(await scratch.git(['diff-tree', '-r', '--no-renames', '--name-only', base, tree])).length
}

const MAX_TRIES = 50

/** Somebody may take the number first; the ref is only ever created, never moved. */
async function nameIt(request: SalvageRequest, commit: string, { checkout, deadline }: Means): Promise<string> {
  const git = repositoryCall(checkout, deadline)
  const folder = `refs/cloister/${request.agent}`
  let failure: unknown
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const taken = lines(await git(['for-each-ref', '--format=%(refname)', `${folder}/`]))
      .map((ref) => new RegExp(`^${folder}/${request.generation}-(\\d+)$`).exec(ref)?.[1])
      .map((n) => Number(n ?? 0))
    const ref = `${folder}/${request.generation}-${Math.max(0, ...taken) + 1}`
    try {
      await git(['update-ref', '-m', 'salvage', ref, commit, ''])
      return ref
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error
      failure = error
    }
  }
  throw failure
}
