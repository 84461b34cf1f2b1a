/** Starts a program that goes on beside us and speaks to us. Never by a shell, and it never keeps us alive. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Socket } from 'node:net'

export interface StartOptions {
  /** The whole environment of the program. */
  env: Readonly<Record<string, string>>
  onLine?: (line: string) => void
  /** What it prints, byte for byte, instead of lines of text. */
  onBytes?: (chunk: Buffer) => void
  /** Once, when it is over, also when it could not be started; nothing is heard of it afterwards. */
  onEnd: () => void
}

export interface Started {
  write: (text: string) => void
  /** Kills it; resolves when it is gone. */
  stop: () => Promise<void>
}

export function start(argv: readonly string[], { env, onLine, onBytes, onEnd }: StartOptions): Started {
  const [program = '', ...args] = argv
  const child = spawn(program, args, { shell: false, stdio: ['pipe', 'pipe', 'ignore'], env: { ...env } })
  const over = Promise.withResolvers<void>()
  child.once('error', () => over.resolve())
  child.once('close', () => over.resolve())
  // Its end is told by `close`; a pipe that breaks a moment earlier says nothing more.
  child.stdin.on('error', () => undefined)
  if (onLine !== undefined) createInterface({ input: child.stdout }).on('line', onLine)
  else child.stdout.on('data', onBytes ?? (() => undefined))
  void over.promise.then(onEnd)
  child.unref()
  for (const pipe of [child.stdin, child.stdout]) (pipe as unknown as Socket).unref()
  return {
    write: (text) => child.stdin.write(text),
    stop: () => {
      child.ref()
      child.kill('SIGKILL')
      return over.promise
    },
  }
}
