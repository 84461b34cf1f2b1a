/**
 * Everything that changes, to everybody who watches. What came in a window of 50 ms is put into words once and the
 * same bytes go to all, so that an event costs the same for one watcher as for a hundred, but for the write.
 * A client sees every event once and in order: it gets a snapshot, or what it missed, at an edge between two windows.
 */
import type { StreamClient, StreamSource } from '../api/stream.ts'
import type { Event } from '../contract/events.ts'
import type { AgentId } from '../contract/ids.ts'
import type { StreamBye, StreamChange, StreamMessages, StreamSnapshot } from '../contract/stream.ts'
import type { AgentView } from '../contract/views.ts'
import type { StatusView } from '../contract/status-view.ts'
import { describe } from '../core/describe.ts'
import type { Clock } from '../core/ports.ts'

const WINDOW_MS = 50
const KEEP_ALIVE_MS = 15_000
/** How long a client may take to read what it was told last. */
const LINGER_MS = 5_000
/** Frames are shared, so that this bounds how far behind a client may be rather than what it costs. */
const MAX_PENDING_BYTES = 4 * 1024 * 1024
const MAX_CLIENTS = 128
/** A client that missed more gets a snapshot, which is then shorter. */
const MAX_MISSED = 5_000

export interface StreamHubOptions {
  clock: Clock
  boot: string
  /** The newest durable event. */
  seq: number
  status: () => StatusView
  ids: () => Iterable<AgentId>
  agent: (id: AgentId) => AgentView | undefined
  /** Another value than before means that every agent is seen in another light. */
  light: () => string
}

export class StreamHub implements StreamSource {
  readonly #options: StreamHubOptions
  readonly #clients = new Set<StreamClient>()
  readonly #leaving = new Map<StreamClient, () => void>()
  /** The newest events of this boot, without a gap up to `#seq`. */
  readonly #recent: Event[] = []
  /** At which event each agent last changed, gone ones included. */
  readonly #changedAt = new Map<AgentId, number>()
  readonly #firstSeq: number
  readonly #dirty = new Set<AgentId>()
  #seq: number
  #sentSeq: number
  #light: string
  #statusText = ''
  #cancelFlush: (() => void) | undefined
  #cancelKeepAlive: (() => void) | undefined
  #closed = false

  constructor(options: StreamHubOptions) {
    this.#options = options
    this.#seq = this.#firstSeq = this.#sentSeq = options.seq
    this.#light = options.light()
  }

  get clients(): number {
    return this.#clients.size
  }

