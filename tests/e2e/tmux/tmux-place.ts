/** A tmux server of its own for one test, in a folder of its own, and programs to run in it. */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { TmuxTerminal } from '../../../src/adapters/tmux/tmux-terminal.ts'
import type { Handle, Launch } from '../../../src/core/ports.ts'

/** Takes everything raw, as an agent's own program does, shows it and keeps it. */
const RECORDER = String.raw`stty raw -echo; printf '\033[?2004hready\r\n'; exec tee "$1"`

export class TmuxPlace {
  readonly folder = mkdtempSync(join(tmpdir(), 'cloister-tmux-'))
  readonly homeId = `test-${randomBytes(6).toString('hex')}`
  readonly socket = `cloister-${this.homeId}`
  readonly environment = { TMUX_TMPDIR: this.folder, HOME: this.folder, SHELL: '/bin/sh' }
  readonly #opened: TmuxTerminal[] = []

  async open(options: { timeoutMs?: number; environment?: Record<string, string> } = {}): Promise<TmuxTerminal> {
    const { environment, ...rest } = options
    const { homeId } = this
    const terminal = new TmuxTerminal({ homeId, environment: { ...this.environment, ...environment }, ...rest })
    this.#opened.push(terminal)
    return terminal
  }

  launch(handle: Handle): Launch {
    return { argv: ['/bin/sh', '-c', RECORDER, 'recorder', this.#recordOf(handle)], cwd: this.folder, env: {} }
  }

  async ready(handle: Handle): Promise<void> {
    await vi.waitFor(() => {
      if (!existsSync(this.#recordOf(handle))) throw new Error(`${handle.agent} has not come up`)
    }, 10_000)
  }

  /** What came, without the marks around a paste, and with Enter as a line end. */
  async received(handle: Handle): Promise<string> {
    return this.raw(handle)
      .toString('utf8')
      .replaceAll('\u001b[200~', '')
      .replaceAll('\u001b[201~', '')
      .replaceAll('\r', '\n')
  }

  raw(handle: Handle): Buffer {
    return readFileSync(this.#recordOf(handle))
  }

  async crash(handle: Handle): Promise<number> {
    process.kill(this.pidOf(handle), 'SIGKILL')
    return 137
  }

  pidOf({ run }: Handle): number {
    const lines = this.tmux('list-panes', '-a', '-F', '#{@cloister_run} #{pane_pid}').split('\n')
    const pid = lines.find((line) => line.startsWith(`${run} `))?.split(' ')[1]
    if (pid === undefined) throw new Error(`no pane of ${run}`)
    return Number(pid)
  }

  serverPid(): number {
    return Number(this.tmux('display-message', '-p', '#{pid}'))
  }

  /** What a person could do by hand. */
  tmux(...args: string[]): string {
    return execFileSync('tmux', ['-L', this.socket, ...args], { env: this.#byHand(), encoding: 'utf8' })
  }

  async remove(): Promise<void> {
    await Promise.all(this.#opened.map((terminal) => terminal.close()))
    const options = { env: this.#byHand(), encoding: 'utf8' } as const
    const { stdout } = spawnSync('tmux', ['-N', '-L', this.socket, 'display-message', '-p', '#{pid}'], options)
    // Killed, not asked: it would wait for a client that hangs. The panes end with their terminals.
    if (Number(stdout) > 1) process.kill(Number(stdout), 'SIGKILL')
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }

  #recordOf({ run }: Handle): string {
    return join(this.folder, `${run}.record`)
  }

  #byHand(): Record<string, string> {
    return { PATH: process.env['PATH'] ?? '/usr/bin:/bin', TERM: 'xterm', ...this.environment }
  }
}
