/** Whether dist is up to date, as ./pan asks it: nothing that it is made of is newer than dist/.built. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const SOURCES = ['src', 'dashboard', 'scripts/build.ts', 'package-lock.json']

/** What is newer than the last build; undefined when nothing is. */
export function newerThanBuild(root: string): string | undefined {
  const builtAt = changedAt(join(root, 'dist/.built'))
  if (builtAt === undefined) return 'The project'
  return SOURCES.map((path) => newest(root, path, builtAt)).find((path) => path !== undefined)
}

function newest(root: string, path: string, builtAt: number): string | undefined {
  const stats = statSync(join(root, path), { throwIfNoEntry: false })
  if (stats === undefined || /\.test\.tsx?$/.test(path)) return undefined
  if (!stats.isDirectory()) return stats.mtimeMs > builtAt ? path : undefined
  for (const name of readdirSync(join(root, path))) {
    const found = newest(root, join(path, name), builtAt)
    if (found !== undefined) return found
  }
  return undefined
}

function changedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}
