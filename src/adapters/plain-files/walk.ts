/**
 * Finds the files of a workspace without asking git. No link is followed. Folders that programs fill and can fill again
 * are left out, and whatever is left out is named.
 */
import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { onDisk, toText, type RawName } from './raw-name.ts'

export interface Found {
  path: RawName
  isLink: boolean
  bytes: number
  mode: number
  changedWallAt: number
}

export interface LeftOut {
  path: string
  why: string
}

export interface Walked {
  found: Found[]
  leftOut: LeftOut[]
}

interface Walk extends Walked {
  top: string
  /** Of whole folders, by device and inode. */
  skip: ReadonlyMap<string, string>
  most: number
}

/** At most so many files; the folders of `skip` stay out, each for its reason. */
export async function walk(
  top: string,
  { most, skip }: { most: number; skip: ReadonlyMap<string, string> },
): Promise<Walked> {
  const given = { top, skip, most, found: [], leftOut: [] }
  await visit(given, '')
  return given
}

export function inodeOf({ dev, ino }: { dev: number; ino: number }): string {
  return `${dev}:${ino}`
}

async function visit(given: Walk, folder: RawName): Promise<void> {
  const entries = await list(given, folder)
  for (const entry of entries) {
    const name = entry.name.toString('latin1')
    await take(given, folder === '' ? name : `${folder}/${name}`, entry)
  }
}

async function take(given: Walk, path: RawName, entry: Dirent<Buffer>): Promise<void> {
  const { top, found, leftOut, most } = given
  const leave = (why: string) => void leftOut.push({ path: toText(path), why })
  let stats
  try {
    stats = await lstat(onDisk(top, path))
  } catch (error) {
    return leave(`it could not be looked at (${(error as NodeJS.ErrnoException).code})`)
  }
  if (stats.isDirectory()) {
    const why = given.skip.get(inodeOf(stats)) ?? (await whyNot(top, path, entry.name.toString('latin1')))
    return why === undefined ? visit(given, path) : leave(why)
  }
  if (entry.name.toString() === '.git') return leave(GIT)
  if (!stats.isFile() && !stats.isSymbolicLink()) return leave('it is neither a file nor a link')
  if (found.length >= most) return leave(`the snapshot is full (limit ${most} files)`)
  const { size: bytes, mode, mtimeMs: changedWallAt } = stats
  found.push({ path, isLink: stats.isSymbolicLink(), bytes, mode: mode & 0o777, changedWallAt })
}

const GIT = 'what git keeps stays where it is'
const FILLED = ['node_modules', '__pycache__', '.cache']
/** Beside the files of a folder that its program can make anew: a cache, and a Python environment. */
const MARKS = ['CACHEDIR.TAG', 'pyvenv.cfg']

async function whyNot(top: string, path: RawName, name: string): Promise<string | undefined> {
  if (name === '.git') return GIT
  const isMarked = await Promise.all(MARKS.map((mark) => isThere(onDisk(top, `${path}/${mark}`))))
  return FILLED.includes(name) || isMarked.includes(true) ? 'its program can fill it again' : undefined
}

async function isThere(path: Buffer): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}

async function list({ top, leftOut }: Walk, folder: RawName): Promise<Dirent<Buffer>[]> {
  try {
    return await readdir(onDisk(top, folder), { withFileTypes: true, encoding: 'buffer' })
  } catch (error) {
    leftOut.push({
      path: toText(folder) || '.',
      why: `it could not be read (${(error as NodeJS.ErrnoException).code})`,
    })
    return []
  }
}
