/**
 * The servers that the benchmark `http` compares with, each a process of its own, as the daemon is. The peer is what a
 * careful person writes with node:http and node:sqlite: it checks the Host, the run's token by its keyed hash and that
 * it is of this agent, the kind and the shape of the body, and answers when a transaction of its own is synced to the
 * disk. The limit reads the body, checks and keeps nothing.
 */
import { mkdirSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { heartbeatBody } from '../src/contract/bodies.ts'
import { homeId } from '../src/daemon/home-id.ts'
import { runTokens } from '../src/daemon/run-token.ts'
import { homeToken } from '../src/daemon/token.ts'

export interface Ready {
  port: number
}

/** A status, and what is answered with it. */
type Answer = [number, object]
type Take = (request: IncomingMessage, body: Buffer) => Answer

const [kind = '', home = ''] = process.argv.slice(2)
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const [status, answer] = take(request, Buffer.concat(chunks))
    const body = JSON.stringify(answer)
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    response.writeHead(status, headers).end(body)
  })
})
server.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const { port } = server.address() as AddressInfo
const take: Take = kind === 'peer' ? peer() : limit
process.send?.({ port } satisfies Ready)
process.once('disconnect', () => process.exit())

function limit(_: IncomingMessage, body: Buffer): Answer {
  JSON.parse(body.toString())
  return [200, { taken: true }]
}

function peer(): Take {
  mkdirSync(home, { recursive: true, mode: 0o700 })
  const { handleOf } = runTokens(homeToken(home), homeId(home))
  const database = new DatabaseSync(join(home, 'peer.db'))
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  database.exec('CREATE TABLE agents (id TEXT PRIMARY KEY, at INTEGER, said TEXT)')
  const keep = database.prepare('INSERT OR REPLACE INTO agents VALUES (?, ?, ?)')
  return ({ headers, url = '' }, body) => {
    if (headers.host !== `127.0.0.1:${port}`) return [403, { error: 'not called by this name' }]
    const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
    const handle = token === undefined ? undefined : handleOf(token)
    if (handle === undefined) return [401, { error: 'no token of this home' }]
    const agent = /^\/api\/agents\/([^/]+)\/heartbeat$/.exec(url)?.[1]
    if (agent !== handle.agent) return [403, { error: 'the token of another agent' }]
    if (headers['content-type'] !== 'application/json') return [400, { error: 'not JSON' }]
    const said = heartbeatBody.safeParse(JSON.parse(body.toString()))
    if (!said.success) return [400, { error: said.error.message }]
    keep.run(agent, Date.now(), JSON.stringify(said.data))
    return [200, { agent, generation: handle.generation, taken: true }]
  }
}
