/**
 * Finds the files of a workspace without asking git. No link is followed. Folders that programs fill and can fill again
 * are left out, and whatever is left out is named.
 */
import type { Stats } from 'node:fs'
import { lstat, opendir, stat } from 'node:fs/promises'
import type { Folders } from '../process/folders.ts'
import { toText, type RawName } from './raw-name.ts'

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
  /** It may well be work. */
  missed?: true
}

export interface Walked {
  found: Found[]
  leftOut: LeftOut[]
  /** Why not everything was looked at. */
  stopped?: string
}

export interface Bounds {
  files: number
  entries: number
  /** Of `performance.now()`. */
  endsAt: number
  /** Why a whole folder stays out, by its device and inode. */
  skip: ReadonlyMap<string, string>
}

interface Walk extends Walked {
  folders: Folders
  bounds: Bounds
  seen: number
  /** Folders to look at. */
  pending: RawName[]
}

export async function walk(folders: Folders, bounds: Bounds): Promise<Walked> {
  const given: Walk = { folders, bounds, found: [], leftOut: [], seen: 0, pending: [''] }
  for (let folder = given.pending.pop(); folder !== undefined; folder = given.pending.pop()) {
    const stopped = await visit(given, folder)
    if (stopped === undefined) continue
    for (const path of [folder, ...given.pending]) leave(given, path, { why: stopped, missed: true })
    return { ...given, stopped }
  }
  return given
}

/** Undefined where there is nothing to save. */
export function foundAt(path: RawName, stats: Stats): Found | undefined {
  if (!stats.isFile() && !stats.isSymbolicLink()) return undefined
  const { size: bytes, mode, mtimeMs: changedWallAt } = stats
  return { path, isLink: stats.isSymbolicLink(), bytes, mode: mode & 0o777, changedWallAt }
}

export function inodeOf({ dev, ino }: { dev: number; ino: number }): string {
  return `${dev}:${ino}`
}

/** Why the walk ends here, if it does. */
async function visit(given: Walk, folder: RawName): Promise<string | undefined> {
  const { folders, bounds } = given
  try {
    const at = await folders.at(folder)
    const whyNot = await whyLeftOut(at, bounds)
    if (whyNot !== undefined && folder !== '') {
      leave(given, folder, { why: whyNot })
      return undefined
    }
    // One character per byte; its own handle stays open while others are opened.
    for await (const entry of await opendir(at, { encoding: 'latin1' })) {
      given.seen += 1
      if (given.seen > bounds.entries) return `there are more than ${bounds.entries} files and folders`
      if (performance.now() > bounds.endsAt) return 'looking through the workspace took too long'
      await take(given, at, { folder, name: entry.name })
    }
  } catch (error) {
    leave(given, folder, { why: `it could not be read (${(error as NodeJS.ErrnoException).code})`, missed: true })
  }
  return undefined
}

async function take(given: Walk, at: string, { folder, name }: { folder: RawName; name: RawName }): Promise<void> {
  const { found, bounds } = given
  const path = folder === '' ? name : `${folder}/${name}`
  if (name === '.git') return leave(given, path, { why: 'what git keeps stays where it is' })
  let stats
  try {
    stats = await lstat(Buffer.from(`${at}/${name}`, 'latin1'))
  } catch (error) {
    const why = `it could not be looked at (${(error as NodeJS.ErrnoException).code})`
    return leave(given, path, { why, missed: true })
  }
  if (stats.isDirectory()) {
    if (FILLED.includes(name)) leave(given, path, { why: FILLED_AGAIN })
    else given.pending.push(path)
    return
  }
  const one = foundAt(path, stats)
  if (one === undefined) leave(given, path, { why: 'it is neither a file nor a link' })
  else if (found.length >= bounds.files) {
    leave(given, path, { why: `the snapshot is full (limit ${bounds.files} files)`, missed: true })
  } else found.push(one)
}

const FILLED = ['node_modules', '__pycache__', '.cache']
const FILLED_AGAIN = 'its program can fill it again'
/** Beside the files of a folder that its program can make anew: a cache, and a Python environment. */
const MARKS = ['CACHEDIR.TAG', 'pyvenv.cfg']

async function whyLeftOut(at: string, { skip }: Bounds): Promise<string | undefined> {
  const skipped = skip.get(inodeOf(await stat(at)))
  if (skipped !== undefined) return skipped
  const marks = await Promise.all(MARKS.map((mark) => lstat(`${at}/${mark}`).catch(() => undefined)))
  return marks.some((mark) => mark !== undefined) ? FILLED_AGAIN : undefined
}

function leave({ leftOut }: Walk, path: RawName, about: Omit<LeftOut, 'path'>): void {
  leftOut.push({ path: toText(path) || '.', ...about })
}
