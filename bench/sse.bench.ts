/**
 * What one event costs when 100 clients watch: our hub, which puts a window into words once and shares the bytes,
 * against a stream of the usual kind, which serialises and writes each event for each client, and against the limit,
 * writing the same bytes to bare sockets. Every client must get every event in order. Then, on the real clock, whether
 * more than 10,000 events per second are kept up with.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer as createBareServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { FixtureFleet } from '../tests/samples/fixture-fleet.ts'
import type { DoorEnv } from '../src/api/door-env.ts'
import { mountStream, type StreamClient, type StreamSource } from '../src/api/stream.ts'
import type { Event } from '../src/contract/events.ts'
import type { AgentView } from '../src/contract/views.ts'
import { describe } from '../src/core/describe.ts'
import type { Clock } from '../src/core/ports.ts'
import { createListener } from '../src/daemon/listen.ts'
import { StreamHub } from '../src/daemon/stream-hub.ts'
import { systemClock } from '../src/daemon/system-clock.ts'
import { brokenOf, median, rounded } from './measure.ts'
import { IN_PROCESS_FLAGS } from './product.ts'
import type { Received } from './sse-readers.ts'

const CLIENTS = 100
const AGENTS = 100
/** What comes in one window of 50 ms at 10,000 per second. */
const WINDOW = 500
const WINDOWS = 20
const PEER_WINDOWS = 2
const ROUNDS = 3
const AHEAD_BYTES = 512 * 1024
const RATE = 10_500
const PACED_SECONDS = 3

export const flags = IN_PROCESS_FLAGS

export async function run(): Promise<object> {
  const times = { ours: [] as number[], peer: [] as number[], limit: [] as number[] }
  for (let round = -1; round < ROUNDS; round += 1) {
    const ours = await measureHub()
    const peer = await measurePeer()
    const limit = await measureLimit(ours.frames)
    // Round -1 warms the machine up.
    if (round < 0) continue
    times.ours.push(ours.micros)
    times.peer.push(peer)
    times.limit.push(limit)
  }
  const paced = await measurePaced()
  const micros = (name: keyof typeof times) => rounded(median(times[name]))
  return {
    bench: 'sse',
    ours: micros('ours'),
    peer: micros('peer'),
    limit: micros('limit'),
    unit: `µs per event until ${CLIENTS} clients have it`,
    ratio: rounded(micros('peer') / micros('ours')),
    ofLimit: rounded(micros('ours') / micros('limit')),
    eventsPerSecond: Math.round(1e6 / micros('ours')),
    paced,
    ...brokenOf({ 'every client gets every event in order': paced.complete }),
  }
}

/** Windows as fast as they go: the next is closed when nobody is more than a few of them behind. */
async function measureHub(): Promise<{ micros: number; frames: readonly Uint8Array[] }> {
  const house = new House()
  const clock = new HandClock()
  const hub = hubOver(house, clock)
  const gate = await openGate(hub)
  const frames: Uint8Array[] = []
  hub.open({ ...DEAF, write: (frame) => void frames.push(frame) }, undefined)
  const beganAt = performance.now()
  for (let window = 0; window < WINDOWS; window += 1) {
    hub.take(house.events(WINDOW), house.ids)
    clock.fire()
    await gate.drained()
  }
  hub.close()
  const received = await gate.received
  const micros = (1_000 * (performance.now() - beganAt)) / (WINDOW * WINDOWS)
  check(received, WINDOW * WINDOWS)
  await gate.close()
  return { micros, frames: frames.slice(1) }
}

/** Each event is serialised and written for each client, with the agent that it is about. */
async function measurePeer(): Promise<number> {
  const house = new House()
  const clients = new Set<StreamClient>()
  const gate = await openGate({
    open: (client) => {
      clients.add(client)
      client.write(new TextEncoder().encode('event: snapshot\ndata: {}\n\n'))
      return () => clients.delete(client)
    },
  })
  const beganAt = performance.now()
  for (let window = 0; window < PEER_WINDOWS; window += 1) {
    for (const event of house.events(WINDOW)) {
      for (const client of clients) client.write(house.alone(event))
    }
    await gate.drained()
  }
  const bye = new TextEncoder().encode('event: bye\ndata: {}\n\n')
  for (const client of clients) client.end(bye)
  const received = await gate.received
  const micros = (1_000 * (performance.now() - beganAt)) / (WINDOW * PEER_WINDOWS)
  check(received, WINDOW * PEER_WINDOWS)
  await gate.close()
  return micros
}

/** The frames of our hub, written to sockets with nothing between. */
async function measureLimit(frames: readonly Uint8Array[]): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createBareServer((socket) => void sockets.add(socket))
  const port = await listen(server)
  const readers = startReaders(port, 'raw')
  await readers.ready
  while (sockets.size < CLIENTS) await turn()
  const beganAt = performance.now()
  for (const frame of frames) {
    const full = [...sockets].filter((socket) => !socket.write(frame))
    await Promise.all(full.map((socket) => once(socket, 'drain')))
  }
  for (const socket of sockets) socket.end()
  const received = await readers.received
  const micros = (1_000 * (performance.now() - beganAt)) / (WINDOW * WINDOWS)
  if (!received.alike) throw new Error('bare sockets lost bytes')
  server.close()
  return micros
}

