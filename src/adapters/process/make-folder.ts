/**
 * Makes a folder with all that lead to it. Not by mkdir's own `recursive`: where the kernel answers ENOENT for a folder
 * whose parent is there, as in /proc, Node 24 tries for ever, at full load.
 */
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

export function makeFolder(path: string, mode: number): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return
  if (dirname(path) !== path) makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    // Another program may have been faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw error
  }
}
