/** Whether the client's trust dialog would appear. Its default answer is «No, exit», so a stray Enter ends the agent. */
import { realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { readSmall } from '../process/read-small.ts'
import { fieldsOf, type Fields } from './hook-body.ts'

/**
 * In a repository its main root counts, or the folder itself where that is a linked worktree; elsewhere any folder
 * above. `state` is what `.claude.json` holds.
 */
export async function isTrusted(workspace: string, state: Fields): Promise<boolean> {
  const folder = await realpath(workspace)
  const projects = fieldsOf(state['projects'])
  const trusted = (path: string) => fieldsOf(projects[path])['hasTrustDialogAccepted'] === true
  const roots = await rootsOf(folder)
  return (roots ?? above(folder)).some(trusted)
}

/** Where the dialog is best answered: for a worktree in its main repository, which counts for all others too. */
export async function folderToTrust(workspace: string): Promise<string> {
  const folder = await realpath(workspace)
  return (await rootsOf(folder))?.at(-1) ?? folder
}

/** The roots of the worktree and of its main repository; undefined outside a repository. */
async function rootsOf(folder: string): Promise<readonly string[] | undefined> {
  for (const root of above(folder)) {
    const git = join(root, '.git')
    const found = await stat(git).catch(() => undefined)
    if (found === undefined) continue
    return found.isDirectory() ? [root] : [root, ...(await mainRootOf(root, git))]
  }
  return undefined
}

/** A linked worktree's `.git` is a file: «gitdir: /main/.git/worktrees/name». */
async function mainRootOf(root: string, git: string): Promise<readonly string[]> {
  const folder = /^gitdir:\s*(.+)$/m.exec((await readSmall(git)) ?? '')?.[1]
  if (folder === undefined) return []
  const main = /^(.*)\/\.git\/worktrees\/[^/]+$/.exec(resolve(root, folder.trim()))?.[1]
  return main === undefined ? [] : [main]
}

function above(folder: string): readonly string[] {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...above(parent)]
}
