/**
 * Reads the daemon's stream for as long as the tab is open. It resumes where it was; after a gap, or with another
 * daemon, it asks for all anew. Silence is told from rest by the keep-alives. States: connecting → live → offline →
 * connecting …; signed-out is left only by `start` with another token.
 */
import type { StreamBye, StreamChange, StreamSnapshot } from '../../../src/contract/stream.ts'
import type { LiveState } from './live-state.ts'
import { SseParser, type SseMessage } from './sse-parser.ts'

/** Three keep-alives of the daemon. */
const SILENCE_MS = 45_000
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 15_000

export interface StreamClientOptions {
  state: LiveState
  token: () => string | undefined
  /** The token does not count (any more). */
  signedOut: (reason: string) => void
  fetch: typeof fetch
  /** Calls back once; the returned function cancels. */
  wait: (ms: number, call: () => void) => () => void
  random: () => number
}

export class StreamClient {
  readonly #options: StreamClientOptions
  #abort: AbortController | undefined
  #cancelRetry: () => void = () => {}
  #cancelSilence: () => void = () => {}
  #failures = 0
  /** Undefined: everything is wanted anew. */
  #lastId: string | undefined

  constructor(options: StreamClientOptions) {
    this.#options = options
  }

  /** (Re)connects at once. */
  start(): void {
    this.stop()
    const { state, token, signedOut } = this.#options
    const bearer = token()
    if (bearer === undefined) return signedOut(SIGNED_OUT)
    if (state.connection().state === 'signed-out') state.connect({ state: 'connecting' })
    void this.#run(bearer, (this.#abort = new AbortController()))
  }

  stop(): void {
    this.#cancelRetry()
    this.#cancelSilence()
    this.#abort?.abort()
    this.#abort = undefined
  }

  async #run(bearer: string, abort: AbortController): Promise<void> {
    let reason = 'The daemon closed the stream.'
    try {
      const answer = await this.#ask(bearer, abort)
      if (answer.status === 401) return this.#options.signedOut(EXPIRED)
      if (!answer.ok || answer.body === null) throw new Error(await refusalOf(answer))
      await this.#read(answer.body, abort)
    } catch (error) {
      if (error instanceof Goodbye && error.code === 'expired') return this.#options.signedOut(error.message)
      if (error instanceof Gap) this.#lastId = undefined
      reason = reasonOf(abort.signal.aborted ? abort.signal.reason : error)
    } finally {
      // What is left of the answer is not wanted, whatever ended the reading.
      if (this.#abort === abort) abort.abort()
    }
    if (this.#abort === abort) this.#retry(reason)
  }

  #ask(bearer: string, abort: AbortController): Promise<Response> {
    this.#hush(abort)
    // Whoever signed out knows nothing any more.
    const lastId = this.#options.state.boot === undefined ? undefined : this.#lastId
    return this.#options.fetch('/api/stream', {
      headers: {
        accept: 'text/event-stream',
        authorization: `Bearer ${bearer}`,
        ...(lastId === undefined ? {} : { 'last-event-id': lastId }),
      },
      cache: 'no-store',
      signal: abort.signal,
    })
  }

  /** Every byte counts as a sign of life. */
  async #read(body: ReadableStream<Uint8Array>, abort: AbortController): Promise<void> {
    const decoder = new TextDecoder()
    const parser = new SseParser((message) => this.#take(message))
    const reader = body.getReader()
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (this.#abort !== abort) return
      this.#hush(abort)
      parser.push(decoder.decode(piece.value, { stream: true }))
    }
  }

  #take({ event, data, id }: SseMessage): void {
    const { state } = this.#options
    const message: unknown = JSON.parse(data)
    switch (event) {
      case 'snapshot':
        state.takeSnapshot(message as StreamSnapshot)
        break
      case 'change':
        this.#takeChange(message as StreamChange)
        break
      case 'bye':
        throw new Goodbye(message as StreamBye)
      default:
        // A newer daemon may say more than this page knows.
        return
    }
    this.#lastId = id
    this.#failures = 0
    state.connect({ state: 'live' })
  }

  #takeChange(change: StreamChange): void {
    const { state } = this.#options
    const expected = state.seq + 1
    const first = change.events[0]?.seq
    const isWhole = first === undefined ? change.seq === state.seq : first === expected
    if (!isWhole) throw new Gap(`The stream went from event ${state.seq} to ${first ?? change.seq}.`)
    state.takeChange(change)
  }

  #hush(abort: AbortController): void {
    this.#cancelSilence()
    this.#cancelSilence = this.#options.wait(SILENCE_MS, () => {
      if (this.#abort === abort) abort.abort(new Error('The daemon has said nothing for 45 seconds.'))
    })
  }

  /** Spread out, so that many tabs do not come back at the same moment. */
  #retry(reason: string): void {
    this.#cancelSilence()
    const { state, wait, random } = this.#options
    state.connect({ state: 'offline', reason })
    const longestMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** this.#failures)
    this.#failures += 1
    this.#cancelRetry = wait(longestMs / 2 + (random() * longestMs) / 2, () => this.start())
  }
}

const SIGNED_OUT = 'You are signed out. Run `pan dashboard` and open the link it prints.'
const EXPIRED = 'The sign-in of this tab does not count any more. Run `pan dashboard` and open the link it prints.'

class Gap extends Error {}

class Goodbye extends Error {
  readonly code: StreamBye['code']

  constructor({ code, sentence, hint }: StreamBye) {
    super(`${sentence}. ${hint}`)
    this.code = code
  }
}

async function refusalOf(answer: Response): Promise<string> {
  const body: unknown = await answer.json().catch(() => undefined)
  const { sentence, hint } = (body ?? {}) as { sentence?: unknown; hint?: unknown }
  if (typeof sentence === 'string' && typeof hint === 'string') return `${sentence}. ${hint}`
  return `The daemon answered with ${answer.status}.`
}

/** What browsers say of a refused connection helps nobody. */
function reasonOf(error: unknown): string {
  if (error instanceof TypeError)
    return 'The daemon cannot be reached. Start it with `pan up`; this page goes on by itself.'
  return error instanceof Error ? error.message : String(error)
}
