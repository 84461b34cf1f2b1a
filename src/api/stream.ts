/** GET /api/stream: the response that stays open, and what it gives to whoever feeds it. */
import type { Hono } from 'hono'
import type { DoorDeps } from './door-deps.ts'
import type { DoorEnv } from './door-env.ts'
import { tokenOf } from './door-keeper.ts'
import { notAllowed } from './refusals.ts'
import { send } from './send.ts'

/** One open response. Frames are shared between clients and never changed. */
export interface StreamClient {
  /** What was written and is not yet with the socket. */
  pendingBytes(): number
  write(frame: Uint8Array): void
  /** Writes the last frame and closes when all before it is read. */
  end(frame: Uint8Array): void
  /** Closes now, whatever is left unread. */
  drop(): void
  /** Whether its token still opens the door: a login may end while its stream is open. */
  isWelcome(): boolean
}

export interface StreamSource {
  /** Feeds the client from now on, beginning after the event that it saw last. The returned function ends that. */
  open(client: StreamClient, lastSeq: number | undefined): () => void
}

export interface StreamDeps extends Pick<DoorDeps, 'callerOf'> {
  stream: StreamSource
}

export function mountStream(app: Hono<DoorEnv>, { stream, callerOf }: StreamDeps): void {
  app.get('/api/stream', (context) => {
    // Whoever wants only the head would never close what was opened for him.
    if (context.req.method !== 'GET') return send(context, notAllowed('/api/stream', ['GET']))
    const token = tokenOf(context) ?? ''
    const isWelcome = () => callerOf(token).kind === 'owner'
    const lastSeq = seqIn(context.req.header('last-event-id'))
    // Without a socket, as in tests, an error in the stream is the end of it.
    const socket = context.env?.incoming?.socket
    const cut = socket?.destroy.bind(socket)
    const body = bodyFor((controller) => {
      const close = stream.open(clientOf(controller, { isWelcome, cut }), lastSeq)
      // Who has gone before the first byte is sent never cancels the body.
      if (socket?.destroyed === true) close()
      else socket?.once('close', close)
      return close
    })
    return new Response(body, { headers: HEADERS })
  })
}

/** Said at once, so that the server does not wait for the end to measure it. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'transfer-encoding': 'chunked',
  // So that the socket goes with the stream and a daemon that stops need not wait for it.
  connection: 'close',
}

/** Anything else is as good as nothing: the client gets a snapshot. */
function seqIn(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,15}$/.test(header) ? Number(header) : undefined
}

type Controller = ReadableStreamDefaultController<Uint8Array>

function bodyFor(open: (controller: Controller) => () => void): ReadableStream<Uint8Array> {
  let close = () => {}
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        close = open(controller)
      },
      cancel: () => close(),
    },
    // The queue is measured in bytes; who feeds it decides how long it may get.
    { highWaterMark: 0, size: (chunk) => chunk.byteLength },
  )
}

interface Ways {
  isWelcome: () => boolean
  cut: (() => void) | undefined
}

function clientOf(controller: Controller, { isWelcome, cut }: Ways): StreamClient {
  let isOpen = true
  return {
    isWelcome,
    pendingBytes: () => -(controller.desiredSize ?? 0),
    write: (frame) => {
      if (isOpen) controller.enqueue(frame)
    },
    end: (frame) => {
      if (!isOpen) return
      isOpen = false
      controller.enqueue(frame)
      controller.close()
    },
    drop: () => {
      isOpen = false
      if (cut === undefined) controller.error(new Error('The daemon closed the stream.'))
      else cut()
    },
  }
}
