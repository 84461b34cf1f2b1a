/** The API on its unix socket: who may come in, what is left over, and that closing never hangs. */
import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from '../../src/daemon/serve.ts'
import { homeToken } from '../../src/daemon/token.ts'
import { playedHouse } from './served-house.ts'

function ask(home: string, path: string, given: { method?: string; headers?: object; body?: string } = {}) {
  return new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = given
    const options = { socketPath: join(home, 'daemon.sock'), path, method, headers: { ...headers }, agent: false }
    const sent = request(options, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

async function served(...lines: string[]) {
  const house = await playedHouse(...lines)
  const serving = await serve(house.options)
  onTestFinished(() => serving.close())
  return { ...house, ...serving, authorization: `Bearer ${homeToken(house.home)}` }
}

test('only the owner can reach it, and only with the token', async () => {
  const { home, authorization, socket } = await served('spawn agent-1')
  expect(statSync(socket).mode & 0o777).toBe(0o600)
  expect(statSync(join(home, 'token')).mode & 0o777).toBe(0o600)
  expect(await ask(home, '/healthz')).toEqual({ status: 200, body: { ok: true } })
  expect((await ask(home, '/api/agents')).status).toBe(401)
  expect((await ask(home, '/api/agents', { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
  const headers = { authorization }
  expect(await ask(home, '/api/agents/agent-1', { headers })).toMatchObject({ status: 200, body: { id: 'agent-1' } })
  expect((await ask(home, '/api/agents/agent-1', { headers, method: 'DELETE' })).status).toBe(405)
  expect((await ask(home, '/api/agents/..%2f..%2ftoken', { headers })).status).toBe(400)
})

test('a body that is too large is refused, and the next request is served', async () => {
  const { home, authorization } = await served('spawn agent-1')
  const headers = { authorization, 'content-type': 'application/json' }
  const body = JSON.stringify({ message: 'x'.repeat(2 * 1024 * 1024) })
  const refused = await ask(home, '/api/agents/agent-1/message', { method: 'POST', headers, body }).catch(
    (error: NodeJS.ErrnoException) => error.code,
  )
  // The server may hang up before all of it was sent.
  expect([413, 'EPIPE', 'ECONNRESET']).toContain(typeof refused === 'object' ? refused.status : refused)
  expect((await ask(home, '/api/agents', { headers })).status).toBe(200)
})

test('a left-over socket is replaced; anything else that is there is not', async () => {
  const { options, home } = await playedHouse()
  const socket = join(home, 'daemon.sock')
  const old = createServer().listen(socket)
  await new Promise((resolve) => old.once('listening', resolve))
  onTestFinished(() => void old.close())
  const serving = await serve(options)
  expect(await ask(home, '/healthz')).toMatchObject({ status: 200 })
  await serving.close()
  writeFileSync(socket, 'precious')
  await expect(serve(options)).rejects.toThrow(`Cannot listen on ${socket}: something else is there. Move it away.`)
  expect(readFileSync(socket, 'utf8')).toBe('precious')
})

test('a home whose socket path is too long is named', async () => {
  const { options, home } = await playedHouse()
  const long = join(home, 'x'.repeat(100))
  mkdirSync(long, { mode: 0o700 })
  await expect(serve({ ...options, home: long })).rejects.toThrow('the path is longer than 107 bytes')
})

test('asked to go down, it answers first', async () => {
  const { home, authorization, stops } = await served()
  const stopped = await ask(home, '/api/daemon/stop', { method: 'POST', headers: { authorization } })
  expect(stopped).toEqual({ status: 202, body: { pid: process.pid } })
  await expect.poll(stops).toBe(1)
})

test('closing does not wait for those who neither speak nor leave', async () => {
  const { options, home } = await playedHouse()
  const serving = await serve(options)
  const mute = connect(serving.socket)
  const half = connect(serving.socket)
  onTestFinished(() => [mute, half].forEach((client) => client.destroy()))
  // Being cut off is what they are here for.
  for (const client of [mute, half]) client.on('error', () => undefined)
  half.write('POST /api/cloister/stop HTTP/1.1\r\nhost: x\r\n')
  await Promise.all([mute, half].map((client) => new Promise((resolve) => client.once('connect', resolve))))
  await serving.close()
  expect(statSync(join(home, 'daemon.sock'), { throwIfNoEntry: false })).toBeUndefined()
})

test('the token stays the same, unless others could have read it or it is not whole', async () => {
  const { home } = await playedHouse()
  const file = join(home, 'token')
  const first = homeToken(home)
  expect(first).toMatch(/^[0-9a-f]{64}$/)
  expect(homeToken(home)).toBe(first)
  chmodSync(file, 0o644)
  const second = homeToken(home)
  expect(second).not.toBe(first)
  writeFileSync(file, second.slice(0, 10))
  expect(homeToken(home)).not.toBe(second)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('what a client asked for that has hung up meanwhile is not carried out', async () => {
  const { home, house, authorization } = await served('spawn agent-1')
  const gone = connect(join(home, 'daemon.sock'))
  await new Promise((resolve) => gone.once('connect', resolve))
  const head = `POST /api/cloister/stop HTTP/1.0\r\nhost: x\r\nauthorization: ${authorization}\r\n`
  // Both are there before the server, in this very process, gets to read either.
  gone.write(`${head}content-length: 0\r\n\r\n`)
  gone.destroy()
  const headers = { authorization }
  expect(await ask(home, '/api/cloister/status', { headers })).toMatchObject({ body: { running: true } })
  expect(house.loop.world.house.monitoring).toBe('running')
  expect((await ask(home, '/api/cloister/stop', { method: 'POST', headers })).status).toBe(202)
  expect(house.loop.world.house.monitoring).toBe('paused')
})
