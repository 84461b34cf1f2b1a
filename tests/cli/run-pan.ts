/** `pan` as a person would run it: a process of its own, on a home in the temporary folder. */
import { execFile } from 'node:child_process'
import { COMPILE_CACHE, built } from '../programs.ts'

const MAIN = built('cli/main')

export interface Ran {
  code: number
  out: string
  err: string
}

export interface Surroundings {
  home: string
  env?: Record<string, string>
  /** Which file is the CLI's main file. */
  main?: string
  cwd?: string
  /** What it reads. */
  input?: string
}

/** One that spins is ended, so that it does not outlive its test. */
const LONGEST_MS = 60_000

export function runPan(
  args: readonly string[],
  { home, env = {}, main = MAIN, cwd = '/', input = '' }: Surroundings,
): Promise<Ran> {
  const clean = {
    ...COMPILE_CACHE,
    PATH: process.env['PATH'],
    HOME: home,
    PANOPTICON_HOME: home,
    TZ: 'UTC',
    COLUMNS: '80',
    ...env,
  }
  return new Promise((resolve) => {
    const limit = { timeout: LONGEST_MS, killSignal: 'SIGKILL' } as const
    const child = execFile(process.execPath, [main, ...args], { env: clean, cwd, ...limit }, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), out, err })
    })
    // It may have ended without reading anything.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
  })
}
