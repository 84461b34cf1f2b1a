/** Starts real process trees from small sh scripts, tells which of their processes live, and ends what is left. */
import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { lives, readStat } from '../../../src/adapters/process/proc-stat.ts'

export interface Proc {
  pid: number
  startedAt: number
}

/** Scripts say `say $pid` for each process that the test is to know of. */
const PRELUDE = 'say() { echo "$1" >&3; }\n'

export class Trees {
  readonly #started: Proc[] = []
  readonly #folders: string[] = []

  home(): { home: string; homeId: string } {
    const home = mkdtempSync(join(tmpdir(), 'cloister-processes-'))
    this.#folders.push(home)
    const homeId = `t${randomBytes(6).toString('hex')}`
    writeFileSync(join(home, 'home.id'), `${homeId}\n`)
    return { home, homeId }
  }

  /** Starts a tagged tree in a session of its own, as a pane does; resolves when the script has said `count` pids. */
  async start(tag: string | undefined, script: string, count: number): Promise<Proc[]> {
    const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', ...(tag === undefined ? {} : { CLOISTER_RUN: tag }) }
    const child = spawn('sh', ['-c', PRELUDE + script], {
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
      env,
    })
    child.on('error', () => {})
    const pids = await said(child, count)
    return [child.pid ?? 0, ...pids].map((pid) => this.know(pid))
  }

  /** A process that a tree started later, to be ended with the rest. */
  know(pid: number): Proc {
    const proc = identify(pid)
    this.#started.push(proc)
    return proc
  }

  async remove(): Promise<void> {
    for (const proc of this.#started) if (lives(proc)) process.kill(proc.pid, 'SIGKILL')
    await vi.waitFor(() => {
      if (this.#started.some(lives)) throw new Error('a process of the test still lives')
    })
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true })
  }
}

/** Numbers that the child says on its fourth file, one per line. */
function said(child: ChildProcess, count: number): Promise<number[]> {
  const { promise, resolve, reject } = Promise.withResolvers<number[]>()
  let text = ''
  const pipe = child.stdio[3]
  const check = () => {
    const lines = text.split('\n').slice(0, -1)
    if (lines.length >= count) resolve(lines.map(Number))
  }
  pipe?.on('data', (bytes: Buffer) => {
    text += bytes.toString()
    check()
  })
  pipe?.on('close', () => reject(new Error(`the script said only: ${text}`)))
  check()
  return promise
}

function identify(pid: number): Proc {
  const stat = readStat(pid)
  if (stat === undefined) throw new Error(`process ${pid} ended before the test began`)
  return { pid, startedAt: stat.startedAt }
}