/** So many events every 10 ms, whether or not anybody keeps up. */
async function measurePaced() {
  const house = new House()
  const hub = hubOver(house, systemClock)
  const gate = await openGate(hub)
  const before = process.cpuUsage()
  const beganAt = performance.now()
  const total = RATE * PACED_SECONDS
  for (let fed = 0; fed < total; await sleep(10)) {
    const due = Math.min(total, Math.floor((RATE * (performance.now() - beganAt)) / 1_000))
    if (due > fed) hub.take(house.events(due - fed), house.ids)
    fed = Math.max(fed, due)
  }
  const fedMs = performance.now() - beganAt
  const kept = hub.clients
  hub.close()
  const received = await gate.received
  const tookMs = performance.now() - beganAt
  const { user, system } = process.cpuUsage(before)
  await gate.close()
  return {
    eventsPerSecond: Math.round((1_000 * total) / fedMs),
    delivered: Math.round((1_000 * received.events) / tookMs),
    clientsKept: kept - 1,
    complete: received.alike && received.inOrder && received.events === total,
    lagMs: Math.round(tookMs - fedMs),
    megabytesPerSecond: Math.round((CLIENTS * received.bytes) / 1_000 / tookMs),
    ofOneCore: rounded((user + system) / 1_000 / tookMs),
  }
}

/** Agents that change, and nothing else: what the hub is told and asks for. */
class House {
  readonly #fleet = new FixtureFleet({ agents: AGENTS })
  readonly #views: ReadonlyMap<string, AgentView>
  readonly ids = this.#fleet.ids

  constructor() {
    this.#views = new Map(this.#fleet.snapshot(0).agents.map((agent) => [agent.id, agent]))
  }

  agent = (id: string) => this.#views.get(id)
  status = () => this.#fleet.status(0)

  events(count: number): Event[] {
    return this.#fleet.change(0, count).events.map(({ sentence: _, ...event }) => event as Event)
  }

  alone(event: Event): Uint8Array {
    const agents = 'agent' in event ? [this.agent(event.agent)] : []
    const data = { seq: event.seq, at: 0, agents, gone: [], events: [{ ...event, sentence: describe(event) }] }
    return new TextEncoder().encode(`id: ${event.seq}\nevent: change\ndata: ${JSON.stringify(data)}\n\n`)
  }
}

function hubOver({ status, ids, agent }: House, clock: Clock): StreamHub {
  return new StreamHub({ clock, boot: 'bench', seq: 0, status, ids: () => ids, agent, light: () => '' })
}

/** Timers go off when the benchmark says so; there is only the one of the open window that matters. */
class HandClock implements Clock {
  #calls = new Set<() => void>()

  now = () => systemClock.now()

  wakeAt(_: number, call: () => void): () => void {
    this.#calls.add(call)
    return () => this.#calls.delete(call)
  }

  fire(): void {
    const calls = [...this.#calls]
    this.#calls.clear()
    for (const call of calls) call()
  }
}

const DEAF: StreamClient = {
  pendingBytes: () => 0,
  isWelcome: () => true,
  write: () => {},
  end: () => {},
  drop: () => {},
}

/** The real listener and route, with all clients connected. */
async function openGate(source: StreamSource) {
  const clients: StreamClient[] = []
  const app = new Hono<DoorEnv>()
  const stream: StreamSource = {
    open: (client, lastSeq) => {
      clients.push(client)
      return source.open(client, lastSeq)
    },
  }
  mountStream(app, { stream, callerOf: () => ({ kind: 'owner', via: 'cli' }) })
  const { server, open, close } = createListener(app)
  open({ via: 'socket' })
  const readers = startReaders(await listen(server), 'http')
  await readers.ready
  const drained = async () => {
    while (clients.some((client) => client.pendingBytes() > AHEAD_BYTES)) await turn()
  }
  return { received: readers.received, drained, close }
}

function startReaders(port: number, kind: 'http' | 'raw') {
  const readers = fork(join(import.meta.dirname, 'sse-readers.ts'), [String(port), String(CLIENTS), kind], {
    // The daemon's flags are not those of its clients.
    execArgv: [],
  })
  const heard = (isWanted: (message: unknown) => boolean) =>
    new Promise<unknown>((resolve, reject) => {
      readers.on('message', (message) => {
        if (isWanted(message)) resolve(message)
      })
      readers.once('exit', (code) => reject(new Error(`the readers ended with ${code}`)))
    })
  const ready = heard((message) => message === 'ready')
  const received = heard((message) => message !== 'ready') as Promise<Received>
  received.catch(() => {})
  return { ready, received }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

function check({ events, inOrder, alike }: Received, expected: number): void {
  if (events === expected && inOrder && alike) return
  throw new Error(`Not every client got every event in order: ${JSON.stringify({ events, expected, inOrder, alike })}`)
}
