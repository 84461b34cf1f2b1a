/** Hashes files exactly as they are on disk, and stores them as objects if asked to. Never runs a filter. */
import { lstat, mkdir, readlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
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
  const hashes = new Map<RawPath, string>()
  const failures = new Map<RawPath, string>()
  const sources = await Promise.all(files.map((file, at) => sourceOf(file, { ...from, scratch, at })))
  const args = ['hash-object', ...(from.store ? ['-w'] : []), '--no-filters', '--stdin-paths']
  let next = 0
  while (next < files.length) {
    let said: string
    let why: string | undefined
    try {
      said = await scratch.git(args, {
        input: sources
          .slice(next)
          .map((source) => `${quote(source)}\n`)
          .join(''),
      })
    } catch (error) {
      if (!(error instanceof GitFailure) || failures.size >= MAX_FAILURES) throw error
      said = error.stdout
      why = error.message
    }
    for (const hash of lines(said)) hashes.set(files[next++]?.path ?? '', hash)
    // Git stops at the first file that it cannot read: that one is named, and the rest goes on.
    const stopped = why === undefined ? undefined : files[next++]
    if (why !== undefined && stopped === undefined) throw new Error(why)
    if (why !== undefined && stopped !== undefined) failures.set(stopped.path, why)
  }
  return { hashes, failures }
}

const CHUNK = 256
const MAX_FAILURES = 100

/** Git would follow a link, so its target is hashed from a file that holds it. */
async function sourceOf(
  { path, mode }: DiskFile,
  { folder, scratch, at }: { folder: string; scratch: Scratch; at: number },
): Promise<RawPath> {
  if (mode !== '120000') return `${toRaw(folder)}/${path}`
  const links = join(scratch.folder, 'links')
  await mkdir(links, { recursive: true })
  const copy = join(links, String(at))
  try {
    await writeFile(copy, await readlink(onDisk(folder, path), { encoding: 'buffer' }))
  } catch {
    // It went away just now: hashing will fail on this name, and say so.
  }
  return toRaw(copy)
}
