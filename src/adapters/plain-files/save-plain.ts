/**
 * Saves the files of a workspace into a new folder `<home>/salvage/<agent>/<generation>-<n>`, the newest first, within
 * its limits; the workspace is only read. A snapshot is there whole or not at all.
 */
import { lstat, mkdir, mkdtemp, readdir, realpath, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { agentId } from '../../contract/ids.ts'
import type { PlainSaved, SalvageRequest } from '../../core/git-port.ts'
import { Elsewhere, Folders } from '../process/folders.ts'
import { copyFile, copyLink } from './copy.ts'
import {
  contentOf,
  isPlain,
  namesOf,
  numberIn,
  readPlain,
  writeList,
  type ListFile,
  type SavedFile,
} from './list-file.ts'
import { onDisk, toText, type RawName } from './raw-name.ts'
import { foundAt, inodeOf, walk, type Found, type LeftOut, type Walked } from './walk.ts'

export interface Limits {
  totalBytes: number
  files: number
  /** Files and folders that are looked at. */
  entries: number
  timeMs: number
}

export const LIMITS: Limits = { totalBytes: 1024 * 1024 * 1024, files: 50_000, entries: 500_000, timeMs: 30_000 }

export interface PlainRequest extends SalvageRequest {
  home: string
  limits: Limits
  wallAt: number
  /** These files alone. */
  only?: ReadonlySet<RawName>
}

export async function savePlain(request: PlainRequest): Promise<PlainSaved> {
  const { home, agent } = request
  const folder = join(home, 'salvage', agentId.parse(agent))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await sweep(folder, request.wallAt)
  const unfinished = await mkdtemp(join(folder, UNFINISHED))
  try {
    const list = await fill(request, unfinished)
    if (list.files.length === 0 && list.leftOutTotal === 0) return 'clean'
    const incomplete = list.incomplete === undefined ? {} : { incomplete: list.incomplete }
    if (await isUnchanged(request, list)) return { ref: request.since ?? '', ...incomplete }
    await writeList(unfinished, list)
    return { ref: `salvage/${agent}/${await nameIt(folder, unfinished, request.generation)}`, ...incomplete }
  } catch (error) {
    if (error instanceof Elsewhere) return { gone: error.message }
    throw new Error(
      `Could not save the files of ${agent} in ${request.workspace}: ${(error as Error).message}. ` +
        `They are as they were. Make room in ${home}, or copy them by hand, then try again.`,
      { cause: error },
    )
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** What a crash left half done; one that is just being made is younger. */
async function sweep(folder: string, wallAt: number): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(UNFINISHED)) continue
    const { mtimeMs } = await stat(join(folder, name)).catch(() => ({ mtimeMs: wallAt }))
    if (mtimeMs < wallAt - OLD_MS) await rm(join(folder, name), { recursive: true, force: true })
  }
}

const UNFINISHED = '.new-'
const OLD_MS = 60 * 60_000
const NAMED = 1000

async function fill(request: PlainRequest, unfinished: string): Promise<ListFile> {
  const { agent, generation, workspace, place, limits, wallAt, only, replaced } = request
  const endsAt = performance.now() + limits.timeMs
  const top = place ?? (await realpath(workspace))
  await using folders = await Folders.open(top)
  const walked = await (only === undefined ? lookThrough(request, folders) : lookAtOnly(folders, only))
  const leftOut = [...walked.leftOut]
  const files: SavedFile[] = []
  let bytes = 0
  for (const found of walked.found.toSorted((a, b) => b.changedWallAt - a.changedWallAt)) {
    const left = limits.totalBytes - bytes
    const saved =
      performance.now() > endsAt ? 'there was no more time' : await saveOne({ folders, unfinished, left }, found)
    if (typeof saved === 'string') leftOut.push({ path: toText(found.path), why: saved, missed: true })
    else {
      files.push(saved)
      bytes += saved.bytes
    }
  }
  const incomplete = whyIncomplete(walked, leftOut)
  return {
    ...{ version: 1, agent, generation, savedWallAt: wallAt, workspace: top, bytes },
    files: files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    leftOut: leftOut.slice(0, NAMED).map(({ path, why }) => ({ path, why })),
    leftOutTotal: leftOut.length,
    ...(incomplete === undefined ? {} : { incomplete }),
    ...(replaced === undefined ? {} : { replaced }),
  }
}

