/** A browser's end of a live terminal, without the browser. */
import { expect, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { TerminalFromClient, TerminalFromServer } from '../../src/contract/terminal.ts'

export interface Knocking {
  /** Such as `http://127.0.0.1:4711`. */
  url: string
  agent: string
  token?: string | undefined
  /** Left out: the daemon's own. */
  origin?: string | undefined
  headers?: Record<string, string>
}

export class TerminalClient {
  readonly messages: TerminalFromServer[] = []
  /** Since the last screen that begins anew. */
  #chunks: Buffer[] = []
  screens = 0
  closed: number | undefined
  readonly socket: WebSocket

  constructor(socket: WebSocket) {
    this.socket = socket
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.#chunks.push(data)
      else this.#take(JSON.parse(data.toString()) as TerminalFromServer)
    })
    socket.on('close', (code) => (this.closed = code))
    socket.on('error', () => undefined)
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  say(message: TerminalFromClient): void {
    this.socket.send(JSON.stringify(message))
  }

  last<T extends TerminalFromServer['type']>(type: T): Extract<TerminalFromServer, { type: T }> | undefined {
    return this.messages.findLast((message) => message.type === type) as
      | Extract<TerminalFromServer, { type: T }>
      | undefined
  }

  shows(part: string): Promise<void> {
    return this.until(() => this.bytes.includes(part), `«${part}» in «${this.bytes.subarray(-300).toString()}»`)
  }

  /** Waits for the next such message after those that were there. */
  async hears<T extends TerminalFromServer['type']>(
    type: T,
    is: Partial<Extract<TerminalFromServer, { type: T }>> = {},
  ) {
    await vi.waitFor(() => expect(this.last(type)).toMatchObject({ type, ...is }), { timeout: 45_000, interval: 5 })
    return this.last(type)
  }

  async until(isSo: () => boolean, what: string): Promise<void> {
    await vi.waitFor(
      () => {
        if (!isSo()) throw new Error(`not seen: ${what}`)
      },
      { timeout: 45_000, interval: 5 },
    )
  }

  #take(message: TerminalFromServer): void {
    this.messages.push(message)
    if (message.type !== 'screen' || !message.reset) return
    this.screens += 1
    this.#chunks = []
  }
}

/** The client once it is in, or the status with which it was turned away. */
export function knock({ url, agent, token, headers = {}, ...rest }: Knocking): Promise<TerminalClient | number> {
  const protocols = ['cloister.terminal', ...(token === undefined ? [] : [`token.${token}`])]
  const origin = 'origin' in rest ? rest.origin : url
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/agents/${agent}/terminal`, protocols, {
    headers,
    ...(origin === undefined ? {} : { origin }),
  })
  // Before it opens: nothing may be missed.
  const client = new TerminalClient(socket)
  return new Promise((resolve) => {
    socket.once('open', () => resolve(client))
    socket.once('unexpected-response', (_, response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
  })
}

export async function enter(knocking: Knocking): Promise<TerminalClient> {
  const client = await knock(knocking)
  if (typeof client === 'number') throw new Error(`turned away with ${client}`)
  return client
}
