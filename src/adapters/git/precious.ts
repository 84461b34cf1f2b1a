/** Files that matter although git ignores them: an agent's plan, its hand-offs and its local notes. */
import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { Folders } from '../process/folders.ts'
import { toText, type RawPath } from './raw-path.ts'

export interface Found {
  paths: RawPath[]
  notes: string[]
}

const FOLDERS = ['.planning', '.bmad/handoffs']
const FILES = /^(STATE|CLAUDE\.local|handoff([-_.].*)?)\.md$/i
const MAX_FILES = 2_000

/** At the root of the worktree, and at the workspace where that is a folder inside it. */
export async function findPrecious(top: string, prefix: RawPath): Promise<Found> {
  await using folders = await Folders.open(top)
  const found: Found = { paths: [], notes: [] }
  for (const base of new Set(['', prefix])) {
    for (const folder of FOLDERS) await walk(folders, base + folder, found)
    for (const entry of await list(folders, base.slice(0, -1))) {
      const { name } = entry
      if (FILES.test(name) && (entry.isFile() || entry.isSymbolicLink())) found.paths.push(base + name)
    }
  }
  return found
}

/** All files under a folder, without asking git. */
export async function walkFolder(folder: string): Promise<Found> {
  await using folders = await Folders.open(folder)
  const found: Found = { paths: [], notes: [] }
  await walk(folders, '', found)
  return found
}

async function walk(folders: Folders, folder: RawPath, found: Found): Promise<void> {
  for (const entry of await list(folders, folder)) {
    const { name } = entry
    const path = folder === '' ? name : `${folder}/${name}`
    if (found.paths.length >= MAX_FILES) {
      found.notes.push(`${toText(folder)}/ holds more than ${MAX_FILES} files; the rest was left out.`)
      return
    }
    if (entry.isDirectory()) {
      if (name !== '.git') await walk(folders, path, found)
    } else if (entry.isFile() || entry.isSymbolicLink()) found.paths.push(path)
  }
}

/** A folder that is a link leads out of the workspace; the link itself is saved as any other file. */
async function list(folders: Folders, folder: RawPath): Promise<Dirent[]> {
  try {
    return await readdir(await folders.at(folder), { withFileTypes: true, encoding: 'latin1' })
  } catch {
    return []
  }
}
