/**
 * The API over the running loop and its journal: on the home's unix socket, and on a port of loopback for browsers.
 * Call it with the home's lock held: only then is a socket file that is already there known to be a left-over.
 */
import { chmodSync, lstatSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { createApp } from '../api/app.ts'
import { apiDeps, type ApiOptions } from './api-deps.ts'
import { createListener, type Listener } from './listen.ts'
import { listenOnLoopback } from './listen-port.ts'
import { readAssets } from './read-assets.ts'

export const SOCKET_NAME = 'daemon.sock'

/** The kernel's limit for the path of a unix socket, its end included, is 108. */
const MAX_SOCKET_PATH = 107

export interface ServeOptions extends ApiOptions {
  /** For browsers; left out, there is only the unix socket. */
  dashboard?: {
    host: string
    port: number
    /** Where the built page lies. */
    folder: string
  }
  say?: (sentence: string) => void
}

export interface Serving {
  socket: string
  /** Where browsers find the dashboard; undefined when no port could be had. */
  url?: string
  /** A link to sign in with, once. */
  invite: () => string | undefined
  close: () => Promise<void>
}

export async function serve(options: ServeOptions): Promise<Serving> {
  const { home, dashboard, problem } = options
  const socket = join(home, SOCKET_NAME)
  clearTheWay(socket)
  let url: string | undefined
  const assets = readAssets(dashboard?.folder ?? '/nonexistent')
  const deps = apiDeps({ ...options, url: () => url, asset: (path) => assets.get(path) })
  const app = createApp(deps)
  const listeners: Listener[] = []
  const close = async () => {
    deps.closeStream()
    deps.closeTerminals()
    await Promise.all(listeners.map((listener) => listener.close()))
    deps.closeDoor()
  }
  const local = createListener(app)
  await listen(local.server, socket)
  listeners.push(local)
  if (dashboard !== undefined) {
    const port = createListener(app)
    listeners.push(port)
    url = await openPort(port, { home, ...dashboard, say: options.say ?? (() => {}) })
    if (url !== undefined) deps.metrics.watch('tcp', () => port.crowd.count())
  }
  // Last: whoever is answered finds the port as it will be.
  local.open({ via: 'socket' })
  deps.metrics.watch('socket', () => local.crowd.count())
  for (const { server } of listeners) server.on('error', problem)
  return { socket, ...(url === undefined ? {} : { url }), invite: () => deps.logins.invite()?.url, close }
}

interface Opening {
  home: string
  host: string
  port: number
  say: (sentence: string) => void
}

/** Agents are watched with or without a dashboard: a port that cannot be had is said and no more. */
async function openPort({ server, open }: Listener, { home, host, port, say }: Opening): Promise<string | undefined> {
  try {
    const { url, hosts, instead } = await listenOnLoopback(server, { home, host, port })
    open({ via: 'tcp', hosts })
    if (instead !== undefined) say(instead)
    say(`The dashboard is at ${url}; \`pan dashboard\` prints a link to sign in with.`)
    return url
  } catch (error) {
    say(`There is no dashboard: ${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
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
