/** Reads the snapshots that lie in a repository under refs/cloister/. */
import type { AgentId } from '../../contract/ids.ts'
import type { OwnRepository, Salvage } from '../../core/git-port.ts'
import { deadlineIn, repositoryCall, type GitCall } from './git-command.ts'
import { toText, unquote, type RawPath } from './raw-path.ts'
import { ownRefs, type Where } from './own.ts'
import type { Repository } from './repository.ts'
import { GITLINK, lines, type Entry } from './scan.ts'
import { readMessage, type About } from './snapshot-message.ts'

export interface Snapshot extends Salvage {
  commit: string
  about: About
}

export type ChangeStatus = 'added' | 'modified' | 'deleted' | 'type changed'

export interface Change {
  path: string
  status: ChangeStatus
  /** Of the saved file; 0 for a deleted one. */
  bytes: number
}

export interface TreeEntry extends Entry {
  path: RawPath
  bytes: number
}

const TIMEOUT_MS = 30_000

/** Oldest first. */
export async function listSalvages(repository: Repository, agent?: AgentId): Promise<Snapshot[]> {
  return readSnapshots(repository, `refs/cloister/${agent === undefined ? '' : `${agent}/`}`)
}

export interface ShownSalvage extends Snapshot {
  changes: Change[]
}

export async function showSalvage(workspace: string, ref: string, own?: OwnRepository): Promise<ShownSalvage> {
  const repository = await mustFind({ workspace, own })
  const snapshot = await readSnapshot(repository, ref)
  const git = repositoryCall(repository, deadlineIn(TIMEOUT_MS))
  const saved = new Map((await listTree(git, snapshot.commit)).map((entry) => [entry.path, entry]))
  const changes = (await readChanges(git, snapshot)).map(({ path, status }) => ({
    path: toText(path),
    status,
    bytes: saved.get(path)?.bytes ?? 0,
  }))
  return { ...snapshot, changes }
}

export async function mustFind(where: Where): Promise<Repository> {
  const repository = await ownRefs(where)
  if (repository !== undefined) return repository
  throw new Error(
    `${where.workspace} is not in a git repository. Name the workspace, or another worktree of its repository, with --workspace.`,
  )
}

export async function readSnapshot(repository: Repository, ref: string): Promise<Snapshot> {
  const found = (await readSnapshots(repository, ref)).find((snapshot) => snapshot.ref === ref)
  if (found === undefined) throw new Error(`There is no snapshot ${ref} in ${repository.top ?? repository.gitDir}.`)
  return found
}

/** What the snapshot changes, compared with the commit that it is based on. */
export async function readChanges(
  git: GitCall,
  { about }: Snapshot,
): Promise<{ path: RawPath; status: ChangeStatus }[]> {
  const args = ['diff-tree', '-r', '--raw', '--no-renames', '--no-abbrev']
  const takenOver = new Set(about.takenOver)
  if (about.base === undefined) {
    return (await listTree(git, about.changes)).map(({ path }) => ({ path, status: 'added' as const }))
  }
  return lines(await git([...args, `${about.base}^{tree}`, about.changes])).flatMap((line) => {
    const tab = line.indexOf('\t')
    const [before = '', , , , letter = ''] = line.slice(1, tab).split(' ')
    const path = unquote(line.slice(tab + 1))
    // A submodule that was saved as files is not deleted.
    if (before === GITLINK && takenOver.has(toText(path))) return []
    return [{ path, status: STATUS[letter] ?? ('modified' as const) }]
  })
}

export async function listTree(git: GitCall, tree: string): Promise<TreeEntry[]> {
  return lines(await git(['ls-tree', '-r', '-l', '--full-tree', tree])).map((line) => {
    const tab = line.indexOf('\t')
    const [mode = '', , hash = '', bytes = ''] = line.slice(0, tab).split(/ +/)
    return { path: unquote(line.slice(tab + 1)), mode, hash, bytes: Number(bytes) || 0 }
  })
}

const STATUS: Record<string, ChangeStatus> = { A: 'added', M: 'modified', D: 'deleted', T: 'type changed' }

const FORMAT = '--format=%(refname)%00%(objectname)%00%(contents)%00'

async function readSnapshots(repository: Repository, pattern: string): Promise<Snapshot[]> {
  const git = repositoryCall(repository, deadlineIn(TIMEOUT_MS))
  const fields = (await git(['for-each-ref', FORMAT, pattern])).split('\0')
  const snapshots: Snapshot[] = []
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const [ref = '', commit = '', message = ''] = fields.slice(at, at + 3)
    const about = readMessage(message)
    if (about === undefined) continue
    const { agent, generation, savedWallAt, files, branch, notes, replaced } = about
    const mark = replaced === undefined ? {} : { replaced }
    snapshots.push({ ref: ref.trim(), commit, agent, generation, savedWallAt, files, branch, ...mark, notes, about })
  }
  return snapshots.toSorted((a, b) => a.savedWallAt - b.savedWallAt || order(a.ref) - order(b.ref))
}

function order(ref: string): number {
  return Number(/-(\d+)$/.exec(ref)?.[1] ?? 0)
}
