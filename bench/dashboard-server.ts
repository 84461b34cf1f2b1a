/** A stand-in for the daemon's HTTP side: built pages, and a stream of a made-up fleet at a given rate. */
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { FixtureFleet } from '../tests/samples/fixture-fleet.ts'

const BEAT_MS = 50

export interface FleetServer {
  address: string
  /** Compressed bytes of the pages' files that were asked for since the last question. */
  takeGzipBytes(): number
  close(): Promise<void>
}

export interface FleetServerOptions {
  /** The folder with index.html. */
  folder: string
  agents: number
  eventsPerSecond: number
}

export async function serveFleet(options: FleetServerOptions): Promise<FleetServer> {
  let gzipBytes = 0
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (pathname === '/api/login') return sendJson(response, { token: 'benchmark' })
    if (pathname === '/api/stream') return stream(request, response, options)
    if (pathname === '/api/ribbons') return sendJson(response, fleetOf(options).ribbons(Date.now(), 8))
    const file = join(options.folder, extname(pathname) === '' ? 'index.html' : pathname)
    if (!existsSync(file)) return void response.writeHead(404).end()
    const body = readFileSync(file)
    gzipBytes += gzipSync(body).byteLength
    response.writeHead(200, { 'content-type': TYPES[extname(pathname)] ?? 'text/html' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeGzipBytes: () => {
      const bytes = gzipBytes
      gzipBytes = 0
      return bytes
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

const TYPES: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
}

function fleetOf({ agents }: FleetServerOptions): FixtureFleet {
  return new FixtureFleet({ agents })
}

/** What is owed is counted by the clock, so that a late timer sends more and not less. */
function stream(request: IncomingMessage, response: ServerResponse, options: FleetServerOptions): void {
  const fleet = fleetOf(options)
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  send(response, 'snapshot', fleet.snapshot(Date.now()))
  const startedAt = performance.now()
  let sent = 0
  const beat = setInterval(() => {
    const owed = Math.floor(((performance.now() - startedAt) / 1000) * options.eventsPerSecond) - sent
    if (owed <= 0) return
    sent += owed
    send(response, 'change', fleet.change(Date.now(), owed))
  }, BEAT_MS)
  request.on('close', () => clearInterval(beat))
}

function send(response: ServerResponse, event: string, message: { seq: number }): void {
  response.write(`event: ${event}\nid: ${message.seq}\ndata: ${JSON.stringify(message)}\n\n`)
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
