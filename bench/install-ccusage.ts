/** The newest native ccusage that npm can install here, in a cache of its own outside the project. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const NAME = `@ccusage/ccusage-${process.platform}-${process.arch}`
const VERSIONS_TRIED = 6

export function installCcusage(): { program: string; version: string } {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'cloister')
  // A version may be published without the program for this machine.
  for (const version of versions().slice(0, VERSIONS_TRIED)) {
    const folder = join(cache, `ccusage-${version}`)
    const program = join(folder, 'node_modules', NAME, 'bin/ccusage')
    if (!existsSync(program)) install(folder, version)
    if (existsSync(program)) return { program, version }
  }
  throw new Error(
    `npm installs no ccusage for ${process.platform}-${process.arch}. Check that npm reaches its registry.`,
  )
}

/** Newest first. */
function versions(): string[] {
  const { stdout } = spawnSync('npm', ['view', 'ccusage', 'versions', '--json'], { encoding: 'utf8' })
  try {
    return (JSON.parse(stdout) as string[]).filter((version) => /^\d+\.\d+\.\d+$/.test(version)).toReversed()
  } catch (error) {
    throw new Error('npm does not say which versions of ccusage there are. Check that it reaches its registry.', {
      cause: error,
    })
  }
}

function install(folder: string, version: string): void {
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  const flags = ['--prefix', draft, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error']
  spawnSync('npm', ['install', ...flags, `${NAME}@${version}`], { cwd: draft })
  const program = join(draft, 'node_modules', NAME, 'bin/ccusage')
  if (existsSync(program)) {
    chmodSync(program, 0o755)
    if (!existsSync(folder)) renameSync(draft, folder)
  }
  rmSync(draft, { recursive: true, force: true })
}
