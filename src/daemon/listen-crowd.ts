/**
 * Who is connected to a listener. At the limit the newcomer is let in and somebody else is shown out: first a stranger
 * whose body does not come, then whoever has been there for longest, silent or not taking his answers. Only who has
 * shown a good token is spared, and he, too, not for ever. So a thousand who hold the door open keep nobody outside.
 * Streams and WebSockets stay for long and are counted apart; they cannot use up the places of ordinary requests.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface CrowdLimits {
  most: number
  mostLong: number
  /** Requests of one connection whose answers are not taken yet. */
  mostAtOnce: number
  /** Somebody known who does not take his answer for this long may be given up for a newcomer. */
  slowMs: number
  /** How long a stranger may take for a body. */
  strangerBodyMs: number
}

interface Guest {
  /** Answers that are not with him yet. */
  open: Set<ServerResponse>
  request?: IncomingMessage
  sinceAt: number
  isKnown: boolean
  isLong: boolean
}

export class Crowd {
  readonly #limits: CrowdLimits
  /** A map remembers the order in which its members came: the first has been as it is for longest. */
  readonly #guests = new Map<Socket, Guest>()
  #long = 0
  #dropped = 0

  constructor(limits: CrowdLimits) {
    this.#limits = limits
  }

  count(): { open: number; long: number; dropped: number } {
    return { open: this.#guests.size - this.#long, long: this.#long, dropped: this.#dropped }
  }

  enter(socket: Socket): void {
    this.#guests.set(socket, { open: new Set(), sinceAt: performance.now(), isKnown: false, isLong: false })
    socket.once('close', () => this.#leave(socket))
    if (this.count().open > this.#limits.most) this.#drop(this.#leastMissed(socket) ?? socket)
  }

  /** False for a request that is not to be answered, because its connection is over. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request
    const guest = this.#guests.get(socket)
    // Of who is shown out there may be more requests in the same packet.
    if (guest === undefined) return false
    if (guest.open.size >= this.#limits.mostAtOnce) {
      this.#drop(socket)
      return false
    }
    if (guest.open.size === 0) this.#changed(socket, guest)
    guest.open.add(response)
    guest.request = request
    guest.isKnown = false
    const hurry = this.#hurry(request, guest)
    response.once('close', () => {
      clearTimeout(hurry)
      guest.open.delete(response)
      if (guest.open.size > 0 || !this.#guests.has(socket)) return
      this.#setLong(guest, false)
      this.#changed(socket, guest)
    })
    return true
  }

  /** The request that came last showed a good token. */
  know(socket: Socket): void {
    const guest = this.#guests.get(socket)
    if (guest !== undefined) guest.isKnown = true
  }

  /** For as long as it likes: a stream, or a WebSocket that was let in. */
  stay(socket: Socket): void {
    const guest = this.#guests.get(socket)
    if (guest === undefined || guest.isLong) return
    if (this.#long >= this.#limits.mostLong) return this.#drop(socket)
    this.#setLong(guest, true)
    // Whoever reads a stream says nothing for hours.
    socket.setTimeout(0)
  }

  /** Whether anything that is said now would come into the middle of an answer. */
  isAnswering(socket: Socket): boolean {
    return [...(this.#guests.get(socket)?.open ?? [])].some(({ headersSent }) => headersSent)
  }

  disperse(): void {
    for (const socket of [...this.#guests.keys()]) socket.destroy()
  }

  #leastMissed(newcomer: Socket): Socket | undefined {
    const others = [...this.#guests].filter(([socket, { isLong }]) => socket !== newcomer && !isLong)
    const isSpared = ({ open, isKnown }: Guest) => open.size > 0 && isKnown
    const [dawdler] = others.find(([, guest]) => !isSpared(guest) && isUnfinished(guest)) ?? []
    const [oldest] = others.find(([, guest]) => !isSpared(guest)) ?? []
    const [slowest] = others.find(([, { sinceAt }]) => performance.now() - sinceAt > this.#limits.slowMs) ?? []
    return dawdler ?? oldest ?? slowest
  }

  /** A timer only where there is a body to wait for. */
  #hurry(request: IncomingMessage, guest: Guest): NodeJS.Timeout | undefined {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = request.headers
    if (length === '0' && coding === undefined) return undefined
    return setTimeout(() => {
      if (!request.complete && !guest.isKnown) this.#drop(request.socket)
    }, this.#limits.strangerBodyMs).unref()
  }

  #changed(socket: Socket, guest: Guest): void {
    guest.sinceAt = performance.now()
    this.#guests.delete(socket)
    this.#guests.set(socket, guest)
  }

  #setLong(guest: Guest, isLong: boolean): void {
    this.#long += Number(isLong) - Number(guest.isLong)
    guest.isLong = isLong
  }

  #drop(socket: Socket): void {
    this.#dropped += 1
    // Counted out at once: its end comes later, and many may come before that.
    this.#leave(socket)
    socket.destroy()
  }

  #leave(socket: Socket): void {
    const guest = this.#guests.get(socket)
    if (guest === undefined) return
    this.#setLong(guest, false)
    this.#guests.delete(socket)
  }
}

function isUnfinished({ open, request }: Guest): boolean {
  return open.size > 0 && request?.complete === false
}
