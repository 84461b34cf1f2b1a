/**
 * Brings plain files back, byte for byte, and compares every one of them afterwards. All that was asked for is written
 * or nothing; a file with other content is replaced only by force, and saved before that.
 */
import { chmod, lstat, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { RestoreRequest, Restored } from '../../core/git-port.ts'
import { copyFile, copyLink, hashFile, hashLink, makeParent } from './copy.ts'
import { rawOf, readPlain, type PlainSnapshot, type SavedFile } from './list-file.ts'
import { onDisk, parentOf, toRaw, toText, type RawName } from './raw-name.ts'
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
  const savedFirst = request.into === undefined ? await saveFirst(request, folder, sorted.lost) : undefined
  for (const file of sorted.write) await write(snapshot, folder, file)
  await verify(folder, files)
  return {
    ...result,
    written: sorted.write.map(({ path }) => path),
    verified: files.length,
    ...(savedFirst === undefined ? {} : { savedFirst }),
  }
}

async function targetOf({ into, workspace, force }: PlainRestore): Promise<string> {
  if (into === undefined) {
    return realpath(workspace).catch((error: unknown) => {
      const remedy = 'Make it again, or name another folder to write to with --into.'
      throw new Error(`The workspace ${workspace} is gone. ${remedy}`, { cause: error })
    })
  }
  const folder = resolve(into)
  await mkdir(folder, { recursive: true })
  if (force !== true && (await readdir(folder)).length > 0) {
    throw new Error(`${folder} is not empty. Name a new or an empty folder, or add --force to write into this one.`)
  }
  return realpath(folder)
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
  const targets: Targets = { write: [], same: [], refused: [], lost: [] }
  for (const file of files) {
    const refuse = (why: string) => void targets.refused.push({ path: file.path, why })
    const there = await stateOf(folder, file)
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
async function stateOf(folder: string, file: SavedFile): Promise<'missing' | 'same' | 'other' | (string & {})> {
  const path = rawOf(file)
  // Writing through a link would hit something else.
  for (let parent = parentOf(path); parent !== ''; parent = parentOf(parent)) {
    const stats = await lookAt(folder, parent)
    if (stats !== undefined && !stats.isDirectory()) return `${toText(parent)} is in the way`
  }
  const stats = await lookAt(folder, path)
  if (stats === undefined) return 'missing'
  if (!stats.isFile() && !stats.isSymbolicLink()) return 'something that is no file is in the way'
  return (await isEqual(folder, file)) ? 'same' : 'other'
}

async function isEqual(folder: string, file: SavedFile): Promise<boolean> {
  const path = rawOf(file)
  const stats = await lookAt(folder, path)
  if (stats === undefined || stats.isSymbolicLink() !== (file.link === true)) return false
  if (file.link === true) return (await hashLink(folder, path)) === file.sha256
  if (!stats.isFile() || (stats.mode & 0o100) !== (file.mode & 0o100)) return false
  return stats.size === file.bytes && (await hashFile(folder, path)) === file.sha256
}

async function lookAt(folder: string, path: RawName) {
  try {
    return await lstat(onDisk(folder, path))
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

async function saveFirst(request: PlainRestore, folder: string, lost: readonly RawName[]): Promise<string | undefined> {
  if (lost.length === 0) return undefined
  const { home, agent, ref, wallAt } = request
  const { generation } = await readPlain(home, ref)
  const limits = { totalBytes: Infinity, files: Infinity, timeMs: Infinity }
  const what = { generation, workspace: folder, only: new Set(lost), replaced: true } as const
  const saved = await savePlain({ home, agent, ...what, limits, wallAt })
  const kept = saved === 'clean' ? undefined : await readPlain(home, saved.ref)
  if (kept?.files !== lost.length) {
    throw new Error(`What would be replaced in ${folder} could not be saved first; nothing was written.`)
  }
  return kept.ref
}

/** Beside its place first, so that a file is there whole or as it was. */
async function write({ folder: from }: PlainSnapshot, folder: string, file: SavedFile): Promise<void> {
  const path = rawOf(file)
  const to = onDisk(folder, path)
  const beside = onDisk(folder, `${path}.cloister-new`)
  await makeParent(to, 0o777)
  await rm(beside, { force: true })
  const source = { folder: join(from, 'files'), path }
  if (file.link === true) await copyLink(source, beside)
  else {
    await copyFile(source, beside, Infinity)
    await chmod(beside, file.mode)
  }
  await rename(beside, to)
}

async function verify(folder: string, files: readonly SavedFile[]): Promise<void> {
  const wrong: string[] = []
  for (const file of files) if (!(await isEqual(folder, file))) wrong.push(file.path)
  if (wrong.length === 0) return
  throw new Error(
    `${wrong.length} of ${files.length} files in ${folder} are not what the snapshot holds (${wrong.slice(0, 5).join(', ')}). ` +
      'Somebody else may write there: stop that, and run it again.',
  )
}
