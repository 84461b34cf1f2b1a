/** What others may try on the port, byte by byte: nothing passes, and whoever asks properly is still answered. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runTokens } from '../../src/daemon/run-token.ts'
import { homeId } from '../../src/daemon/home-id.ts'
import { rawAsk, rawConnection } from './raw-socket.ts'
import { PAGE, servedPort, type ServedPort } from './served-port.ts'

type Try = [what: string, line: string, headers: string[], status: number, body?: string]

function tries({ host, port, token, home }: ServedPort): Try[] {
  const H = `Host: ${host}`
  const T = `Authorization: Bearer ${token}`
  const json = 'Content-Type: application/json'
  const own = `Origin: http://${host}`
  const upgrade = ['Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']
  const terminal = 'GET /api/agents/agent-1/terminal'
  const kill = 'POST /api/agents/agent-1/kill'
  const list = 'GET /api/agents'
  const runs = runTokens(token, homeId(home))
  const stale = runs.tokenOf({ agent: 'agent-1', generation: 0, run: 'run-0' })
  return [
    ['no token', list, [H], 401],
    ['an empty token', list, [H, 'Authorization: Bearer '], 401],
    ['a wrong token', list, [H, `Authorization: Bearer ${'0'.repeat(64)}`], 401],
    ['half a token', list, [H, `Authorization: Bearer ${token.slice(0, 63)}`], 401],
    ['a token and a byte', list, [H, `Authorization: Bearer ${token}0`], 401],
    ['a token in capitals', list, [H, `Authorization: Bearer ${token.toUpperCase()}`], 401],
    ['the token as a password', list, [H, `Authorization: Basic ${btoa(`x:${token}`)}`], 401],
    ['the token as a cookie', list, [H, `Cookie: token=${token}`], 401],
    ['the token in the address', `GET /api/agents?token=${token}`, [H], 401],
    ['the token as a protocol without a WebSocket', list, [H, `Sec-WebSocket-Protocol: token.${token}`], 401],
    ['two tokens', list, [H, T, 'Authorization: Bearer x'], 400],
    ['the token of an old run', list, [H, `Authorization: Bearer ${stale}`], 401],
    ['an endless token', list, [H, `Authorization: Bearer ${'x'.repeat(20_000)}`], 431],
    ['metrics without a token', 'GET /metrics', [H], 401],
    ['the stream without a token', 'GET /api/stream', [H], 401],
    ['a login without Origin', 'POST /api/login', [H, json], 403],
    ['a login without a code', 'POST /api/login', [H, json, own], 400],
    ['a login with a wrong code', 'POST /api/login', [H, json, own], 401, '{"code":"AAAAAAAAAAAAAAAAAAAAAA"}'],
    ['a login with a long body', 'POST /api/login', [H, json, own], 413, ' '.repeat(1_025)],

    ['no host', list, [T], 400],
    ['an empty host', list, ['Host: ', T], 403],
    ['another host', list, ['Host: evil.example', T], 403],
    ['another host with our port', list, [`Host: evil.example:${port}`, T], 403],
    ['a host that begins like ours', list, [`Host: ${host}.evil.example`, T], 403],
    ['our address without a port', list, ['Host: 127.0.0.1', T], 403],
    ['our address written otherwise', list, [`Host: 127.1:${port}`, T], 403],
    ['the other loopback', list, [`Host: [::1]:${port}`, T], 403],
    ['two hosts', list, [H, 'Host: evil.example', T], 400],
    ['a host with a user', list, [`Host: ${host}@evil.example`, T], 403],
    ['the page under another name', 'GET /', ['Host: evil.example'], 403],
    ['health under another name', 'GET /healthz', ['Host: evil.example'], 403],
    ['another machine in the line', 'GET http://evil.example/api/agents', [H, T], 400],
    ['ourselves in the line', `GET http://${host}/api/agents`, [H, T], 400],

    ['Origin null', list, [H, T, 'Origin: null'], 403],
    ['Origin evil', kill, [H, T, json, 'Origin: http://evil.example'], 403],
    ['Origin that begins like ours', kill, [H, T, json, `${own}.evil.example`], 403],
    ['Origin with a longer port', kill, [H, T, json, `${own}1`], 403],
    ['Origin of https', kill, [H, T, json, `Origin: https://${host}`], 403],
    ['Origin of another port', kill, [H, T, json, 'Origin: http://127.0.0.1:1'], 403],
    ['our Origin and another', kill, [H, T, json, own, 'Origin: http://evil.example'], 400],
    ['cross-site', list, [H, T, 'Sec-Fetch-Site: cross-site'], 403],
    ['same-site, which ignores ports', list, [H, T, 'Sec-Fetch-Site: same-site'], 403],
    ['cross-site, our Origin missing', kill, [H, T, json, 'Sec-Fetch-Site: same-origin'], 403],
    ['the page from another site', 'GET /', [H, 'Sec-Fetch-Site: cross-site', 'Sec-Fetch-Mode: navigate'], 403],
    ['a preflight', 'OPTIONS /api/agents', [H, 'Origin: http://evil.example'], 403],
    ['a preflight without Origin', 'OPTIONS /api/agents', [H], 401],

    ['../ raw', 'GET /../token', [H], 400],
    ['../ raw, deeper', 'GET /assets/../../token', [H], 400],
    ['../ encoded', 'GET /%2e%2e/token', [H], 400],
    ['../ encoded twice', 'GET /%252e%252e/token', [H], 404],
    ['..\\ encoded', 'GET /assets/..%5c..%5ctoken', [H], 404],
    ['slashes encoded', 'GET /assets%2f..%2f..%2ftoken', [H], 404],
    ['a zero byte', 'GET /index.html%00.js', [H], 404],
    ['a file of the system', 'GET //etc/passwd', [H], 400],
    ['a map of the sources', 'GET /assets/index-1a2b.js.map', [H], 404],
    ['an asset by POST', 'POST /assets/index-1a2b.js', [H], 401],
    ['an id that leads out', 'GET /api/agents/..%2f..%2ftoken', [H, T], 400],
    ['an id that is code', 'GET /api/agents/%24%28id%29', [H, T], 400],
    ['a method of its own', 'BREW /api/agents', [H, T], 400],
    ['TRACE', 'TRACE /api/agents', [H, T], 405],

    ['a WebSocket without Origin', terminal, [H, T, 'Connection: Upgrade', ...upgrade], 403],
    [
      'a WebSocket of another site',
      terminal,
      [H, T, 'Origin: http://evil.example', 'Connection: Upgrade', ...upgrade],
      403,
    ],
    ['a WebSocket without a token', terminal, [H, own, 'Connection: Upgrade', ...upgrade], 401],
    [
      'a WebSocket with a wrong token',
      terminal,
      [H, own, 'Connection: Upgrade', 'Sec-WebSocket-Protocol: cloister.terminal, token.x', ...upgrade],
      401,
    ],
    ['a WebSocket elsewhere', 'GET /api/agents', [H, own, 'Connection: Upgrade', ...upgrade], 401],
    ['a WebSocket at the stream', 'GET /api/stream', [H, own, 'Connection: Upgrade', ...upgrade], 401],
  ]
}

test('nothing passes, nothing happens, and nothing is told', async () => {
  const served = await servedPort('spawn agent-1', 'wait 2m')
  const { ask, good, house, token, problems } = served
  const { seq } = house.loop.world.house
  const results: [string, number][] = []
  for (const [what, line, headers, , body] of tries(served)) {
    const answer = await ask(line, headers, body)
    results.push([what, answer.status])
    expect([what, answer.body.includes(token) || answer.body.includes('agent-1"')]).toEqual([what, false])
    // No page of another site may read an answer.
    expect([what, /access-control-/i.test(answer.head)]).toEqual([what, false])
  }
  expect(results).toEqual(tries(served).map(([what, , , status]) => [what, status]))
  expect([house.loop.world.house.seq, problems]).toEqual([seq, []])
  expect((await ask('GET /api/agents/agent-1', good)).status).toBe(200)
})

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['application/json-seq', 415],
  ['application/jsonx', 415],
  ['text/json', 415],
  ['text/plain; application/json', 415],
  ['application/json', 202],
  ['Application/JSON; charset=utf-8', 202],
])('a body of type %s is answered with %i', async (type, status) => {
  const { ask, good } = await servedPort('spawn agent-1', 'wait 2m')
  const answer = await ask(
    'POST /api/agents/agent-1/message',
    [...good, `Content-Type: ${type}`],
    '{"message":"hello"}',
  )
  expect(answer.status).toBe(status)
})

test('a body without a type, a packed one and an empty one of another type are not JSON', async () => {
  const { ask, good, house } = await servedPort('spawn agent-1', 'wait 2m')
  const { seq } = house.loop.world.house
  const json = 'Content-Type: application/json'
  expect((await ask('POST /api/cloister/stop', good, '{}')).status).toBe(415)
  expect((await ask('POST /api/cloister/stop', [...good, json, 'Content-Encoding: gzip'], '{}')).status).toBe(415)
  expect((await ask('POST /api/cloister/stop', [...good, 'Content-Type: text/plain'])).status).toBe(415)
  expect(house.loop.world.house.seq).toBe(seq)
})

test('too much is refused: a body by its length, a body in chunks, headers, and who sends no token is not read', async () => {
  const { ask, good, port, host, house } = await servedPort('spawn agent-1')
  const { seq } = house.loop.world.house
  const json = 'Content-Type: application/json'
  const message = 'POST /api/agents/agent-1/message'
  const large = JSON.stringify({ message: 'x'.repeat(2 * 1024 * 1024) })
  const chunk = `${large.length.toString(16)}\r\n${large}\r\n`
  const chunked = `${message} HTTP/1.1\r\n${[...good, json].join('\r\n')}\r\nTransfer-Encoding: chunked\r\n\r\n${chunk}0\r\n\r\n`
  expect((await ask(message, [...good, json], large)).status).toBe(413)
  expect((await rawAsk(port, chunked.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))).status).toBe(413)
  expect((await ask('GET /api/agents', [...good, `X-Long: ${'x'.repeat(17 * 1024)}`])).status).toBe(431)
  expect((await ask(`GET /${'x'.repeat(17 * 1024)}`, good)).status).toBe(431)
  expect((await ask(message, [`Host: ${host}`, json], large)).status).toBe(401)
  const both = [...good, json, 'Transfer-Encoding: chunked', 'Content-Length: 5']
  expect((await rawAsk(port, `${message} HTTP/1.1\r\n${both.join('\r\n')}\r\n\r\n0\r\n\r\nGET /x`)).status).toBe(400)
  expect(house.loop.world.house.seq).toBe(seq)
  expect((await ask('GET /api/agents', good)).status).toBe(200)
})

test('every answer carries the headers, and only pages and files are told without a token', async () => {
  const { ask, host } = await servedPort()
  const pages = ['/', '/agents', '/agents/agent-1', '/index.html', '/settings/']
  for (const path of pages) expect((await ask(`GET ${path}`, [`Host: ${host}`])).body).toBe(PAGE)
  const asset = await ask('GET /assets/index-1a2b.js', [`Host: ${host}`])
  expect(asset.body).toBe('export {}\n')
  expect(asset.head).toMatch(/cache-control: public, max-age=31536000, immutable/i)
  for (const path of ['/', '/healthz', '/api/agents', '/assets/none.js', '/api/nothing']) {
    const { head } = await ask(`GET ${path}`, [`Host: ${host}`])
    const lines = head.toLowerCase()
    expect(lines).toContain("content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; ")
    expect(lines).toContain(`connect-src 'self' ws://${host} `)
    expect(lines).toContain("frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
    expect(lines).not.toMatch(/unsafe|set-cookie|x-powered-by/)
    expect(lines).toContain('x-content-type-options: nosniff')
    expect(lines).toContain('referrer-policy: no-referrer')
    expect(lines).toContain('cross-origin-opener-policy: same-origin')
    expect(lines).toContain('cross-origin-resource-policy: same-origin')
    expect(lines).toContain('cache-control: no-store')
  }
})

test('a thousand that only hold the door open keep nobody outside, on the port or on the socket', async () => {
  const { port, ask, good, home, token } = await servedPort('spawn agent-1')
  const half = `POST /api/cloister/stop HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Slow: `
  for (let n = 0; n < 10; n += 1) {
    await Promise.all(Array.from({ length: 100 }, (_, k) => rawConnection(port, k % 2 === 0 ? half : '')))
    expect((await ask('GET /api/agents/agent-1', good)).status).toBe(200)
  }
  expect(await bySocket(home, '/api/agents/agent-1', token)).toBe(200)
  const { body } = await ask('GET /metrics', good)
  const figure = (kind: string) =>
    Number(new RegExp(`cloister_connections\\{listener="tcp",kind="${kind}"\\} (\\d+)`).exec(body)?.[1])
  expect(figure('open')).toBeLessThanOrEqual(256)
  expect(figure('dropped')).toBeGreaterThanOrEqual(700)
})

test('hundreds that sign in with a body that never ends keep nobody outside, and are hung up on', async () => {
  const { port, host, ask, good, problems } = await servedPort('spawn agent-1')
  const own = [`Host: ${host}`, `Origin: http://${host}`, 'Content-Type: application/json', 'Content-Length: 500']
  const slow = `POST /api/login HTTP/1.1\r\n${own.join('\r\n')}\r\n\r\n{`
  const clients = await Promise.all(Array.from({ length: 300 }, () => rawConnection(port, slow)))
  for (let n = 0; n < 5; n += 1) expect((await ask('GET /api/agents/agent-1', good)).status).toBe(200)
  for (const client of clients) if (!client.destroyed) await once(client.resume(), 'close')
  const { body } = await ask('GET /metrics', good)
  // Who gives up is no fault of ours.
  expect(problems).toEqual([])
  expect(body).toMatch(/requests_total\{method="POST",route="\/api\/login",status="499"\} \d+/)
  expect(body).not.toContain('status="500"')
})

test('who is slow with the headers is hung up on', async () => {
  const { port, host } = await servedPort()
  const slow = await rawConnection(port, `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n`)
  slow.resume()
  const drip = setInterval(() => slow.write('X: y\r\n'), 200)
  await once(slow, 'close')
  clearInterval(drip)
})

test('clients of the stream that never read are cut off, and the others hear everything', async () => {
  const agents = Array.from({ length: 100 }, (_, n) => `spawn agent-${n}`)
  const { port, good, house, ask } = await servedPort(...agents, 'wait 1m')
  const open = `GET /api/stream HTTP/1.1\r\n${good.join('\r\n')}\r\n\r\n`
  const deaf = await Promise.all(Array.from({ length: 10 }, () => rawConnection(port, open)))
  for (const socket of deaf) socket.pause()
  const hearing = await rawConnection(port, open)
  let tail = ''
  hearing.on('data', (chunk) => (tail = (tail + chunk.toString()).slice(-2_000_000)))
  await expect.poll(() => tail).toContain('event: snapshot')
  expect(await longOnes(ask, good)).toBe(11)
  // A pause shows every agent in another light, so that all of them are sent again.
  for (let n = 0; n < 200 && (await longOnes(ask, good)) > 1; n += 1) {
    expect((await ask(`POST /api/cloister/${n % 2 === 0 ? 'stop' : 'start'}`, good)).status).toBe(202)
    await house.wait(1_000)
  }
  expect(await longOnes(ask, good)).toBe(1)
  await ask('POST /api/cloister/stop', good)
  await house.wait(1_000)
  await expect.poll(() => tail).toContain(`id: ${house.loop.world.house.seq}\n`)
  expect(hearing.destroyed).toBe(false)
})

async function longOnes(ask: ServedPort['ask'], good: readonly string[]): Promise<number> {
  const { body } = await ask('GET /metrics', good)
  return Number(/cloister_connections\{listener="tcp",kind="long"\} (\d+)/.exec(body)?.[1])
}

test('deeds and refused tries are written down, without a token among them', async () => {
  const { ask, good, home, host, token, serving } = await servedPort('spawn agent-1', 'wait 2m')
  await ask('POST /api/agents/agent-1/kill', [...good, 'X-Request-Id: kill-1', 'Content-Type: application/json'], '{}')
  for (let n = 0; n < 50; n += 1) await ask('GET /api/agents', [`Host: ${host}`, 'Authorization: Bearer wrong'])
  await ask('POST /api/cloister/stop', [...good, 'Origin: http://evil.example'])
  await serving.close()
  const deeds = readFileSync(join(home, 'logs/audit.jsonl'), 'utf8')
  const tried = readFileSync(join(home, 'logs/refused.jsonl'), 'utf8')
  expect(deeds.trim().split('\n')).toHaveLength(1)
  const who = { who: 'you', via: 'cli', door: 'tcp' }
  const deed = { what: 'POST /api/agents/:id/kill', agent: 'agent-1', code: 202, requestId: 'kill-1' }
  expect(JSON.parse(deeds)).toMatchObject({ ...who, ...deed })
  const lines = tried
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { codes: Record<string, number> })
  expect(lines[0]).toMatchObject({ who: 'nobody', via: 'none', door: 'tcp', what: 'GET /api/agents', code: 401 })
  const sum = (code: string) => lines.reduce((total, { codes }) => total + (codes[code] ?? 0), 0)
  expect([sum('401'), sum('403'), lines.length < 10]).toEqual([50, 1, true])
  expect([tried.includes(token), tried.includes('wrong')]).toEqual([false, false])
})

function bySocket(home: string, path: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    request({ socketPath: join(home, 'daemon.sock'), path, headers, agent: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}
