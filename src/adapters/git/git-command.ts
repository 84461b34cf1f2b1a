/**
 * Starts git with an environment of our own: nothing inherited can point it elsewhere, it asks nobody, runs no hook,
 * and takes no lock it does not need. All calls of one undertaking share one deadline.
 */
import { run, RunTimeout } from '../process/run.ts'

export interface CallOptions {
  /** One character per byte. */
  input?: string
  /** Exit codes that are answers, not failures. */
  codes?: readonly number[]
  env?: Readonly<Record<string, string>>
}

/** Resolves with what git printed. */
export type GitCall = (args: readonly string[], options?: CallOptions) => Promise<string>

export class GitFailure extends Error {
  override readonly name = 'GitFailure'
  readonly stdout: string

  constructor(message: string, stdout: string) {
    super(message)
    this.stdout = stdout
  }
}

export interface Deadline {
  limitMs: number
  endsAt: number
}

export function deadlineIn(limitMs: number): Deadline {
  return { limitMs, endsAt: performance.now() + limitMs }
}

/** Git with these variables on top of the clean environment. */
export function gitCall(env: Readonly<Record<string, string>>, cwd: string, deadline: Deadline): GitCall {
  return async (args, options = {}) => {
    const timeoutMs = Math.ceil(deadline.endsAt - performance.now())
    if (timeoutMs <= 0) throw tooSlow(deadline)
    const result = await run(['git', ...SETTINGS, ...args], {
      cwd,
      env: { ...cleanEnvironment(), ...env, ...options.env },
      timeoutMs,
      maxBytes: MAX_BYTES,
      ...(options.input === undefined ? {} : { input: Buffer.from(options.input, 'latin1') }),
    }).catch((error: unknown) => {
      throw error instanceof RunTimeout ? tooSlow(deadline) : error
    })
    if (result.code !== null && (result.code === 0 || options.codes?.includes(result.code))) return result.stdout
    const said = result.stderr.trim().split('\n').at(-1) || `it ended with ${result.code ?? result.signal}`
    throw new GitFailure(`git ${args[0]}: ${said}`, result.stdout)
  }
}

/** Git on the repository itself; for reading it and for its refs, never for its worktree or index. */
export function repositoryCall(repository: { gitDir: string }, deadline: Deadline): GitCall {
  // Even a comparison of two trees reads the index, and fails when that is broken.
  const env = { GIT_DIR: repository.gitDir, GIT_INDEX_FILE: `${repository.gitDir}/no-such-index` }
  return gitCall(env, repository.gitDir, deadline)
}

const MAX_BYTES = 1024 * 1024 * 1024

// The repository's own settings could otherwise name programs to run.
const SETTINGS = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'core.quotePath=true']

const KEPT = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'TMPDIR', 'USER', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM']

function cleanEnvironment(): Record<string, string> {
  const kept = KEPT.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
  }
}

function tooSlow({ limitMs }: Deadline): Error {
  return new Error(`git did not finish within ${limitMs / 1000} s`)
}
