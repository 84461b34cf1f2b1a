/**
 * Who is connected to a listener. At the limit the newcomer is let in and the one that has been silent for longest is
 * shown out, so that a thousand who only hold the door open keep nobody outside. Streams and WebSockets stay for long
 * and are counted apart; they cannot use up the places of ordinary requests.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface CrowdLimits {
  most: number
  mostLong: number
  /** An answer that is not taken after this long may be given up for a newcomer. */
  slowMs: number
  isLong: (request: IncomingMessage) => boolean
}

interface Served {
  open: number
  sinceAt: number
}

export class Crowd {
  readonly #limits: CrowdLimits
  /** Sets and maps remember the order in which their members came: the first is the oldest. */
  readonly #waiting = new Set<Socket>()
  readonly #served = new Map<Socket, Served>()
  readonly #long = new Set<Socket>()
  #dropped = 0

  constructor(server: Server, limits: CrowdLimits) {
    this.#limits = limits
    server.on('connection', (socket: Socket) => this.#enter(socket))
    server.on('request', (request, response) => this.#serve(request, response))
  }

  count(): { open: number; long: number; dropped: number } {
    return { open: this.#waiting.size + this.#served.size, long: this.#long.size, dropped: this.#dropped }
  }

  /** For as long as it likes: a stream, or a WebSocket that was let in. */
  stay(socket: Socket): void {
    this.#waiting.delete(socket)
    this.#served.delete(socket)
    if (this.#long.size >= this.#limits.mostLong) return this.#drop(socket)
    this.#long.add(socket)
    // Whoever reads a stream says nothing for hours.
    socket.setTimeout(0)
  }

  disperse(): void {
    for (const socket of [...this.#waiting, ...this.#served.keys(), ...this.#long]) socket.destroy()
  }

  #enter(socket: Socket): void {
    this.#waiting.add(socket)
    socket.once('close', () => {
      this.#waiting.delete(socket)
      this.#served.delete(socket)
      this.#long.delete(socket)
    })
    if (this.#waiting.size + this.#served.size > this.#limits.most) this.#drop(this.#leastMissed() ?? socket)
  }

  #leastMissed(): Socket | undefined {
    for (const socket of this.#waiting) if (this.#waiting.size > 1) return socket
    for (const [socket, { sinceAt }] of this.#served) {
      return performance.now() - sinceAt > this.#limits.slowMs ? socket : undefined
    }
    return undefined
  }

  #drop(socket: Socket): void {
    this.#dropped += 1
    // Counted out at once: its end comes later, and many may come before that.
    this.#waiting.delete(socket)
    this.#served.delete(socket)
    socket.destroy()
  }

  #serve(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    if (this.#limits.isLong(request)) this.stay(socket)
    this.#waiting.delete(socket)
    const served = this.#served.get(socket) ?? { open: 0, sinceAt: performance.now() }
    served.open += 1
    if (!this.#long.has(socket)) this.#served.set(socket, served)
    response.once('close', () => {
      served.open -= 1
      if (served.open > 0) return
      this.#served.delete(socket)
      this.#long.delete(socket)
      if (!socket.destroyed) this.#waiting.add(socket)
    })
  }
}
