/**
 * One listener of the API: a Node server with every limit set, the door's headers on each answer, and the crowd kept
 * in bounds. Two listeners share nothing but the app, so that one that is besieged leaves the other alone.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import { createAdaptorServer, type WebSocketServerLike } from '@hono/node-server'
import type { Hono } from 'hono'
import { WebSocketServer } from 'ws'
import type { Door, DoorEnv } from '../api/door-env.ts'
import { securityHeaders } from '../api/door-headers.ts'
import { Crowd } from './listen-crowd.ts'
import { refuseExpectation, refuseRaw, type DoorHeaders } from './listen-refusal.ts'

const HEADERS_MS = 5_000
const REQUEST_MS = 15_000
const CHECK_EVERY_MS = 1_000
/** For whoever asked and does not take the answer. */
const ANSWER_MS = 60_000
const CLOSE_MS = 1_000
const HEADER_BYTES = 16 * 1024
const FRAME_BYTES = 128 * 1024
const MOST_CONNECTIONS = 256
const MOST_LONG = 200
/** No client asks for more before the answer came; one that does only makes work. */
const MOST_AT_ONCE = 4
const STRANGER_BODY_MS = 2_000

const KNOWN_HOST = /^[a-z0-9.-]{1,255}(:\d{1,5})?$/

const STREAM_PATH = '/api/stream'

export interface Listener {
  server: Server
  crowd: Crowd
  /** Nothing is let in before the door is known. */
  open: (door: Door) => void
  close: () => Promise<void>
}

export function createListener(app: Hono<DoorEnv>): Listener {
  let door: Door | undefined
  let headers: DoorHeaders = []
  const crowd = new Crowd({
    ...{ most: MOST_CONNECTIONS, mostLong: MOST_LONG, mostAtOnce: MOST_AT_ONCE },
    ...{ slowMs: REQUEST_MS, strangerBodyMs: STRANGER_BODY_MS },
  })
  const withHeaders = (options: ServerOptions, listener: RequestListener) =>
    createServer(options, (request, response) => {
      if (!crowd.serve(request, response)) return
      for (const [name, value] of headers) response.setHeader(name, value)
      // The adapter would answer a host that is no host by itself; the door reads what really came, and says why.
      if (!KNOWN_HOST.test(request.headers.host ?? '')) request.headers.host = 'unknown'
      listener(request, response)
    })
  const server = createAdaptorServer({
    fetch: (request, env) => {
      if (door === undefined) return new Response(null, { status: 503 })
      // The same object: by it an upgrade finds its way back.
      const incoming = env.incoming as IncomingMessage
      const { socket } = incoming
      const given = { door, isGone: () => isGone(socket), known: () => crowd.know(socket) }
      const answer = app.fetch(request, Object.assign(env, given) as DoorEnv['Bindings'])
      const stay = () => crowd.stay(socket)
      // An upgrade has no response of its own, only a connection.
      if (env.outgoing === undefined) return admit(answer, stay, (refusal) => hangUp(socket, refusal, headers))
      return isStream(incoming) ? admit(answer, stay) : answer
    },
    createServer: withHeaders as typeof createServer,
    serverOptions: {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: HEADERS_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      maxHeaderSize: HEADER_BYTES,
      // The door asks for it, and says so.
      requireHostHeader: false,
      shouldUpgradeCallback: isTerminal,
    },
    websocket: { server: webSockets() },
  }) as Server
  // The size of all is bounded; a limit of the number would drop the last ones unseen, Origin among them.
  server.maxHeadersCount = 0
  server.timeout = ANSWER_MS
  server.on('connection', (socket: Socket) => crowd.enter(socket))
  answerForNode(server, crowd, () => headers)
  return {
    server,
    crowd,
    open: (known) => {
      door = known
      headers = known.via === 'tcp' ? securityHeaders(known.hosts) : []
    },
    close: () => close(server, crowd),
  }
}

/** Who is let in may stay; until then he is one of the crowd. */
async function admit(
  answer: Response | Promise<Response>,
  stay: () => void,
  refuse: (refusal: Response) => void = () => {},
): Promise<Response> {
  const response = await answer
  if (response.ok) stay()
  else refuse(response)
  return response
}

/** Also when he does not hang up himself. */
function hangUp(socket: Socket, refusal: Response, headers: DoorHeaders): void {
  socket.once('finish', () => socket.destroy())
  for (const [name, value] of headers) refusal.headers.set(name, value)
}

/** Node has answers of its own to what it cannot read; they are ours instead. */
function answerForNode(server: Server, crowd: Crowd, headers: () => DoorHeaders): void {
  server.on('checkExpectation', (request, response) => {
    if (crowd.serve(request, response)) refuseExpectation(request, response, headers())
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || crowd.isAnswering(socket)) socket.destroy()
    else refuseRaw(socket, error, headers())
  })
}

/**
 * Whether the client has hung up. A daemon that was stopped and goes on finds a request and the end of its client in
 * the same moment, but is told of the request first: only after a round of the event loop is the end known, too.
 */
async function isGone(socket: Pick<Socket, 'readableEnded' | 'destroyed'>): Promise<boolean> {
  for (let round = 0; round < 2; round += 1) await nextRound()
  return socket.destroyed || socket.readableEnded
}

/** The token is among the protocols that are offered; it must not be sent back as the one that was chosen. */
function webSockets(): WebSocketServerLike {
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => [...offered].find((name) => !name.startsWith('token.')) ?? false,
  })
  // Its types and those of the adapter differ in what an optional may be; the adapter is made for it.
  return server as unknown as WebSocketServerLike
}

function isStream({ url = '' }: IncomingMessage): boolean {
  return url === STREAM_PATH || url.startsWith(`${STREAM_PATH}?`)
}

/** Anything else that wants to be upgraded is an ordinary request. */
function isTerminal({ method, url = '', headers }: IncomingMessage): boolean {
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    /^\/api\/agents\/[^/?]+\/terminal(\?|$)/.test(url)
  )
}

/** Answers under way get a moment to finish; nobody can hold the daemon up for longer. */
function close(server: Server, crowd: Crowd): Promise<void> {
  const late = setTimeout(() => {
    server.closeAllConnections()
    crowd.disperse()
  }, CLOSE_MS)
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(late)
      resolve()
    })
    server.closeIdleConnections()
  })
}
