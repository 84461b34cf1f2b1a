/**
 * Saves everything uncommitted in a worktree under a new ref `refs/cloister/<agent>/<generation>-<n>`. The worktree,
 * the index and every other ref stay byte for byte as they are; no hook, filter or other program runs.
 *
 * The snapshot is a commit on top of HEAD. Where git stores other bytes than the worktree has, a second commit on top
 * of the first holds the bytes as they were. What was staged and is nowhere else is a further parent.
 */
import { realpath } from 'node:fs/promises'
import { relative } from 'node:path'
import { agentId, type AgentId } from '../../contract/ids.ts'
import type { Saved } from '../../core/git-port.ts'
import { gather, type Gathered } from './gather.ts'
import { deadlineIn, GitFailure, repositoryCall, type Deadline } from './git-command.ts'
import { keepWithin, type Limits } from './limits.ts'
import { toRaw, toText, type RawPath } from './raw-path.ts'
import { findRepository, headRef, type Checkout } from './repository.ts'
import { GITLINK, lines, type Entry } from './scan.ts'
import { withScratch, type Scratch } from './scratch.ts'
import { snapshotMessage } from './snapshot-message.ts'
import { hashFiles, lookAtPaths, type DiskFile } from './store-blobs.ts'
import { writeCommit, writeTree } from './trees.ts'

export interface SalvageRequest {
  agent: AgentId
  generation: number
  workspace: string
  limits: Limits
  timeoutMs: number
  wallAt: number
  /** Paths to save in any case, ignored or not. */
  extra?: readonly RawPath[]
}

export async function salvage(request: SalvageRequest): Promise<Saved> {
  const repository = await findRepository(request.workspace)
  if (repository?.top === undefined) return 'no_repository'
  const checkout: Checkout = { ...repository, top: repository.top }
  const deadline = deadlineIn(request.timeoutMs)
  try {
    const plan = { repository: checkout, worktree: checkout.top, deadline, attributes: 'git' } as const
    return await withScratch(plan, (scratch) => save(request, { checkout, scratch, deadline }))
  } catch (error) {
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
  const inside = toRaw(relative(checkout.top, await realpath(request.workspace)))
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
  const commit = await commitSnapshot(request, { ...means, gathered, stored, tree })
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

interface Snapshot extends Means {
  gathered: Gathered
  stored: Stored
  tree: string
}

async function commitSnapshot(request: SalvageRequest, snapshot: Snapshot): Promise<string> {
  const { checkout, scratch, gathered, stored, tree } = snapshot
  const { agent, generation, workspace, wallAt } = request
  const { head } = gathered.scan
  const staged = await commitStaged(request, snapshot)
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
    notes: [...gathered.notes, ...stored.notes].slice(0, MAX_NOTES),
  })
  const first = { tree, parents, message, wallAt }
  if (stored.converted.size === 0) return writeCommit(scratch, first)
  const changes = await writeCommit(scratch, { ...first, message: `Changes of ${agent}, as git would store them\n` })
  const bytes = await writeTree(scratch, 'bytes', new Map([...stored.changes, ...stored.converted]))
  return writeCommit(scratch, { ...first, tree: bytes, parents: [changes] })
}

const MAX_NOTES = 100

/** What is staged and neither committed nor in the files is kept as a commit of its own. */
async function commitStaged(
  { agent, wallAt }: SalvageRequest,
  { scratch, gathered: { scan }, stored }: Snapshot,
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
