/** Hashes files exactly as they are on disk, and stores them as objects if asked to. Never runs a filter. */
import { lstat, mkdtemp, readlink, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Folders, openFile } from '../process/folders.ts'
import { GitFailure } from './git-command.ts'
import { onDisk, quote, toRaw, type RawPath } from './raw-path.ts'
import { lines } from './scan.ts'
import type { Scratch } from './scratch.ts'

/** A file or symbolic link as it lies in the worktree. */
export interface DiskFile {
  path: RawPath
  mode: '100644' | '100755' | '120000'
  bytes: number
}

export interface Hashed {
  hashes: ReadonlyMap<RawPath, string>
  /** Why a file could not be read. */
  failures: ReadonlyMap<RawPath, string>
}

/** Something without content of its own, or nothing. */
export type NoFile = 'folder' | 'special' | 'missing' | 'unreadable'

export async function lookAtPath(folder: string, path: RawPath): Promise<DiskFile | NoFile> {
  let stats
  try {
    stats = await lstat(onDisk(folder, path))
  } catch (error) {
    return ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '') ? 'missing' : 'unreadable'
  }
  if (stats.isSymbolicLink()) return { path, mode: '120000', bytes: stats.size }
  if (stats.isFile()) return { path, mode: (stats.mode & 0o100) === 0 ? '100644' : '100755', bytes: stats.size }
  return stats.isDirectory() ? 'folder' : 'special'
}

/** In chunks, so that a hundred thousand paths do not become a hundred thousand open requests. */
export async function lookAtPaths(folder: string, paths: readonly RawPath[]): Promise<(DiskFile | NoFile)[]> {
  const found: (DiskFile | NoFile)[] = []
  for (let at = 0; at < paths.length; at += CHUNK) {
    found.push(...(await Promise.all(paths.slice(at, at + CHUNK).map((path) => lookAtPath(folder, path)))))
  }
  return found
}

export async function hashFiles(
  scratch: Scratch,
  files: readonly DiskFile[],
  from: { folder: string; store: boolean },
): Promise<Hashed> {
  const hashed = { hashes: new Map<RawPath, string>(), failures: new Map<RawPath, string>() }
  if (files.length === 0) return hashed
  await using folders = await Folders.open(from.folder)
  const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  for (let at = 0; at < sorted.length; at += HELD) {
    await hashSome(scratch, sorted.slice(at, at + HELD), { folders, store: from.store, ...hashed })
  }
  return hashed
}

const CHUNK = 256
/** Files that are held open at once: half of the least that a process may have open. */
const HELD = 500
const MAX_FAILURES = 100

interface Means {
  folders: Folders
  store: boolean
  hashes: Map<RawPath, string>
  failures: Map<RawPath, string>
}

interface Source {
  path: RawPath
  /** For git to open. */
  name: string
  letGo: () => Promise<void>
}

async function hashSome(scratch: Scratch, files: readonly DiskFile[], means: Means): Promise<void> {
  const { folders, failures } = means
  const sources: Source[] = []
  for (const [folder, inside] of Map.groupBy(files, ({ path }) => path.slice(0, path.lastIndexOf('/') + 1))) {
    // All of one folder at once, while it is held open.
    const at = folders.at(folder.slice(0, -1))
    const opened = await Promise.allSettled(inside.map(async (file) => sourceOf(file, { at: await at, scratch })))
    for (const [n, { path }] of inside.entries()) {
      const one = opened[n]
      if (one?.status === 'fulfilled') sources.push(one.value)
      else failures.set(path, reasonOf(one?.reason))
    }
  }
  try {
    await hashSources(scratch, sources, means)
  } finally {
    await Promise.all(sources.map(({ letGo }) => letGo()))
  }
}

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).message
}

async function hashSources(scratch: Scratch, sources: readonly Source[], means: Means): Promise<void> {
  const { hashes, failures, store } = means
  const args = ['hash-object', ...(store ? ['-w'] : []), '--no-filters', '--stdin-paths']
  let next = 0
  while (next < sources.length) {
    let said: string
    let why: string | undefined
    try {
      const rest = sources.slice(next)
      said = await scratch.git(args, { input: rest.map(({ name }) => `${quote(toRaw(name))}\n`).join('') })
    } catch (error) {
      if (!(error instanceof GitFailure) || failures.size >= MAX_FAILURES) throw error
      said = error.stdout
      why = error.message
    }
    for (const hash of lines(said)) hashes.set(sources[next++]?.path ?? '', hash)
    // Git stops at the first file that it cannot read: that one is named, and the rest goes on.
    const stopped = why === undefined ? undefined : sources[next++]
    if (why !== undefined && stopped === undefined) throw new Error(why)
    if (why !== undefined && stopped !== undefined) failures.set(stopped.path, why)
  }
}

/**
 * Git would follow a link, also one that took the place of a file or of a folder just now: so it is given what we hold
 * open, and of a link a file that holds where it leads.
 */
async function sourceOf({ path, mode }: DiskFile, { at, scratch }: { at: string; scratch: Scratch }): Promise<Source> {
  const entry = Buffer.from(`${at}/${path.slice(path.lastIndexOf('/') + 1)}`, 'latin1')
  if (mode !== '120000') {
    const file = await openFile(entry)
    return { path, name: `/proc/${process.pid}/fd/${file.fd}`, letGo: () => file.close() }
  }
  const leads = await readlink(entry, { encoding: 'buffer' })
  const name = join(await mkdtemp(join(scratch.folder, 'link-')), 'leads')
  await writeFile(name, leads)
  return { path, name, letGo: () => rm(name) }
}