async function lookThrough({ home, limits }: PlainRequest, folders: Folders): Promise<Walked> {
  // A workspace may well be a folder around the home.
  const skip = new Map([[inodeOf(await stat(home)), 'it is the home of Cloister']])
  // What was found by then is still copied.
  const endsAt = performance.now() + limits.timeMs / 2
  return walk(folders, { files: limits.files, entries: limits.entries, endsAt, skip })
}

async function lookAtOnly(folders: Folders, only: ReadonlySet<RawName>): Promise<Walked> {
  const walked: Walked = { found: [], leftOut: [] }
  for (const path of only) {
    const found = foundAt(path, await lstat(await folders.entry(path)))
    if (found === undefined) walked.leftOut.push({ path: toText(path), why: 'it is neither a file nor a link' })
    else walked.found.push(found)
  }
  return walked
}

function whyIncomplete({ stopped }: Walked, leftOut: readonly LeftOut[]): string | undefined {
  const missed = leftOut.filter((one) => one.missed === true)
  const [first] = missed
  if (stopped !== undefined || first === undefined) return stopped
  const what = missed.length === 1 ? '1 file or folder' : `${missed.length} files and folders`
  const name = first.path.length > LONGEST ? `${first.path.slice(0, LONGEST)}…` : first.path
  return `${what} left out, such as ${name}: ${first.why}`.slice(0, 3 * LONGEST)
}

const LONGEST = 100

interface Place {
  folders: Folders
  unfinished: string
  /** How many bytes may still be taken. */
  left: number
}

/** Or why not. */
async function saveOne(
  { folders, unfinished, left }: Place,
  { path, isLink, bytes, mode }: Found,
): Promise<SavedFile | string> {
  const full = 'the snapshot is full'
  if (bytes > left) return full
  const from = { folders, path }
  const to = onDisk(join(unfinished, 'files'), path)
  if (to.length > MAX_PATH) return `its path is too long to be kept (${Buffer.byteLength(path, 'latin1')} bytes)`
  try {
    await mkdir(Buffer.from(dirname(to.toString('latin1')), 'latin1'), { recursive: true, mode: 0o700 })
    const copied = isLink ? await copyLink(from, to) : await copyFile(from, to, left)
    if (copied === undefined) {
      await rm(to)
      return full
    }
    return { ...namesOf(path), ...copied, mode, ...(isLink ? { link: true as const } : {}) }
  } catch (error) {
    if (OURS.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    await rm(to, { force: true }).catch(() => {})
    return `it could not be read (${(error as NodeJS.ErrnoException).code ?? (error as Error).message})`
  }
}

/** What the system takes. */
const MAX_PATH = 4095

/** These are of the disk that is written to. */
const OURS = ['ENOSPC', 'EDQUOT', 'EROFS']

async function isUnchanged({ home, since }: PlainRequest, now: ListFile): Promise<boolean> {
  if (since === undefined || !isPlain(since)) return false
  const before = await readPlain(home, since).catch(() => undefined)
  return before !== undefined && contentOf(before.list) === contentOf(now)
}

const MAX_TRIES = 50

/** Somebody may take the number first; a folder that is there is never replaced, since it is not empty. */
async function nameIt(folder: string, unfinished: string, generation: number): Promise<string> {
  for (let tries = 1; ; tries += 1) {
    const taken = (await readdir(folder)).filter((name) => name.startsWith(`${generation}-`)).map(numberIn)
    const name = `${generation}-${Math.max(0, ...taken) + 1}`
    try {
      await rename(unfinished, join(folder, name))
      return name
    } catch (error) {
      const isTaken = ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')
      if (!isTaken || tries >= MAX_TRIES) throw error
    }
  }
}
