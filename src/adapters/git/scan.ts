/** What a worktree holds, by git's own judgement: tracked, changed, deleted and untracked paths, and nested repositories. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GitFailure, repositoryCall, type Deadline } from './git-command.ts'
import { unquote, type RawPath } from './raw-path.ts'
import type { Repository } from './repository.ts'
import type { Scratch } from './scratch.ts'

export interface Entry {
  mode: string
  hash: string
}

export interface Head {
  commit: string
  tree: string
}

export interface Scan {
  head: Head | undefined
  /** What the index holds at stage 0, without intents to add. */
  index: ReadonlyMap<RawPath, Entry>
  /** Tracked or in conflict, and with other content in the worktree than in the index. */
  changed: ReadonlySet<RawPath>
  deleted: ReadonlySet<RawPath>
  /** Staged with other content than HEAD has; the entry is undefined where the file was removed from the index. */
  staged: ReadonlyMap<RawPath, Entry | undefined>
  untracked: readonly RawPath[]
  /** Untracked folders that are repositories of their own. */
  nested: readonly RawPath[]
  notes: readonly string[]
}

export const GITLINK = '160000'

export async function scanWorktree(scratch: Scratch, repository: Repository, deadline: Deadline): Promise<Scan> {
  const head = await readHead(repository, deadline)
  const { listed, notes } = await listIndex(scratch, head)
  const skipped = tagged(listed, 'Ss')
  await unmark(scratch, '--no-skip-worktree', skipped)
  await unmark(scratch, '--no-assume-unchanged', tagged(listed, 'hs'))
  // Compares contents where times differ; only our copy of the index learns of it.
  await scratch.git(['update-index', '-q', '--unmerged', '--ignore-submodules', '--refresh'], { codes: [1] })
  const found = sortChanges(lines(await scratch.git(DIFF_FILES)), skipped)
  const index = new Map<RawPath, Entry>()
  const changed = new Set(found.changed)
  for (const { path, mode, hash, stage } of listed) {
    if (stage !== '0') changed.add(path)
    else if (!found.intended.has(path)) index.set(path, { mode, hash })
  }
  const others = lines(await scratch.git(['ls-files', '--others', '--exclude-standard'])).map(unquote)
  return {
    head,
    index,
    changed,
    deleted: found.deleted,
    staged: await readStaged(scratch, head, index),
    untracked: others.filter((path) => !path.endsWith('/')),
    nested: others.filter((path) => path.endsWith('/')).map((path) => path.slice(0, -1)),
    notes,
  }
}

/** Undefined while there is no commit. */
export async function readHead(repository: Repository, deadline: Deadline): Promise<Head | undefined> {
  const git = repositoryCall(repository, deadline)
  const said = await git(['rev-parse', 'HEAD^{commit}', 'HEAD^{tree}'], { codes: [128] })
  const [commit, tree] = lines(said).filter((line) => /^[0-9a-f]{40,64}$/.test(line))
  return commit === undefined || tree === undefined ? undefined : { commit, tree }
}

export function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '')
}

const DIFF_FILES = ['diff-files', '--raw', '--no-abbrev', '--no-renames', '--ignore-submodules=all']

interface Listed extends Entry {
  tag: string
  path: RawPath
  stage: string
}

async function listIndex(scratch: Scratch, head: Head | undefined): Promise<{ listed: Listed[]; notes: string[] }> {
  const list = async () => lines(await scratch.git(['ls-files', '--stage', '-v'])).map(readEntry)
  try {
    return { listed: await list(), notes: [] }
  } catch (error) {
    if (!(error instanceof GitFailure)) throw error
    await rm(join(scratch.folder, 'index'), { force: true })
    if (head !== undefined) await scratch.git(['read-tree', head.commit])
    const note = `The index could not be read (${error.message}): what was staged is saved only as far as it is in files.`
    return { listed: await list(), notes: [note] }
  }
}

function tagged(listed: readonly Listed[], tags: string): Set<RawPath> {
  return new Set(listed.filter(({ tag }) => tags.includes(tag)).map(({ path }) => path))
}

/** Git shall look at files too that it was told not to look at. */
async function unmark(scratch: Scratch, option: string, paths: ReadonlySet<RawPath>): Promise<void> {
  if (paths.size === 0) return
  await scratch.git(['update-index', option, '-z', '--stdin'], {
    input: [...paths].map((path) => `${path}\0`).join(''),
  })
}

function readEntry(line: string): Listed {
  const tab = line.indexOf('\t')
  const [tag = '', mode = '', hash = '', stage = ''] = line.slice(0, tab).split(' ')
  return { tag, mode, hash, stage, path: unquote(line.slice(tab + 1)) }
}

function sortChanges(changes: readonly string[], skipped: ReadonlySet<RawPath>) {
  const changed = new Set<RawPath>()
  const deleted = new Set<RawPath>()
  const intended = new Set<RawPath>()
  for (const line of changes) {
    const tab = line.indexOf('\t')
    const path = unquote(line.slice(tab + 1))
    const status = line.slice(0, tab).split(' ')[4]
    if (status === 'D') {
      if (!skipped.has(path)) deleted.add(path)
      continue
    }
    changed.add(path)
    if (status === 'A') intended.add(path)
  }
  return { changed, deleted, intended }
}

async function readStaged(
  scratch: Scratch,
  head: Head | undefined,
  index: ReadonlyMap<RawPath, Entry>,
): Promise<Map<RawPath, Entry | undefined>> {
  if (head === undefined) return new Map(index)
  const staged = new Map<RawPath, Entry | undefined>()
  for (const line of lines(await scratch.git(['diff-index', '--cached', '--raw', '--no-renames', head.commit]))) {
    const path = unquote(line.slice(line.indexOf('\t') + 1))
    staged.set(path, index.get(path))
  }
  return staged
}
