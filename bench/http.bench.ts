/**
 * Heartbeats of agents by POST over TCP, each with its run's token, answered when it is durable in the real journal;
 * 64 connections that stay. Against a plain node:http server that writes and syncs each heartbeat by itself, and
 * against the limit: a plain node:http server that checks and keeps nothing.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { median, rounded } from './measure.ts'
import type { Ready } from './http-servers.ts'

const HEARTBEATS = 6_000
const CONNECTIONS = 64
const ROUNDS = 5
const KINDS = ['ours', 'peer', 'limit'] as const
const BODY = JSON.stringify({ state: 'active', tool: 'Bash', action: 'Bash: npm test -- --run tests/api' })

export async function run(): Promise<object> {
  const root = mkdtempSync(join(tmpdir(), 'cloister-bench-'))
  const workers: Worker[] = []
  const times = { ours: [] as number[], peer: [] as number[], limit: [] as number[] }
  try {
    const servers: { kind: (typeof KINDS)[number]; port: number; requests: Buffer[] }[] = []
    for (const kind of KINDS) {
      const home = join(root, kind)
      mkdirSync(home, { mode: 0o700 })
      const worker = new Worker(new URL('./http-servers.ts', import.meta.url), { workerData: { kind, home } })
      workers.push(worker)
      const ready = await new Promise<Ready>((resolve, reject) => {
        worker.once('message', resolve).once('error', reject)
      })
      servers.push({ kind, port: ready.port, requests: requestsTo(ready) })
    }
    for (let round = -1; round < ROUNDS; round += 1) {
      for (const { kind, port, requests } of servers) {
        const sockets = await connections(port)
        const before = performance.now()
        await beat(sockets, requests)
        // Round -1 warms the machine up.
        if (round >= 0) times[kind].push((1000 * (performance.now() - before)) / HEARTBEATS)
        for (const socket of sockets) socket.destroy()
      }
    }
  } finally {
    for (const worker of workers) await worker.terminate()
    rmSync(root, { recursive: true, force: true })
  }
  const [ours, peer, limit] = KINDS.map((kind) => median(times[kind])) as [number, number, number]
  return {
    bench: 'http',
    ours: rounded(ours),
    peer: rounded(peer),
    limit: rounded(limit),
    unit: `µs per heartbeat, durable, ${CONNECTIONS} connections (peer: node:http, a sync each; limit: node:http, kept nowhere)`,
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

function requestsTo({ port, tokens }: Ready): Buffer[] {
  return Object.entries(tokens).map(([agent, token]) =>
    Buffer.from(
      [
        `POST /api/agents/${agent}/heartbeat HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        `Authorization: Bearer ${token}`,
        'Content-Type: application/json',
        `Content-Length: ${Buffer.byteLength(BODY)}`,
        '',
        BODY,
      ].join('\r\n'),
    ),
  )
}

/** Each connection sends its next heartbeat when the last one was answered. */
function beat(sockets: readonly Socket[], requests: readonly Buffer[]): Promise<void> {
  let sent = 0
  let answered = 0
  return new Promise((resolve, reject) => {
    sockets.forEach((socket, n) => {
      const request = requests[n % requests.length] ?? Buffer.alloc(0)
      const next = () => {
        if (sent >= HEARTBEATS) return
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
        if (answered < HEARTBEATS) return next()
        resolve()
      }
      socket.on('data', take)
      socket.once('close', () => reject(new Error('the server hung up')))
      next()
    })
  })
}
