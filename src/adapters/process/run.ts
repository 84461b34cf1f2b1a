/**
 * Runs a program to its end and gives back what it said. Never by a shell: each argument arrives as it is.
 * Rejects only when it could not be started, took too long or said too much; any exit code is an answer.
 */
import { spawn } from 'node:child_process'

export interface RunOptions {
  /** The whole environment of the program. Left out, it gets ours. */
  env?: Readonly<Record<string, string>>
  cwd?: string
  /** Given to the program as its standard input, which is empty otherwise. */
  input?: string | Uint8Array
  /** After this long it is killed and the promise rejects with a RunTimeout. */
  timeoutMs?: number
  /** More bytes than this, of both outputs together, and it is killed. */
  maxBytes?: number
}

export interface RunResult {
  /** Null when a signal ended it. */
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

/** The program did not end in time; whether it did its work cannot be told. */
export class RunTimeout extends Error {
  override readonly name = 'RunTimeout'
}

const TIMEOUT_MS = 10_000
const MAX_BYTES = 32 * 1024 * 1024

export function run(argv: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { env, cwd, input, timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options
  const [program = '', ...args] = argv
  const { promise, resolve, reject } = Promise.withResolvers<RunResult>()
  const child = spawn(program, args, {
    shell: false,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    ...(env === undefined ? {} : { env: { ...env } }),
    ...(cwd === undefined ? {} : { cwd }),
  })
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  let bytes = 0
  const giveUp = (error: Error) => {
    reject(error)
    child.kill('SIGKILL')
    // A grandchild may hold the pipes open long after the program itself is dead.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
  }
  const timer = setTimeout(() => giveUp(new RunTimeout(`${program} did not end within ${timeoutMs} ms`)), timeoutMs)
  const keep = (into: Buffer[]) => (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > maxBytes) giveUp(new Error(`${program} wrote more than ${maxBytes} bytes`))
    else into.push(chunk)
  }
  child.stdout?.on('data', keep(stdout))
  child.stderr?.on('data', keep(stderr))
  // It may end without having read its input; its exit code tells more than the broken pipe.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  child.once('error', (error) =>
    reject(new Error(`${program} could not be started: ${error.message}`, { cause: error })),
  )
  child.once('close', (code, signal) => resolve({ code, signal, stdout: text(stdout), stderr: text(stderr) }))
  return promise.finally(() => clearTimeout(timer))
}

function text(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8')
}
