/** Runs a program on this terminal and waits for its end, such as the user's editor. */
import { spawn } from 'node:child_process'

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
}

/** Rejects when the program cannot be started. Never by a shell: each argument arrives as it is. */
export function runAttached(program: string, args: readonly string[]): Promise<Ended> {
  // Ctrl-C belongs to the program in front; dying of it here would leave that program without its parent.
  const ignore = () => undefined
  process.on('SIGINT', ignore)
  return new Promise<Ended>((done, failed) => {
    const child = spawn(program, args, { stdio: 'inherit', shell: false })
    child.once('error', failed)
    child.once('close', (code, signal) => done({ code, signal }))
  }).finally(() => process.off('SIGINT', ignore))
}
