/**
 * One control client of tmux, attached to exactly one session: commands with their answers, in order with what the
 * panes print. It is killed at the end, not asked; when it ends by itself or does not answer, that is told once.
 */
import { randomBytes } from 'node:crypto'
import { start, type Started } from '../process/start.ts'
import { ControlLines } from './control-lines.ts'
import type { TmuxServer } from './server.ts'

export interface ControlOptions {
  server: TmuxServer
  session: string
  /** Flags of the client, such as `ignore-size`. */
  flags: string
  output: (paneId: string, bytes: Buffer) => void
  notice: (line: string) => void
  /** Once, when it is over and nobody closed it; why, as far as it is known. */
  ended: (why: string) => void
}

/** Answers of the commands of one request. Called in order with output, so that both can be joined exactly. */
type Answered = (blocks: readonly Block[]) => void

export interface Block {
  content: Buffer
  failed: boolean
}

interface Request {
  mark: string
  blocks: Block[]
  answered: Answered
}

export class ControlClient {
  readonly #options: ControlOptions
  readonly #attached = Promise.withResolvers<boolean>()
  readonly #requests: Request[] = []
  #client: Started | undefined
  #isAttached = false
  #over = false
  #timer: NodeJS.Timeout | undefined

  constructor(options: ControlOptions) {
    this.#options = options
  }

  /** How many requests wait for their answer. */
  get waiting(): number {
    return this.#requests.length
  }

  /** False when there is no such session. Throws when tmux does not answer. */
  async attach(): Promise<boolean> {
    const { server, session, flags } = this.#options
    const lines = new ControlLines({
      block: (content, failed) => this.#block({ content, failed }),
      output: (paneId, bytes) => this.#over || this.#options.output(paneId, bytes),
      notice: (line) => this.#notice(line),
    })
    const argv = [...(await server.argv()), '-C', 'attach-session', '-f', flags, '-t', `=${session}`]
    if (this.#over) return false
    this.#client = start(argv, {
      env: server.environment,
      onBytes: (chunk) => lines.feed(chunk),
      onEnd: () => this.#end('the terminal is gone'),
    })
    this.#await()
    return this.#attached.promise
  }

  /** The commands of one line; after an error in one of them tmux passes over the rest. No answers: it is over. */
  ask(command: string, answered: Answered): void {
    if (this.#over) {
      answered([])
      return
    }
    const mark = `cloister-${randomBytes(9).toString('hex')}`
    this.#requests.push({ mark, blocks: [], answered })
    // On a line of its own: it is the end of the answer also when a command before it fails.
    this.#client?.write(`${command}\ndisplay-message -p ${mark}\n`)
    this.#await()
  }

  async close(): Promise<void> {
    this.#finish()
    await this.#client?.stop()
  }

  #block(block: Block): void {
    const [request] = this.#requests
    if (this.#over || request === undefined) return
    this.#await()
    if (block.content.toString('latin1') !== request.mark) {
      request.blocks.push(block)
      return
    }
    this.#requests.shift()
    if (this.#requests.length === 0) clearTimeout(this.#timer)
    request.answered(request.blocks)
  }

  #notice(line: string): void {
    if (this.#over) return
    // Not a moment earlier: a client that gets a command while it attaches can hang (README).
    if (!this.#isAttached && line.startsWith('%session-changed ')) {
      this.#isAttached = true
      clearTimeout(this.#timer)
      this.#attached.resolve(true)
    } else if (line === '%exit') this.#end('the terminal was closed')
    else if (line.startsWith('%exit ')) this.#end(`tmux says «${line.slice(6)}»`)
    else this.#options.notice(line)
  }

  /** A server that is stopped or overloaded says nothing at all, for as long as it likes. */
  #await(): void {
    clearTimeout(this.#timer)
    const { server } = this.#options
    const { timeoutMs } = server
    this.#timer = setTimeout(() => {
      const why = `tmux did not answer within ${timeoutMs} ms on the socket ${server.socket}`
      this.#attached.reject(new Error(`${why}. Its server is stopped or overloaded.`))
      this.#end(why)
    }, timeoutMs)
    this.#timer.unref()
  }

  #end(why: string): void {
    if (this.#over) return
    void this.#client?.stop()
    this.#finish(() => this.#options.ended(why))
  }

  /** What waits for an answer gets an empty one. */
  #finish(tell?: () => void): void {
    this.#over = true
    clearTimeout(this.#timer)
    this.#attached.resolve(false)
    tell?.()
    for (const { answered } of this.#requests.splice(0)) answered([])
  }
}
