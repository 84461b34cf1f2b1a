/**
 * This home's own tmux server: its socket, its clean environment, and one way to ask it.
 * Only `boot` may start a server, and never while another one of this home still runs somewhere.
 */
import { realpathSync } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { ID_PATTERN } from '../../contract/ids.ts'
import { run, RunTimeout, type RunOptions } from '../process/run.ts'
import { findServers } from './find-servers.ts'
import { KEEPER, setupScript } from './setup-script.ts'

export interface ServerOptions {
  homeId: string
  /** Name or path of the program. */
  tmux?: string
  /** The user's variables that agents may have, on top of the few that every program needs. */
  environment?: Readonly<Record<string, string>>
  /** How long tmux may take to answer. */
  timeoutMs?: number
}

/** `absent`: there is no server, so there is no pane either. */
export type Answer = { absent: true } | { absent: false; ok: boolean; stdout: string; stderr: string }

const PASSED_ON = /^(PATH|HOME|TERM|SHELL|USER|LANG|LC_[A-Z]+|TMUX_TMPDIR)$/
const NOBODY_ANSWERS = /^(no server running on|error connecting to .* \(No such file or directory\))/m

export class TmuxServer {
  readonly homeId: string
  readonly socket: string
  readonly environment: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly #name: string
  #program: Promise<string> | undefined
  #booting: Promise<number> | undefined

  constructor({ homeId, tmux = 'tmux', environment = {}, timeoutMs = 5_000 }: ServerOptions) {
    if (!ID_PATTERN.test(homeId)) throw new Error(`«${homeId}» is not a home id, so no tmux socket is named after it.`)
    this.homeId = homeId
    this.socket = `cloister-${homeId}`
    this.environment = { ...basics(), ...environment }
    this.#name = tmux
    this.timeoutMs = timeoutMs
  }

  /** The start of every command line. `-N`: asking must never start a server. */
  async argv(): Promise<string[]> {
    return [await this.program(), '-u', '-N', '-L', this.socket, '-f', '/dev/null']
  }

  /** The whole path of tmux. */
  program(): Promise<string> {
    this.#program ??= locate(this.#name, this.environment['PATH'] ?? '')
    return this.#program
  }

  /** Where tmux keeps it: in the first folder that is there of TMUX_TMPDIR and /tmp, links resolved. */
  socketPath(): string {
    const folders = [this.environment['TMUX_TMPDIR'] ?? '', '/tmp'].map(realFolder)
    return join(folders.find((folder) => folder !== undefined) ?? '/tmp', `tmux-${process.getuid?.()}`, this.socket)
  }

  /** Throws when a server is there and cannot be asked: that says nothing about its panes. */
  async ask(args: readonly string[], options: RunOptions = {}): Promise<Answer> {
    const answer = await this.#call([...(await this.argv()), ...args], options)
    if (answer.absent) await this.#mustBeGone()
    return answer
  }

  /** Starts the server if none runs and sets it up; gives its pid. */
  boot(): Promise<number> {
    this.#booting ??= this.#boot().finally(() => {
      this.#booting = undefined
    })
    return this.#booting
  }

  /** Sets a running server up again, whichever version started it; undefined when none runs. */
  async configure(): Promise<number | undefined> {
    const answer = await this.ask(['source-file', '-'], { input: setupScript(this.homeId) })
    return answer.absent ? undefined : this.#pidOf(answer)
  }

  async #boot(): Promise<number> {
    const running = await this.configure()
    if (running !== undefined) return running
    const argv = (await this.argv()).filter((word) => word !== '-N')
    const answer = await this.#call([...argv, 'start-server', ';', 'source-file', '-'], {
      input: setupScript(this.homeId),
    })
    if (answer.absent) throw new Error(`tmux could not start a server on the socket ${this.socket}.`)
    return this.#pidOf(answer)
  }

  #pidOf({ stdout, stderr }: Extract<Answer, { absent: false }>): number {
    const pid = /^ours (\d+)$/m.exec(stdout)?.[1]
    if (pid !== undefined) return Number(pid)
    if (/^foreign$/m.test(stdout)) {
      throw new Error(
        `The tmux server on the socket ${this.socket} was not started by Cloister, so its environment is not clean. ` +
          `End it with «tmux -S ${this.socketPath()} kill-server» and try again.`,
      )
    }
    throw new Error(`tmux did not set up its session ${KEEPER} on the socket ${this.socket}: ${stderr.trim()}`)
  }

  async #call(argv: readonly string[], options: RunOptions): Promise<Answer> {
    const { code, stdout, stderr } = await this.#run(argv, options)
    if (code === 0) return { absent: false, ok: true, stdout, stderr }
    if (NOBODY_ANSWERS.test(stderr)) return { absent: true }
    if (/^(error |lost server|server exited|\[lost)/m.test(stderr) || code === null) {
      throw new Error(`tmux could not be asked on the socket ${this.socket}: ${stderr.trim() || 'it was killed'}.`)
    }
    return { absent: false, ok: false, stdout, stderr }
  }

  async #run(argv: readonly string[], options: RunOptions) {
    try {
      return await run(argv, { env: this.environment, timeoutMs: this.timeoutMs, ...options })
    } catch (error) {
      if (!(error instanceof RunTimeout)) throw error
      throw new Error(
        `tmux did not answer within ${this.timeoutMs} ms on the socket ${this.socket}. Its server is stopped or ` +
          `overloaded; try «tmux -S ${this.socketPath()} list-sessions».`,
        { cause: error },
      )
    }
  }

  /** A socket file can be deleted, and TMUX_TMPDIR can change, while the server and all its panes live on. */
  async #mustBeGone(): Promise<void> {
    const [pid] = await findServers(this.socket)
    if (pid === undefined) return
    throw new Error(
      `The tmux server ${pid} of this home runs, but nothing answers on its socket ${this.socket}. ` +
        `If the socket file was deleted, «kill -USR1 ${pid}» makes it anew; if TMUX_TMPDIR was changed, set it back.`,
    )
  }
}

function realFolder(folder: string): string | undefined {
  try {
    return folder === '' ? undefined : realpathSync(folder)
  } catch {
    return undefined
  }
}

function basics(): Record<string, string> {
  const passed = Object.entries(process.env).filter(([name]) => PASSED_ON.test(name)) as [string, string][]
  return { PATH: '/usr/local/bin:/usr/bin:/bin', TERM: 'xterm-256color', ...Object.fromEntries(passed) }
}

/** The whole path: a pane's own PATH has to be left out of the environment that tmux is called with. */
async function locate(name: string, path: string): Promise<string> {
  if (name.includes('/')) return resolve(name)
  for (const folder of path.split(':')) {
    const program = join(folder, name)
    const found = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return program
  }
  throw new Error(`${name} was not found in ${path}. Install tmux 3.3 or newer, or set its path.`)
}
