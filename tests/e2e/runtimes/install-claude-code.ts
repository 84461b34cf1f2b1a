/** The real Claude Code, pinned, installed once into a cache of ours. Nothing of the user's own client is touched. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'vitest'

const CLAUDE_CODE_VERSION = '2.1.325'

const INSTALL_MS = 180_000

/** Whoever asked for it, or has to do without it, need not wait long for a registry that does not answer. */
const NPM_FLAGS = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-timeout=30000', '--loglevel=error']

export type Installed = { program: string } | { missing: string }

let remembered: Installed | undefined

/** The path of the program, or why there is none; ./test finds it out before the tests and tells them. */
export function installClaudeCode(): Installed {
  const { CLOISTER_CLAUDE_CODE: program, CLOISTER_CLAUDE_CODE_MISSING: missing } = process.env
  if (program !== undefined) return { program }
  if (missing !== undefined) return { missing }
  return (remembered ??= install())
}

/** For one test, which is skipped where the client cannot be had. */
export function claudeCodeFor(ctx: TestContext): string {
  const installed = installClaudeCode()
  if ('program' in installed) return installed.program
  ctx.skip(true, `the client cannot be had here: ${installed.missing}`)
  throw new Error('the test is skipped')
}

function install(): Installed {
  if (process.platform !== 'linux' || (process.arch !== 'x64' && process.arch !== 'arm64')) {
    return { missing: `there is no pinned Claude Code for ${process.platform}-${process.arch}` }
  }
  const name = `@anthropic-ai/claude-code-linux-${process.arch}`
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'cloister')
  const folder = join(cache, `claude-code-${CLAUDE_CODE_VERSION}`)
  const program = join(folder, 'node_modules', name, 'claude')
  if (existsSync(program)) return { program }
  console.log(`Installing Claude Code ${CLAUDE_CODE_VERSION} once into ${folder} (about 170 MB) …`)
  removeDrafts(cache)
  // Two at once, or one cut off, must not leave half a program under the final name.
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  const flags = ['--prefix', draft, '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', ...NPM_FLAGS]
  const result = spawnSync('npm', ['install', ...flags, `${name}@${CLAUDE_CODE_VERSION}`], {
    encoding: 'utf8',
    timeout: INSTALL_MS,
    cwd: draft,
  })
  if (existsSync(join(draft, 'node_modules', name, 'claude')) && !existsSync(folder)) renameSync(draft, folder)
  rmSync(draft, { recursive: true, force: true })
  if (existsSync(program)) return { program }
  const [why = 'npm said nothing'] = [result.error?.message, ...whatNpmSaid(result.stderr)].filter(Boolean)
  return { missing: `Claude Code ${CLAUDE_CODE_VERSION} could not be installed: ${why}` }
}

/** Of those that were cut off. */
function removeDrafts(cache: string): void {
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    const [, pid] = /^claude-code-\d+\.\d+\.\d+\.(\d+)$/.exec(name) ?? []
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) rmSync(join(cache, name), { recursive: true, force: true })
  }
}

/** Its lines begin with `npm error`, some of them with nothing behind it but a code. */
function whatNpmSaid(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/^npm (error|warn) /i, '').trim())
  return lines.filter((line) => line !== '' && !/^(code|errno|syscall) /.test(line) && !line.startsWith('Unknown'))
}
