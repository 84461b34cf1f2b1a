/**
 * GET /api/agents/:id/terminal: a WebSocket that shows an agent's terminal and, to one person at a time, takes his
 * keys. What the door asks of every request is asked before; what comes later is said as a message, since a browser
 * hides the answer to an upgrade from the page.
 */
import { upgradeWebSocket } from '@hono/node-server'
import type { Context, Hono } from 'hono'
import type { WebSocket } from 'ws'
import type { Refusal } from '../contract/commands.ts'
import type { AgentId } from '../contract/ids.ts'
import { terminalFromClient, type TerminalFromClient, type TerminalFromServer } from '../contract/terminal.ts'
import { invalid } from './answer.ts'
import type { Note } from './audit.ts'
import type { DoorDeps } from './door-deps.ts'
import type { DoorEnv } from './door-env.ts'
import { tokenOf } from './door-keeper.ts'
import { notAllowed } from './refusals.ts'
import { send } from './send.ts'

/** One open connection, as whoever feeds it sees it. */
export interface TerminalViewer {
  send(message: TerminalFromServer): void
  /** What the pane prints. */
  print(bytes: Uint8Array): void
  /** What was printed and is not yet with the network. */
  pendingBytes(): number
  /** Closes when all before it is sent; `away` says that it is worth coming back. */
  close(away?: boolean): void
  /** Adds a line to the audit in his name. */
  note: Note
}

export interface TerminalSession {
  receive(message: TerminalFromClient): void
  /** Some of what was printed is with the network now. */
  drained(): void
  close(): void
}

export interface TerminalSource {
  open(id: AgentId, viewer: TerminalViewer): Promise<TerminalSession | Refusal>
}

export interface TerminalDeps extends Pick<DoorDeps, 'callerOf'> {
  terminal: TerminalSource
  problem: (error: unknown) => void
}

const PING_MS = 20_000
const CLOSE_MS = 2_000
/** Codes of a close, as RFC 6455 has them. */
const NORMAL = 1000
const GOING_AWAY = 1001
const POLICY = 1008

export function mountTerminal(app: Hono<DoorEnv>, deps: TerminalDeps): void {
  app.get(
    '/api/agents/:id/terminal',
    async (context, next) =>
      context.req.method === 'GET' ? next() : send(context, notAllowed(context.req.path, ['GET'])),
    upgradeWebSocket((context: Context<DoorEnv>) => {
      const id = context.req.param('id') ?? ''
      const note = context.get('note')
      const token = tokenOf(context) ?? ''
      const isWelcome = () => deps.callerOf(token).kind === 'owner'
      return { onOpen: (_, { raw }) => serveTerminal(raw as WebSocket, { deps, id, note, isWelcome }) }
    }),
    (context) => send(context, NO_WEB_SOCKET),
  )
}

const NO_WEB_SOCKET = {
  ...invalid('A terminal is a WebSocket', 'Open it with the protocols `cloister.terminal` and `token.<token>`.'),
  status: 426,
} as const

interface Visit {
  deps: TerminalDeps
  id: AgentId
  note: Note
  /** Whether his token still opens the door: a login may end while the terminal is open. */
  isWelcome: () => boolean
}

function serveTerminal(socket: WebSocket, { deps, id, note, isWelcome }: Visit): void {
  let session: TerminalSession | undefined
  const viewer = viewerOn(socket, note, () => session?.drained())
  const stopPinging = keepAlive(socket, () => {
    if (!isWelcome()) sayGoodbye(viewer, SIGNED_OUT)
  })
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    // Who was told to go is not listened to any more.
    if (socket.readyState !== socket.OPEN) return
    const message = isBinary ? undefined : read(data)
    if (!isWelcome()) sayGoodbye(viewer, SIGNED_OUT)
    else if (message === undefined) shut(socket, POLICY, 'not a message of the terminal')
    else session?.receive(message)
  })
  socket.on('error', () => socket.terminate())
  socket.on('close', () => {
    stopPinging()
    session?.close()
  })
  deps.terminal.open(id, viewer).then(
    (opened) => {
      if ('code' in opened) sayGoodbye(viewer, opened)
      else if (socket.readyState === socket.OPEN) session = opened
      else opened.close()
    },
    (error: unknown) => {
      deps.problem(error)
      sayGoodbye(viewer, { sentence: error instanceof Error ? error.message : String(error), hint: ASK_DOCTOR })
    },
  )
}

const ASK_DOCTOR = 'Check with `pan doctor`, then open the terminal again.'
const SIGNED_OUT = { sentence: 'You were signed out', hint: 'Sign in again with the link of `pan dashboard`.' }

function viewerOn(socket: WebSocket, note: Note, drained: () => void): TerminalViewer {
  const isOpen = () => socket.readyState === socket.OPEN
  return {
    note,
    send: (message) => {
      if (isOpen()) socket.send(JSON.stringify(message))
    },
    print: (bytes) => {
      if (isOpen()) socket.send(bytes, { binary: true }, drained)
    },
    pendingBytes: () => socket.bufferedAmount,
    close: (away = false) => shut(socket, away ? GOING_AWAY : NORMAL),
  }
}

function shut(socket: WebSocket, code: number, why?: string): void {
  socket.close(code, why)
  // Who does not read does not close either.
  setTimeout(() => socket.terminate(), CLOSE_MS).unref()
}

function sayGoodbye(viewer: TerminalViewer, { sentence, hint }: Pick<Refusal, 'sentence' | 'hint'>): void {
  viewer.send({ type: 'gone', sentence, hint })
  viewer.close()
}

/** Whoever does not answer until the next ping is no longer there. */
function keepAlive(socket: WebSocket, check: () => void): () => void {
  let isAlive = true
  socket.on('pong', () => {
    isAlive = true
  })
  const timer = setInterval(() => {
    if (!isAlive) {
      socket.terminate()
      return
    }
    isAlive = false
    socket.ping()
    check()
  }, PING_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function read(data: Buffer): TerminalFromClient | undefined {
  try {
    return terminalFromClient.parse(JSON.parse(data.toString('utf8')))
  } catch {
    return undefined
  }
}
