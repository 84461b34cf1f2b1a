/** A benchmark of what is shipped must not measure an old build. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { newerThanBuild } from '../scripts/built.ts'

const ROOT = join(import.meta.dirname, '..')

/** Builds dist, and says so, when a source is newer than it. */
export function ensureBuilt(): void {
  const newer = newerThanBuild(ROOT)
  if (newer === undefined) return
  process.stderr.write(`Building (${newer} is newer than dist)…\n`)
  execFileSync(process.execPath, [join(ROOT, 'scripts/build.ts')], { stdio: ['ignore', 'ignore', 'inherit'] })
}
