/** Starts a program that outlives this one: in a session of its own, without a terminal, its words going to a log file. */
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

export interface Detached {
  pid: number
  /** Settles when it ended, as long as this process lives to see it. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

export interface DetachedOptions {
  argv: readonly string[]
  env: Readonly<Record<string, string>>
  cwd: string
  /** Both outputs are added to its end. */
  log: string
}

/** Rejects when it cannot be started. Never by a shell: each argument arrives as it is. */
export function startDetached({ argv, env, cwd, log }: DetachedOptions): Promise<Detached> {
  const [program = '', ...args] = argv
  const words = openSync(log, 'a', 0o600)
  const { promise, resolve, reject } = Promise.withResolvers<Detached>()
  const child = spawn(program, args, {
    shell: false,
    detached: true,
    cwd,
    env: { ...env },
    stdio: ['ignore', words, words],
  })
  closeSync(words)
  const ended = new Promise<Awaited<Detached['ended']>>((done) => {
    child.once('exit', (code, signal) => done({ code, signal }))
  })
  child.once('error', (error) =>
    reject(new Error(`${program} could not be started: ${error.message}`, { cause: error })),
  )
  child.once('spawn', () => {
    // Whoever waits here may leave without it.
    child.unref()
    resolve({ pid: child.pid ?? 0, ended })
  })
  return promise
}
