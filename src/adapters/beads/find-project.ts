/** Where the beads of a folder are kept, found the way `bd` finds them, but without starting it. */
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readSmall } from '../process/read-small.ts'

const DEEPEST = 64

/** The folder `.beads` that counts for a workspace; undefined when there is none. */
export async function findProject(workspace: string, beadsDir: string | undefined): Promise<string | undefined> {
  if (beadsDir !== undefined && beadsDir !== '') return (await isFolder(beadsDir)) ? beadsDir : undefined
  const main = await mainRepository(workspace)
  // A linked worktree uses what the main one has; a copy that was checked out with it is a stale decoy.
  if (main !== undefined && (await isFolder(join(main, '.beads')))) return join(main, '.beads')
  for (const folder of upwards(workspace)) if (await isFolder(join(folder, '.beads'))) return join(folder, '.beads')
  return undefined
}

/** The root of the repository that a linked worktree belongs to. */
async function mainRepository(workspace: string): Promise<string | undefined> {
  for (const folder of upwards(workspace)) {
    const text = await readSmall(join(folder, '.git'))
    const [, target] = /^gitdir: (.+?)\s*$/.exec(text?.slice(0, 5000) ?? '') ?? []
    if (target !== undefined) {
      const [, common] = /^(.*)\/\.git\/worktrees\/[^/]+$/.exec(resolve(folder, target)) ?? []
      return common
    }
    if (await isFolder(join(folder, '.git'))) return undefined
  }
  return undefined
}

function upwards(workspace: string): string[] {
  const folders = [resolve(workspace)]
  while (folders.length < DEEPEST) {
    const last = folders.at(-1) ?? '/'
    if (dirname(last) === last) break
    folders.push(dirname(last))
  }
  return folders
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}
