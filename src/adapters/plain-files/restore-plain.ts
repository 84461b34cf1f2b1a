/**
 * Brings plain files back, byte for byte, and compares every one of them afterwards. All that was asked for is written
 * or nothing; a file with other content is replaced only by force, and saved before that.
 */
import { randomUUID } from 'node:crypto'
import { chmod, lstat, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { RestoreRequest, Restored } from '../../core/git-port.ts'
import { Elsewhere, Folders } from '../process/folders.ts'
import { copyFile, copyLink, hashFile, hashLink } from './copy.ts'
import { rawOf, readPlain, type PlainSnapshot, type SavedFile } from './list-file.ts'
import { parentOf, toRaw, toText, type RawName } from './raw-name.ts'
import { savePlain } from './save-plain.ts'

export interface PlainRestore extends RestoreRequest {
  home: string
  /** Into this folder instead of the workspace. */
  into?: string | undefined
  wallAt: number
}

export interface PlainRestored extends Restored {
  folder: string
  verified: number
  notes: readonly string[]
}

export async function restorePlain(request: PlainRestore): Promise<PlainRestored> {
  const snapshot = await readPlain(request.home, request.ref)
  const folder = await targetOf(request)
  const files = choose(request, snapshot)
  const sorted = await sortTargets(folder, files, request.force === true)
  const { notes } = snapshot
  const result = { folder, written: [], same: sorted.same, refused: sorted.refused, deleted: [], verified: 0, notes }
  if (sorted.refused.length > 0) return result
  const savedFirst = await saveFirst(request, { snapshot, folder, lost: sorted.lost })
  await writeAll(snapshot, folder, sorted.write)
  await verify(folder, files)
  return {
    ...result,
    written: sorted.write.map(({ path }) => path),
    verified: files.length,
    ...(savedFirst === undefined ? {} : { savedFirst }),
  }
}

async function targetOf({ into, workspace, place, force }: PlainRestore): Promise<string> {
  if (into === undefined) return workspaceOf(workspace, place)
  const folder = resolve(into)
  await mkdir(folder, { recursive: true })
  if (force !== true && (await readdir(folder)).length > 0) {
    throw new Error(`${folder} is not empty. Name a new or an empty folder, or add --force to write into this one.`)
  }
  return realpath(folder)
}

/** The folder that the agent was started in, and no other. */
async function workspaceOf(workspace: string, place: string | undefined): Promise<string> {
  const remedy = 'Make it again, or name another folder to write to with --into.'
  try {
    const folder = place ?? (await realpath(workspace))
    await using _ = await Folders.open(folder)
    return folder
  } catch (error) {
    const instead = error instanceof Elsewhere ? ` (${error.message})` : ''
    throw new Error(`The workspace ${workspace} is gone${instead}. ${remedy}`, { cause: error })
  }
}

function choose({ paths }: PlainRestore, { ref, list }: PlainSnapshot): SavedFile[] {
  const roots = paths?.map((path) => toRaw(path.replace(/^\.\//, '').replace(/\/+$/, '')))
  const isChosen = (path: RawName) =>
    roots === undefined || roots.some((root) => root === path || path.startsWith(`${root}/`) || root === '.')
  const files = list.files.filter((file) => isChosen(rawOf(file)))
  if (roots !== undefined && files.length === 0) {
    throw new Error(`The snapshot ${ref} holds nothing under ${paths?.join(', ')}.`)
  }
  return files
}

interface Targets {
  write: SavedFile[]
  same: string[]
  refused: { path: string; why: string }[]
  /** Written over. */
  lost: RawName[]
}

async function sortTargets(folder: string, files: readonly SavedFile[], force: boolean): Promise<Targets> {
  await using folders = await Folders.open(folder)
  const targets: Targets = { write: [], same: [], refused: [], lost: [] }
  for (const file of files) {
    const refuse = (why: string) => void targets.refused.push({ path: file.path, why })
    const there = await stateOf(folders, file)
    if (there === 'missing') targets.write.push(file)
    else if (there === 'same') targets.same.push(file.path)
    else if (there !== 'other') refuse(there)
    else if (!force) refuse('the file there has other content')
    else {
      targets.write.push(file)
      targets.lost.push(rawOf(file))
    }
  }
  return targets
}

/** Else what stands in the way. */
async function stateOf(folders: Folders, file: SavedFile): Promise<'missing' | 'same' | 'other' | (string & {})> {
  const path = rawOf(file)
  // Writing through a link would hit something else.
  for (const parent of parentsOf(path)) {
    const stats = await lookAt(folders, parent)
    if (stats === undefined) return 'missing'
    if (!stats.isDirectory()) return `${toText(parent)} is in the way`
  }
  const stats = await lookAt(folders, path)
  if (stats === undefined) return 'missing'
  if (!stats.isFile() && !stats.isSymbolicLink()) return 'something that is no file is in the way'
  return (await isEqual(folders, file)) ? 'same' : 'other'
}

/** The outermost first. */
function parentsOf(path: RawName): RawName[] {
  const parent = parentOf(path)
  return parent === '' ? [] : [...parentsOf(parent), parent]
}

async function isEqual(folders: Folders, file: SavedFile): Promise<boolean> {
  const source = { folders, path: rawOf(file) }
  const stats = await lookAt(folders, source.path)
  if (stats === undefined || stats.isSymbolicLink() !== (file.link === true)) return false
  if (file.link === true) return (await hashLink(source)) === file.sha256
  if (!stats.isFile() || (stats.mode & 0o100) !== (file.mode & 0o100)) return false
  return stats.size === file.bytes && (await hashFile(source)) === file.sha256
}

async function lookAt(folders: Folders, path: RawName) {
  try {
    return await lstat(await folders.entry(path))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

interface Loss {
  snapshot: PlainSnapshot
  folder: string
  lost: readonly RawName[]
}

async function saveFirst(
  { home, agent, wallAt }: PlainRestore,
  { snapshot, folder, lost }: Loss,
): Promise<string | undefined> {
  if (lost.length === 0) return undefined
  const { generation } = snapshot
  const limits = { totalBytes: Infinity, files: Infinity, entries: Infinity, timeMs: Infinity }
  const what = { generation, workspace: folder, place: folder, only: new Set(lost), replaced: true } as const
  const saved = await savePlain({ home, agent, ...what, limits, wallAt })
  const kept = typeof saved === 'object' && 'ref' in saved ? await readPlain(home, saved.ref) : undefined
  if (kept?.files !== lost.length) {
    throw new Error(`What would be replaced in ${folder} could not be saved first; nothing was written.`)
  }
  return kept.ref
}

async function writeAll({ folder: from }: PlainSnapshot, folder: string, files: readonly SavedFile[]): Promise<void> {
  if (files.length === 0) return
  await using source = await Folders.open(await realpath(join(from, 'files')))
  await using target = await Folders.open(folder)
  for (const file of files) await write(source, target, file)
}

/** Beside its place first, under a name that nobody else has, so that a file is there whole or as it was. */
async function write(source: Folders, target: Folders, file: SavedFile): Promise<void> {
  const path = rawOf(file)
  const to = await target.entry(path, true)
  const beside = await target.entry(`${path.slice(0, path.lastIndexOf('/') + 1)}.cloister-${randomUUID()}`)
  const from = { folders: source, path }
  try {
    if (file.link === true) await copyLink(from, beside)
    else {
      await copyFile(from, beside, Infinity)
      await chmod(beside, file.mode)
    }
    await rename(beside, to)
  } catch (error) {
    // A file of that name that was there before would have kept us from making it.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') await rm(beside, { force: true })
    throw error
  }
}

async function verify(folder: string, files: readonly SavedFile[]): Promise<void> {
  await using folders = await Folders.open(folder)
  const wrong: string[] = []
  for (const file of files) if (!(await isEqual(folders, file))) wrong.push(file.path)
  if (wrong.length === 0) return
  throw new Error(
    `${wrong.length} of ${files.length} files in ${folder} are not what the snapshot holds (${wrong.slice(0, 5).join(', ')}). ` +
      'Somebody else may write there: stop that, and run it again.',
  )
}
