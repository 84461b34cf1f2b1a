/** The stream over a real socket: order, resume, slow readers, restart; and the dashboard's own client at its end. */
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { Hono } from 'hono'
import { expect, onTestFinished, test } from 'vitest'
import { LiveState } from '../../dashboard/src/live/live-state.ts'
import { SseParser, type SseMessage } from '../../dashboard/src/live/sse-parser.ts'
import { StreamClient } from '../../dashboard/src/live/stream-client.ts'
import { VirtualClock } from '../fakes/virtual-clock.ts'
import type { DoorEnv } from '../../src/api/door-env.ts'
import { mountStream } from '../../src/api/stream.ts'
import type { Event } from '../../src/contract/events.ts'
import { streamBye, streamChange, streamSnapshot } from '../../src/contract/stream.ts'
import { agentsView, statusView } from '../../src/core/views.ts'
import { createWorld } from '../../src/core/world.ts'
import { createListener } from '../../src/daemon/listen.ts'
import { serve, type ServeOptions } from '../../src/daemon/serve.ts'
import { StreamHub } from '../../src/daemon/stream-hub.ts'
import { homeToken } from '../../src/daemon/token.ts'
import { SETTINGS } from '../samples/agents.ts'
import { playedHouse } from './served-house.ts'

const SCHEMAS = { snapshot: streamSnapshot, change: streamChange, bye: streamBye }

type Where = { socketPath: string } | { host: string; port: number }

function get(where: Where, headers: Record<string, string>): Promise<IncomingMessage> {
  const asked = request({ ...where, path: '/api/stream', headers })
  asked.end()
  return once(asked, 'response').then(([response]) => response as IncomingMessage)
}

/** A reader that can wait for what it wants to hear. */
async function listenTo(where: Where, headers: Record<string, string>) {
  const response = await get(where, headers)
  onTestFinished(() => void response.destroy())
  const messages: SseMessage[] = []
  let heard = () => {}
  const parser = new SseParser((message) => {
    messages.push(message)
    // Whatever is sent must be what the contract says.
    SCHEMAS[message.event as keyof typeof SCHEMAS].parse(JSON.parse(message.data))
    heard()
  })
  response.setEncoding('utf8').on('data', (text: string) => parser.push(text))
  const ended = once(response, 'close').then(() => 'ended')
  const until = async (wanted: () => boolean) => {
    while (!wanted()) {
      const more = new Promise<void>((resolve) => {
        heard = resolve
      })
      if ((await Promise.race([more, ended])) === 'ended') throw new Error('the stream ended too early')
    }
  }
  const named = (name: string) => messages.filter(({ event }) => event === name)
  const seqs = () =>
    named('change').flatMap(({ data }) => (JSON.parse(data) as { events: Event[] }).events.map(({ seq }) => seq))
  return { response, messages, named, seqs, until }
}

async function served(options: ServeOptions) {
  const serving = await serve(options)
  onTestFinished(() => serving.close())
  const headers = { authorization: `Bearer ${homeToken(options.home)}` }
  return { serving, where: { socketPath: serving.socket }, headers }
}

test('everything that happens comes in order, once, and can be taken up again', async () => {
  const { house, options } = await playedHouse('spawn agent-1')
  const { where, headers } = await served(options)
  const first = await listenTo(where, headers)
  await first.until(() => first.named('snapshot').length === 1)
  expect(first.response.headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
  })
  const began = Number(first.messages[0]?.id)
  await house.spawn('agent-2')
  await house.wait(60_000)
  const seen = house.loop.durable.seq
  await first.until(() => Number(first.messages.at(-1)?.id) === seen)
  expect(first.seqs()).toEqual(Array.from({ length: seen - began }, (_, index) => began + 1 + index))
  first.response.destroy()

  await house.spawn('agent-3')
  await house.wait(60_000)
  const last = house.loop.durable.seq
  const second = await listenTo(where, { ...headers, 'last-event-id': String(seen) })
  await second.until(() => Number(second.messages.at(-1)?.id) === last)
  expect(second.seqs()).toEqual(Array.from({ length: last - seen }, (_, index) => seen + 1 + index))
  expect(second.named('snapshot')).toEqual([])
})

test('nobody gets it without the token, and rubbish as the last id is a fresh start', async () => {
  const { options } = await playedHouse()
  const { where, headers } = await served(options)
  const refused = await get(where, {})
  refused.resume()
  expect(refused.statusCode).toBe(401)
  for (const id of ['-1', '1e3', 'x', '9'.repeat(30)]) {
    const client = await listenTo(where, { ...headers, 'last-event-id': id })
    await client.until(() => client.messages.length > 0)
    expect(client.messages.map(({ event }) => event)).toEqual(['snapshot'])
  }
})

