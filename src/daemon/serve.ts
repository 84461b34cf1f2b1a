/**
 * The API on the home's unix socket, over the running loop and its journal.
 * Call it with the home's lock held: only then is a socket file that is already there known to be a left-over.
 */
import { randomUUID } from 'node:crypto'
import { chmodSync, lstatSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import type { Socket } from 'node:net'
import { setImmediate as nextRound } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import { createApp } from '../api/app.ts'
import type { ApiDeps } from '../api/deps.ts'
import type { Clock, Journal } from '../core/ports.ts'
import { describe } from '../core/describe.ts'
import { explainView } from '../core/explain.ts'
import { agentsView, agentView, statusView } from '../core/views.ts'
import type { World } from '../core/world.ts'
import type { Loop } from './loop.ts'
import { newestEvents } from './serve-events.ts'
import { answerOnce } from './serve-once.ts'
import { homeToken } from './token.ts'

export const SOCKET_NAME = 'daemon.sock'

const MAX_CONNECTIONS = 256
const HEADERS_MS = 5_000
const REQUEST_MS = 15_000
const CLOSE_MS = 1_000
/** The kernel's limit for the path of a unix socket, its end included, is 108. */
const MAX_SOCKET_PATH = 107

export interface ServeOptions {
  loop: Pick<Loop, 'submit' | 'world'>
  journal: Pick<Journal, 'events'>
  home: string
  /** Ages are told as of now; without a clock, as of the last input. */
  clock?: Clock
  attach: ApiDeps['attach']
  lives: ApiDeps['lives']
  spawnDefaults: ApiDeps['spawnDefaults']
  /** A person asked the daemon to go down; called after the answer was given. */
  stop: () => void
  problem: (error: unknown) => void
}

export interface Serving {
  socket: string
  close: () => Promise<void>
}

export async function serve(options: ServeOptions): Promise<Serving> {
  const socket = join(options.home, SOCKET_NAME)
  clearTheWay(socket)
  const app = createApp(apiDeps(options))
  const server = createAdaptorServer({
    fetch: (request, { incoming }) => app.fetch(request, { isGone: () => isGone(incoming.socket) }),
    serverOptions: {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: HEADERS_MS,
      connectionsCheckingInterval: HEADERS_MS,
    },
  }) as Server
  server.maxConnections = MAX_CONNECTIONS
  await listen(server, socket)
  server.on('error', options.problem)
  return { socket, close: () => close(server) }
}

/**
 * Whether the client has hung up. A daemon that was stopped and goes on finds a request and the end of its client in
 * the same moment, but is told of the request first: only after a round of the event loop is the end known, too.
 */
async function isGone(socket: Pick<Socket, 'readableEnded' | 'destroyed'>): Promise<boolean> {
  for (let round = 0; round < 2; round += 1) await nextRound()
  return socket.destroyed || socket.readableEnded
}

function clearTheWay(socket: string): void {
  if (Buffer.byteLength(socket) > MAX_SOCKET_PATH) {
    throw new Error(
      `Cannot listen on ${socket}: the path is longer than ${MAX_SOCKET_PATH} bytes. ` +
        'Set PANOPTICON_HOME to a folder with a shorter path.',
    )
  }
  const stats = lstatSync(socket, { throwIfNoEntry: false })
  if (stats === undefined) return
  if (!stats.isSocket()) throw new Error(`Cannot listen on ${socket}: something else is there. Move it away.`)
  rmSync(socket)
}

/** The API over a loop and its journal, before anybody listens. */
export function apiDeps(options: ServeOptions): ApiDeps {
  const { loop, journal, home, clock, attach, lives, spawnDefaults, stop, problem } = options
  const { world } = loop
  const now = () => worldNow(world, clock)
  return {
    token: homeToken(home),
    pid: process.pid,
    newId: randomUUID,
    submit: answerOnce((envelope) => loop.submit(envelope)),
    status: () => statusView(now()),
    agents: () => agentsView(now()),
    agent: (id) => agentView(now(), id),
    explain: (id) => explainView(now(), id),
    activities: (id) => world.agents.get(id)?.activities ?? [],
    events: (wish) => newestEvents(journal, world.house.seq, wish),
    lastSeq: () => world.house.seq,
    describe,
    attach,
    lives,
    spawnDefaults,
    stopDaemon: () => void setTimeout(stop, 0),
    problem,
  }
}

/** Observed time stands still between two inputs; what is shown should not. */
function worldNow(world: World, clock: Clock | undefined): World {
  if (clock === undefined) return world
  const passedMs = Math.max(0, clock.now().monoAt - world.observer.monoAt)
  return { ...world, house: { ...world.house, observedAt: world.house.observedAt + passedMs } }
}

function listen(server: Server, socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(socket, () => {
      server.off('error', reject)
      chmodSync(socket, 0o600)
      resolve()
    })
  })
}

/** Answers under way get a moment to finish; nobody can hold the daemon up for longer. */
function close(server: Server): Promise<void> {
  const late = setTimeout(() => server.closeAllConnections(), CLOSE_MS)
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(late)
      resolve()
    })
    server.closeIdleConnections()
  })
}
