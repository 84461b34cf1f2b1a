/**
 * Hears of the end of a pane or session by one control client, which tmux tells about all sessions. A hint only:
 * the looks carry on without it. It connects when asked to, after an end of its own by itself, and never starts
 * a server.
 */
import { watch, type FSWatcher } from 'node:fs'
import { start, type Started } from '../process/start.ts'
import { nudge } from './nudge.ts'
import type { TmuxServer } from './server.ts'
import { DIED, KEEPER } from './setup-script.ts'

const AGAIN_MS = 100
/** A server that is gone takes its agents along, but not at once. */
const AFTER_END_MS = [0, 100, 1000]
const NUDGES_MS = [0, 10, 100]
const WAIT_FOR_DEATH = `wait-for ${DIED} ; display-message -p ${DIED}\n`
const CLOSED = /^%(unlinked-)?window-close /

export class LifecycleWatch {
  readonly #server: TmuxServer
  readonly #call: () => void
  readonly #terminals: FSWatcher | undefined
  readonly #timers = new Set<NodeJS.Timeout>()
  #client: Started | undefined
  #serverPid: number | undefined
  #connecting: Promise<void> | undefined
  #closed = false

  constructor(server: TmuxServer, call: () => void) {
    this.#server = server
    this.#call = call
    this.#terminals = watchTerminals(() => {
      for (const ms of NUDGES_MS) this.#after(ms, () => this.#nudge())
    })
  }

  /** Resolves when connected, or when there is nothing to connect to. */
  connect(): Promise<void> {
    if (this.#closed || this.#client !== undefined) return Promise.resolve()
    // What keeps it from connecting, a look says better; the next call tries again.
    this.#connecting ??= this.#connect()
      .catch(() => undefined)
      .finally(() => {
        this.#connecting = undefined
      })
    return this.#connecting
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#terminals?.close()
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#connecting
    await this.#client?.stop()
  }

  async #connect(): Promise<void> {
    this.#serverPid = await this.#server.configure()
    if (this.#serverPid === undefined || this.#closed) return
    const argv = [...(await this.#server.argv()), '-C', 'attach-session', '-f', 'no-output,ignore-size']
    const listening = Promise.withResolvers<void>()
    let attached = false
    this.#client = start([...argv, '-t', `=${KEEPER}`], {
      env: this.#server.environment,
      onLine: (line) => {
        if (attached && line.startsWith('%end ')) listening.resolve()
        if (!attached && line.startsWith('%session-changed ')) {
          attached = true
          // Not a moment earlier: a client that gets a command while it attaches can hang (README).
          this.#client?.write(WAIT_FOR_DEATH)
        }
        this.#hear(line)
      },
      onEnd: () => {
        listening.resolve()
        this.#ended()
      },
    })
    await listening.promise
    // What happened before it listened, nobody told.
    if (!this.#closed) this.#call()
  }

  #hear(line: string): void {
    if (this.#closed) return
    if (line === DIED) this.#client?.write(WAIT_FOR_DEATH)
    if (line === DIED || CLOSED.test(line)) this.#call()
  }

  #ended(): void {
    this.#client = undefined
    if (this.#closed) return
    for (const ms of AFTER_END_MS) this.#after(ms, () => this.#call())
    this.#after(AGAIN_MS, () => void this.connect())
  }

  /** Only while its client is connected: then the pid is this server's and nobody else's. */
  #nudge(): void {
    if (this.#client !== undefined && this.#serverPid !== undefined) nudge(this.#serverPid)
  }

  #after(ms: number, call: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      call()
    }, ms)
    timer.unref()
    this.#timers.add(timer)
  }
}

/** The folder changes with each terminal that comes or goes. Where it cannot be watched, the looks must do. */
function watchTerminals(call: () => void): FSWatcher | undefined {
  try {
    const watcher = watch('/dev/pts', { persistent: false }, call)
    watcher.on('error', () => watcher.close())
    return watcher
  } catch {
    return undefined
  }
}
