/** Files that matter although git ignores them: an agent's plan, its hand-offs and its local notes. */
import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { onDisk, toText, type RawPath } from './raw-path.ts'

export interface Found {
  paths: RawPath[]
  notes: string[]
}

const FOLDERS = ['.planning', '.bmad/handoffs']
const FILES = /^(STATE|CLAUDE\.local|handoff([-_.].*)?)\.md$/i
const MAX_FILES = 2_000

/** At the root of the worktree, and at the workspace where that is a folder inside it. */
export async function findPrecious(top: string, prefix: RawPath): Promise<Found> {
  const found: Found = { paths: [], notes: [] }
  for (const base of new Set(['', prefix])) {
    for (const folder of FOLDERS) await walk(top, base + folder, found)
    for (const entry of await list(top, base)) {
      const name = entry.name.toString('latin1')
      if (FILES.test(name) && (entry.isFile() || entry.isSymbolicLink())) found.paths.push(base + name)
    }
  }
  return found
}

/** All files under a folder, without asking git. */
export async function walkFolder(folder: string): Promise<Found> {
  const found: Found = { paths: [], notes: [] }
  await walk(folder, '', found)
  return found
}

async function walk(top: string, folder: RawPath, found: Found): Promise<void> {
  for (const entry of await list(top, folder)) {
    const name = entry.name.toString('latin1')
    const path = folder === '' ? name : `${folder}/${name}`
    if (found.paths.length >= MAX_FILES) {
      found.notes.push(`${toText(folder)}/ holds more than ${MAX_FILES} files; the rest was left out.`)
      return
    }
    if (entry.isDirectory()) {
      if (name !== '.git') await walk(top, path, found)
    } else if (entry.isFile() || entry.isSymbolicLink()) found.paths.push(path)
  }
}

async function list(top: string, folder: RawPath): Promise<Dirent<Buffer>[]> {
  try {
    // A folder that is a link leads out of the workspace; the link itself is saved as any other file.
    if (!(await lstat(onDisk(top, folder))).isDirectory()) return []
    return await readdir(onDisk(top, folder), { withFileTypes: true, encoding: 'buffer' })
  } catch {
    return []
  }
}
