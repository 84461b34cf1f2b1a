/** Starts a program that goes on beside us: fed once, listened to, ended by whoever started it. Never by a shell. */
import { spawn } from 'node:child_process'

export interface ChildOptions {
  /** Added to our own environment. */
  env?: Readonly<Record<string, string>>
  /** Instead of our own environment. */
  onlyEnv?: Readonly<Record<string, string>>
  cwd?: string
  /** Given to the program as its standard input, which is empty otherwise. */
  input?: string
  /** Keeps what it prints; otherwise its output goes nowhere, and it may outlive us. */
  listen?: boolean
  /** Keeps what it complains about, too. */
  listenToErrors?: boolean
  /** In a session of its own, and we do not wait for it when we end. */
  detached?: boolean
}

export interface ChildEnd {
  /** Null when a signal ended it, or when it could not be started. */
  code: number | null
  stdout: string
  stderr: string
  /** Why it could not be started. */
  error?: string
}

export interface Child {
  pid: number | undefined
  ended: Promise<ChildEnd>
  kill(signal: NodeJS.Signals): void
}

const MAX_CHARS = 1024 * 1024

export function startChild(argv: readonly string[], options: ChildOptions = {}): Child {
  const { env, onlyEnv, cwd, input, listen = false, listenToErrors = false, detached = false } = options
  const [program = '', ...args] = argv
  const child = spawn(program, args, {
    shell: false,
    detached,
    stdio: [input === undefined ? 'ignore' : 'pipe', listen ? 'pipe' : 'ignore', listenToErrors ? 'pipe' : 'ignore'],
    ...(env === undefined ? {} : { env: { ...process.env, ...env } }),
    ...(onlyEnv === undefined ? {} : { env: { ...onlyEnv } }),
    ...(cwd === undefined ? {} : { cwd }),
  })
  const { promise: ended, resolve } = Promise.withResolvers<ChildEnd>()
  let stdout = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    stdout = (stdout + chunk).slice(0, MAX_CHARS)
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    stderr = (stderr + chunk).slice(-MAX_CHARS)
  })
  // It may end without having read its input.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  child.once('error', (error) => resolve({ code: null, stdout, stderr, error: error.message }))
  child.once(listen ? 'close' : 'exit', (code: number | null) => resolve({ code, stdout, stderr }))
  if (detached) child.unref()
  return { pid: child.pid, ended, kill: (signal) => void child.kill(signal) }
}
