/** Clients that ask properly and behave badly: what they leave behind, and what they are told. */
import { once } from 'node:events'
import { Socket } from 'node:net'
import { Hono } from 'hono'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { DoorEnv } from '../../src/api/door-env.ts'
import { mountStream } from '../../src/api/stream.ts'
import { apiError } from '../../src/contract/views.ts'
import { createListener } from '../../src/daemon/listen.ts'
import { quietConsole } from '../../src/daemon/quiet-console.ts'
import { rawAsk, rawConnection } from './raw-socket.ts'
import { servedPort } from './served-port.ts'

test('HEAD opens nothing that stays', async () => {
  const { ask, good, port } = await servedPort('spawn agent-1')
  for (let n = 0; n < 130; n += 1) expect((await ask('HEAD /api/stream', good)).status).toBe(405)
  expect((await ask('HEAD /metrics', good)).status).toBe(200)
  expect((await ask('HEAD /api/agents/agent-1/terminal', good)).status).toBe(405)
  const upgrade = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
  const own = `Origin: http://127.0.0.1:${port}`
  const asWebSocket = [...good, own, ...upgrade, 'Connection: Upgrade']
  expect((await ask('HEAD /api/agents/agent-1/terminal', asWebSocket)).status).toBe(405)
  const stream = await rawConnection(port, `GET /api/stream HTTP/1.1\r\n${good.join('\r\n')}\r\n\r\n`)
  const [chunk] = (await once(stream, 'data')) as [Buffer]
  expect(chunk.toString()).toContain('200 OK')
  expect((await ask('GET /metrics', good)).body).toContain('cloister_connections{listener="tcp",kind="long"} 1\n')
})

test('who leaves before the stream begins is not counted for ever', async () => {
  const { ask, good, port } = await servedPort('spawn agent-1')
  const open = `GET /api/stream HTTP/1.1\r\n${good.join('\r\n')}\r\n\r\n`
  for (let n = 0; n < 150; n += 1) (await rawConnection(port, open)).resetAndDestroy()
  const stream = await rawConnection(port, open)
  let text = ''
  stream.on('data', (chunk) => (text += chunk.toString()))
  await expect.poll(() => text).toContain('event: snapshot')
  await expect
    .poll(async () => (await ask('GET /metrics', good)).body)
    .toContain('cloister_connections{listener="tcp",kind="long"} 1\n')
})

test('a stream whose socket is closed before anybody read of it is let go of', async () => {
  let open = 0
  const app = new Hono<DoorEnv>()
  const stream = {
    open: () => {
      open += 1
      let isOpen = true
      return () => {
        open -= Number(isOpen)
        isOpen = false
      }
    },
  }
  mountStream(app, { stream, callerOf: () => ({ kind: 'owner', via: 'cli' }) })
  const [closed, closing] = [new Socket(), new Socket()]
  await once(closed.destroy(), 'close')
  await app.request('/api/stream', {}, { incoming: { socket: closed } })
  expect(open).toBe(0)
  await app.request('/api/stream', {}, { incoming: { socket: closing } })
  expect(open).toBe(1)
  await once(closing.destroy(), 'close')
  expect(open).toBe(0)
})

test('hundreds that ask for files again and again and never read keep nobody outside', async () => {
  const { ask, good, port, host } = await servedPort('spawn agent-1')
  const many = `GET /assets/index-1a2b.js HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(40)
  const clients = await Promise.all(Array.from({ length: 300 }, () => rawConnection(port, many)))
  expect((await ask('GET /api/agents/agent-1', good)).status).toBe(200)
  for (const client of clients) if (!client.destroyed) await once(client.resume(), 'close')
  const { body } = await ask('GET /metrics', good)
  // Of the 12,000 only the first few of each were heard.
  expect(Number(/route="other",status="200"\} (\d+)/.exec(body)?.[1])).toBeLessThanOrEqual(300 * 4)
})

test('the scheme of a token may be written in any way', async () => {
  const { ask, host, token } = await servedPort('spawn agent-1')
  for (const scheme of ['bearer', 'BEARER', 'Bearer']) {
    const headers = [`Host: ${host}`, `Authorization: ${scheme} ${token}`]
    expect((await ask('GET /api/agents', headers)).status).toBe(200)
  }
})

test.each([
  ['rubbish', 'rubbish\r\n\r\n', 400],
  ['a header without a name', 'GET / HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n', 400],
  ['headers without an end', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}`, 431],
  ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
  ['an odd expectation', 'GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n', 417],
  ['headers that take too long', 'GET / HTTP/1.1\r\nHost: x\r\n', 408],
])('%s is answered in the one shape, with the headers', async (_, text, status) => {
  const { port } = await servedPort()
  const answer = await rawAsk(port, text)
  expect([answer.status, apiError.safeParse(JSON.parse(answer.body)).error]).toEqual([status, undefined])
  const lines = answer.head.toLowerCase()
  expect(lines).toContain("content-security-policy: default-src 'none'; ")
  expect(lines).toContain('x-content-type-options: nosniff')
  expect(lines).toContain('cache-control: no-store')
  expect(lines).toContain('content-type: application/json')
})

test('a WebSocket that is refused carries the headers, too', async () => {
  const { ask, host } = await servedPort('spawn agent-1')
  const upgrade = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
  const { status, head } = await ask('GET /api/agents/agent-1/terminal', [
    `Host: ${host}`,
    'Connection: Upgrade',
    ...upgrade,
  ])
  expect([status, head.toLowerCase()]).toEqual([
    403,
    expect.stringContaining("content-security-policy: default-src 'n"),
  ])
})

test('a person who follows a link of another site is told what to do, on a page', async () => {
  const { ask, host } = await servedPort()
  const link = [`Host: ${host}`, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate', 'Sec-Fetch-Dest: document']
  const { status, head, body } = await ask('GET /agents/agent-1', link)
  expect([status, head.toLowerCase()]).toEqual([403, expect.stringContaining('content-type: text/html; charset=utf-8')])
  expect(body).toContain(`http://${host}/`)
  expect(body).toContain('pan dashboard')
  const frame = await ask('GET /', [`Host: ${host}`, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Dest: iframe'])
  expect([frame.status, JSON.parse(frame.body)]).toEqual([403, expect.objectContaining({ code: 'forbidden' })])
})

test('an answer that breaks off is not printed', async () => {
  const printed: unknown[] = []
  const problems: unknown[] = []
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    const before = console[name]
    onTestFinished(() => void (console[name] = before))
    console[name] = (...words) => void printed.push(words)
  }
  quietConsole((error) => void problems.push(error))
  const app = new Hono<DoorEnv>()
  const breaks = (error: Error) =>
    new Response(new ReadableStream({ pull: (controller) => controller.error(error) }), {
      headers: { 'transfer-encoding': 'chunked' },
    })
  const fault = new Error('a fault of our own')
  app.get('/gone', () => breaks(Object.assign(new Error('gone'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })))
  app.get('/reset', () => breaks(Object.assign(new Error('gone'), { code: 'ECONNRESET' })))
  app.get('/fault', () => breaks(fault))
  const { server, open, close } = createListener(app)
  onTestFinished(close)
  open({ via: 'socket' })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  for (const path of ['/gone', '/reset', '/fault']) await rawAsk(port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await vi.waitFor(() => expect(problems).toEqual([fault]))
  expect(printed).toEqual([])
})
