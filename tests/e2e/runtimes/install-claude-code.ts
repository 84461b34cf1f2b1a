/** The real Claude Code, pinned, installed once into a cache of ours. Nothing of the user's own client is touched. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const CLAUDE_CODE_VERSION = '2.1.325'

const INSTALL_MS = 180_000

/** The path of the program, or why there is none. */
export function installClaudeCode(): { program: string } | { missing: string } {
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) {
    return { missing: `no pinned Claude Code for ${process.platform}-${process.arch}` }
  }
  const name = `@anthropic-ai/claude-code-linux-${process.arch}`
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'cloister')
  const folder = join(cache, `claude-code-${CLAUDE_CODE_VERSION}`)
  const program = join(folder, 'node_modules', name, 'claude')
  if (existsSync(program)) return { program }
  console.log(`Installing Claude Code ${CLAUDE_CODE_VERSION} once into ${folder} (about 170 MB) …`)
  // Two at once, or one cut off, must not leave half a program under the final name.
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  const flags = ['--prefix', draft, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel=error']
  const result = spawnSync('npm', ['install', ...flags, `${name}@${CLAUDE_CODE_VERSION}`], {
    encoding: 'utf8',
    timeout: INSTALL_MS,
    cwd: draft,
  })
  if (existsSync(join(draft, 'node_modules', name, 'claude')) && !existsSync(folder)) renameSync(draft, folder)
  rmSync(draft, { recursive: true, force: true })
  if (existsSync(program)) return { program }
  const why = result.error?.message ?? result.stderr.trim().split('\n').slice(0, 3).join('; ')
  return { missing: `Claude Code ${CLAUDE_CODE_VERSION} could not be installed: ${why}` }
}
