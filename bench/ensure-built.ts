/** Builds dist when a source is newer, as ./pan does, so that nobody measures what he has already changed. */
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const SOURCES = ['src/**/*', 'dashboard/**/*', 'scripts/build.ts', 'package-lock.json']
const OTHERS = ['**/*.test.ts', '**/*.test.tsx', '**/node_modules/**']

export function ensureBuilt(): void {
  if (isBuilt()) return
  process.stderr.write('Building dist, since a source is newer…\n')
  // What the build prints must not mix with the one line of the result.
  const { status } = spawnSync(process.execPath, [join(ROOT, 'scripts/build.ts')], { stdio: ['ignore', 2, 2] })
  if (status !== 0) throw new Error('dist could not be built: the message is above. Correct the source and run again.')
}

function isBuilt(): boolean {
  // Made before the sources are read, so that an edit during a build counts as newer.
  const stamp = join(ROOT, 'dist/.built')
  if (!existsSync(stamp)) return false
  const builtAt = statSync(stamp).mtimeMs
  const files = globSync(SOURCES, { cwd: ROOT, exclude: OTHERS })
  return files.every((file) => statSync(join(ROOT, file)).mtimeMs <= builtAt)
}