test('a tab is right about everything, also after the daemon was started again', async () => {
  const { house, options } = await playedHouse('spawn agent-1')
  const first = await served(options)
  const state = new LiveState({ now: () => house.clock.now().wallAt, onFrame: (call) => call() })
  const retries: (() => void)[] = []
  const client = new StreamClient({
    state,
    token: () => homeToken(options.home),
    signedOut: (reason) => expect.unreachable(reason),
    fetch: async (_, { headers } = {}) => {
      const response = await get(first.where, Object.fromEntries(new Headers(headers)))
      onTestFinished(() => void response.destroy())
      return new Response(Readable.toWeb(response) as ReadableStream<Uint8Array>, { status: response.statusCode ?? 0 })
    },
    wait: (ms, call) => {
      if (ms < 45_000) retries.push(call)
      return () => {}
    },
    random: () => 1,
  })
  onTestFinished(() => client.stop())
  const isKnown = (wanted: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (wanted()) resolve()
      }
      state.subscribe('connection', look)
      state.watch(look)
      look()
    })
  const isCurrent = () => isKnown(() => state.connection().state === 'live' && state.seq === house.loop.durable.seq)
  const agentsNow = () => {
    const { specialists, issueAgents, projectAgents } = agentsView(house.loop.world)
    return [...specialists, ...issueAgents, ...projectAgents].map(({ id, lifecycle, health, generation }) => {
      return { id, lifecycle, health, generation }
    })
  }
  const shown = () =>
    state.agents().map(({ id, lifecycle, health, generation }) => ({ id, lifecycle, health, generation }))

  client.start()
  await house.spawn('agent-2')
  await house.wait(120_000)
  await isCurrent()
  expect(shown()).toEqual(agentsNow())
  const { boot } = state

  await first.serving.close()
  await isKnown(() => state.connection().state === 'offline')
  expect(state.connection().reason).toBe('The daemon stops. Connect again when it is back; agents go on meanwhile.')
  house.crash()
  await house.boot()
  await served({ ...options, loop: house.loop, journal: house.journal })
  retries.pop()?.()
  await isKnown(() => state.boot !== boot)
  await house.submit({ type: 'cloister.stop' })
  await house.wait(120_000)
  await isCurrent()
  expect(shown()).toEqual(agentsNow())
  expect(state.status()).toEqual(JSON.parse(JSON.stringify({ ...statusView(house.loop.world) })))
})

/** A hub with nothing behind it, on a port of its own. */
async function bareHub() {
  const world = createWorld(SETTINGS)
  const clock = new VirtualClock(0)
  let seq = 0
  const hub = new StreamHub({
    clock,
    boot: 'bare',
    seq,
    status: () => statusView(world),
    ids: () => [],
    agent: () => undefined,
    light: () => '',
  })
  const app = new Hono<DoorEnv>()
  mountStream(app, { stream: hub, callerOf: () => ({ kind: 'owner', via: 'cli' }) })
  const { server, open, close } = createListener(app)
  open({ via: 'socket' })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    hub.close()
    await close()
  })
  const take = async (count: number, why = '') => {
    const events = Array.from({ length: count }, (): Event => {
      seq += 1
      return { seq, at: 0, observedAt: 0, type: 'house.blinded', why }
    })
    hub.take(events, [])
    await clock.advance(50)
  }
  const { port } = server.address() as AddressInfo
  return { hub, clock, server, take, where: { host: '127.0.0.1', port }, seq: () => seq }
}

test('who stops reading is let go with a reason; who reads gets everything', async () => {
  const { hub, take, where, seq } = await bareHub()
  const slow = await get(where, {})
  onTestFinished(() => void slow.destroy())
  const quick = await listenTo(where, {})
  await quick.until(() => quick.messages.length > 0)
  expect(hub.clients).toBe(2)
  // Nobody reads `slow`: what the sockets hold and then the whole allowance fill up.
  while (hub.clients === 2) {
    await take(50, 'x'.repeat(10_000))
    await quick.until(() => Number(quick.messages.at(-1)?.id) === seq())
  }
  await take(1)
  await quick.until(() => Number(quick.messages.at(-1)?.id) === seq())
  expect(quick.seqs()).toEqual(Array.from({ length: seq() }, (_, index) => index + 1))

  // It wakes up within the time that it is given, and finds out why.
  const messages: SseMessage[] = []
  const parser = new SseParser((message) => void messages.push(message))
  slow.setEncoding('utf8').on('data', (text: string) => parser.push(text))
  await once(slow, 'end')
  expect(messages.at(-1)).toMatchObject({ event: 'bye' })
  expect(JSON.parse(messages.at(-1)?.data ?? '')).toMatchObject({ code: 'slow' })
  expect(messages.map(({ event }) => event)).toEqual([
    'snapshot',
    ...Array.from({ length: messages.length - 2 }, () => 'change'),
    'bye',
  ])
})

test('who never reads at all is cut off', async () => {
  const { hub, clock, server, take, where } = await bareHub()
  const closed = new Promise<void>((resolve) => {
    server.once('connection', (socket) => void socket.once('close', resolve))
  })
  const never = await get(where, {})
  onTestFinished(() => void never.destroy())
  never.on('error', () => {})
  while (hub.clients === 1) {
    await take(50, 'x'.repeat(10_000))
  }
  await clock.advance(5_000)
  await closed
})
