/**
 * Heartbeats of agents by POST over TCP, each with its run's token, answered when it is durable; 64 connections that
 * stay. Ours is the built daemon with its own flags, watching 16 agents that rest in real panes. The peer does the same
 * checks and syncs each heartbeat by itself; the limit checks and keeps nothing: see http-servers.ts. All three are
 * processes of their own.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runTokens } from '../src/daemon/run-token.ts'
import { homeId } from '../src/daemon/home-id.ts'
import { homeToken } from '../src/daemon/token.ts'
import type { Ready } from './http-servers.ts'
import { median, rounded } from './measure.ts'
import { handleOf, QuietFleet } from './quiet-fleet.ts'

const AGENTS = 16
/** The peer is slow, and its cost per heartbeat does not change. */
const HEARTBEATS = { ours: 6_000, peer: 1_000, limit: 6_000 }
const CONNECTIONS = 64
const ROUNDS = 5
const BODY = JSON.stringify({ state: 'active', tool: 'Bash', action: 'Bash: npm test -- --run tests/api' })

export const built = true

type Kind = keyof typeof HEARTBEATS

export async function run(): Promise<object> {
  const fleet = new QuietFleet(AGENTS)
  const peers: ChildProcess[] = []
  try {
    await fleet.start()
    fleet.startDaemon()
    const peer = await startPeer('peer', join(fleet.folder, 'peer'), peers)
    const limit = await startPeer('limit', '', peers)
    const servers: [Kind, Target][] = [
      ['ours', { port: await daemonPort(fleet.home), home: fleet.home }],
      ['peer', { port: peer, home: join(fleet.folder, 'peer') }],
      ['limit', { port: limit, home: fleet.home }],
    ]
    return report(await measure(servers, fleet))
  } finally {
    for (const child of peers) child.disconnect()
    await fleet.remove()
  }
}

interface Target {
  port: number
  /** Whose tokens it takes. */
  home: string
}

async function startPeer(kind: Kind, home: string, peers: ChildProcess[]): Promise<number> {
  const child = fork(join(import.meta.dirname, 'http-servers.ts'), [kind, home])
  peers.push(child)
  const { port } = await new Promise<Ready>((resolve, reject) => {
    child.once('message', (ready) => resolve(ready as Ready))
    child.once('exit', (code) => reject(new Error(`the server «${kind}» ended with ${code}`)))
  })
  return port
}

async function daemonPort(home: string): Promise<number> {
  const file = join(home, 'dashboard.json')
  for (let tries = 0; tries < 300; tries += 1) {
    await sleep(100)
    if (existsSync(file) && existsSync(join(home, 'daemon.sock'))) {
      return Number(new URL((JSON.parse(readFileSync(file, 'utf8')) as { url: string }).url).port)
    }
  }
  throw new Error('the daemon did not come up within 30 s')
}

async function measure(servers: readonly [Kind, Target][], { agents }: QuietFleet) {
  const times: Record<Kind, number[]> = { ours: [], peer: [], limit: [] }
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [kind, target] of servers) {
      const { tokenOf } = runTokens(homeToken(target.home), homeId(target.home))
      const requests = agents.map((agent) => request(target.port, agent.id, tokenOf(handleOf(agent))))
      const sockets = await connections(target.port)
      const before = performance.now()
      await beat(sockets, requests, HEARTBEATS[kind])
      // Round -1 warms the machine up.
      if (round >= 0) times[kind].push((1000 * (performance.now() - before)) / HEARTBEATS[kind])
      for (const socket of sockets) socket.destroy()
    }
  }
  return times
}

function report(times: Record<Kind, readonly number[]>): object {
  const [ours, peer, limit] = [median(times.ours), median(times.peer), median(times.limit)]
  return {
    bench: 'http',
    ours: rounded(ours),
    peer: rounded(peer),
    limit: rounded(limit),
    unit: `µs per heartbeat, checked and durable, ${CONNECTIONS} connections`,
    ratio: rounded(peer / ours),
    timesLimit: rounded(ours / limit),
    perSecond: Math.round(1e6 / ours),
  }
}

async function connections(port: number): Promise<Socket[]> {
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, '127.0.0.1'))
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
  for (const socket of sockets) socket.setNoDelay(true)
  return sockets
}

function request(port: number, agent: string, token: string): Buffer {
  return Buffer.from(
    [
      `POST /api/agents/${agent}/heartbeat HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      `Authorization: Bearer ${token}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(BODY)}`,
      '',
      BODY,
    ].join('\r\n'),
  )
}

/** Each connection sends its next heartbeat when the last one was answered. */
function beat(sockets: readonly Socket[], requests: readonly Buffer[], count: number): Promise<void> {
  let sent = 0
  let answered = 0
  return new Promise((resolve, reject) => {
    sockets.forEach((socket, n) => {
      const request = requests[n % requests.length] ?? Buffer.alloc(0)
      const next = () => {
        if (sent >= count) return
        sent += 1
        socket.write(request)
      }
      let text = ''
      const take = (chunk: Buffer) => {
        text += chunk.toString('latin1')
        if (!text.endsWith('}')) return
        if (!text.includes('"taken":true')) reject(new Error(`not taken: ${text.slice(0, 500)}`))
        text = ''
        answered += 1
        if (answered < count) return next()
        resolve()
      }
      socket.on('data', take)
      socket.once('close', () => reject(new Error('the server hung up')))
      next()
    })
  })
}