  /** What became durable: its events, and the agents whose records changed. */
  take(events: readonly Event[], agents: Iterable<AgentId>): void {
    this.#remember(events)
    for (const id of agents) this.#touch(id)
    const light = this.#options.light()
    if (light !== this.#light) for (const id of this.#options.ids()) this.#touch(id)
    this.#light = light
    if (this.#clients.size > 0) this.#flushSoon()
  }

  open(client: StreamClient, lastSeq: number | undefined): () => void {
    if (this.#closed || this.#clients.size >= MAX_CLIENTS) {
      this.#dismiss(client, this.#closed ? BYES.stopping : BYES.too_many)
      return () => this.#forget(client)
    }
    // Whoever comes in the middle of a window would get its events twice.
    this.#flush()
    this.#clients.add(client)
    this.#try(client, () => client.write(this.#isKnown(lastSeq) ? this.#missedSince(lastSeq) : this.#snapshot()))
    if (this.#clients.size > 0) this.#keepAlive()
    return () => this.#forget(client)
  }

  /** Everybody is told that the daemon stops. */
  close(): void {
    this.#closed = true
    this.#flush()
    this.#cancelFlush?.()
    this.#cancelKeepAlive?.()
    for (const client of this.#clients) this.#dismiss(client, BYES.stopping)
  }

  #remember(events: readonly Event[]): void {
    for (const event of events) this.#recent.push(event)
    this.#seq = events.at(-1)?.seq ?? this.#seq
    // Now and then, so that it costs nothing per event; what waits to be sent is never taken away.
    const unsent = this.#clients.size > 0 ? this.#seq - this.#sentSeq : 0
    if (this.#recent.length >= 2 * MAX_MISSED + unsent) {
      this.#recent.splice(0, this.#recent.length - MAX_MISSED - unsent)
    }
  }

  #touch(id: AgentId): void {
    this.#changedAt.set(id, this.#seq)
    this.#dirty.add(id)
  }

  #flushSoon(): void {
    const { clock } = this.#options
    this.#cancelFlush ??= clock.wakeAt(clock.now().monoAt + WINDOW_MS, () => this.#flush())
  }

  /** Only what differs from the last time: nothing at all, where nobody watches. */
  #flush(): void {
    this.#cancelFlush?.()
    this.#cancelFlush = undefined
    const events = this.#clients.size === 0 ? [] : this.#eventsAfter(this.#sentSeq)
    const agents = [...this.#dirty]
    this.#sentSeq = this.#seq
    this.#dirty.clear()
    if (this.#clients.size === 0) return
    const statusBefore = this.#statusText
    const status = this.#toldStatus()
    const isNews = this.#statusText !== statusBefore
    if (events.length + agents.length === 0 && !isNews) return
    const frame = this.#change(events, agents, isNews ? status : undefined)
    for (const client of this.#clients) this.#write(client, frame)
  }

  /** Pending bytes are asked before: one large frame to somebody who reads is no reason to part. */
  #write(client: StreamClient, frame: Uint8Array): void {
    if (client.pendingBytes() > MAX_PENDING_BYTES) this.#dismiss(client, BYES.slow)
    else this.#try(client, () => client.write(frame))
  }

  /** Who cannot be written to is not there any more; the others must not hear of it. */
  #try(client: StreamClient, writing: () => void): void {
    try {
      writing()
    } catch {
      this.#forget(client)
      client.drop()
    }
  }

  #change(events: readonly Event[], agents: readonly AgentId[], status: StatusView | undefined): Uint8Array {
    const seen = agents.map((id) => ({ id, view: this.#options.agent(id) }))
    const change: StreamChange = {
      seq: this.#seq,
      at: this.#options.clock.now().wallAt,
      ...(status === undefined ? {} : { status }),
      agents: seen.flatMap(({ view }) => view ?? []),
      gone: seen.flatMap(({ id, view }) => (view === undefined ? id : [])),
      events: events.map((event) => ({ ...event, sentence: describe(event) })),
    }
    return frameOf('change', change, this.#seq)
  }

  #snapshot(): Uint8Array {
    const { clock, boot, ids, agent } = this.#options
    const snapshot: StreamSnapshot = {
      seq: this.#seq,
      at: clock.now().wallAt,
      boot,
      status: this.#toldStatus(),
      agents: [...ids()].flatMap((id) => agent(id) ?? []),
    }
    return frameOf('snapshot', snapshot, this.#seq)
  }

  /** An id of before this boot, or of another home, is none. */
  #isKnown(lastSeq: number | undefined): lastSeq is number {
    if (lastSeq === undefined || lastSeq <= this.#firstSeq || lastSeq > this.#seq) return false
    return this.#seq - lastSeq <= Math.min(MAX_MISSED, this.#recent.length)
  }

  /** An agent may have changed again without an event, so the one that was seen last counts too. */
  #missedSince(lastSeq: number): Uint8Array {
    const agents = [...this.#changedAt].flatMap(([id, seq]) => (seq >= lastSeq ? id : []))
    return this.#change(this.#eventsAfter(lastSeq), agents, this.#toldStatus())
  }

  /** Remembered as what everybody knows: whoever joins does so right after the others were told. */
  #toldStatus(): StatusView {
    const status = this.#options.status()
    this.#statusText = JSON.stringify(status)
    return status
  }

  #eventsAfter(seq: number): readonly Event[] {
    const count = this.#seq - seq
    return count === 0 ? [] : this.#recent.slice(-count)
  }

  /** It hears why; who does not even read that is cut off. */
  #dismiss(client: StreamClient, bye: Uint8Array): void {
    this.#clients.delete(client)
    this.#try(client, () => client.end(bye))
    // The listener cuts everybody off a moment later; a timer here would only hold the daemon up.
    if (this.#closed) return
    const { clock } = this.#options
    const cancel = clock.wakeAt(clock.now().monoAt + LINGER_MS, () => {
      this.#leaving.delete(client)
      client.drop()
    })
    this.#leaving.set(client, cancel)
  }

  #forget(client: StreamClient): void {
    this.#clients.delete(client)
    this.#leaving.get(client)?.()
    this.#leaving.delete(client)
    if (this.#clients.size > 0) return
    this.#cancelKeepAlive?.()
    this.#cancelKeepAlive = undefined
  }

  #keepAlive(): void {
    const { clock } = this.#options
    this.#cancelKeepAlive ??= clock.wakeAt(clock.now().monoAt + KEEP_ALIVE_MS, () => {
      this.#cancelKeepAlive = undefined
      for (const client of this.#clients) {
        if (client.isWelcome()) this.#write(client, COMMENT)
        else this.#dismiss(client, BYES.expired)
      }
      if (this.#clients.size > 0) this.#keepAlive()
    })
  }
}

const encoder = new TextEncoder()
const COMMENT = encoder.encode(': still here\n\n')

function frameOf<Name extends keyof StreamMessages>(name: Name, data: StreamMessages[Name], seq?: number): Uint8Array {
  const id = seq === undefined ? '' : `id: ${seq}\n`
  return encoder.encode(`${id}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
}

function bye(code: StreamBye['code'], sentence: string, hint: string): Uint8Array {
  return frameOf('bye', { code, sentence, hint })
}

const BYES = {
  slow: bye('slow', 'This client read too slowly', 'Connect again; what was missed is sent, or a snapshot.'),
  stopping: bye('stopping', 'The daemon stops', 'Connect again when it is back; agents go on meanwhile.'),
  expired: bye('expired', 'The login of this client ended', 'Run `pan dashboard` for a new link.'),
  too_many: bye('too_many', `There are already ${MAX_CLIENTS} clients`, 'Close some tabs or programs and try again.'),
}
