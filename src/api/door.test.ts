/** Who may come in by a port, as a table. */
import { expect, test } from 'vitest'
import { objectionTo, type Objection } from './door.ts'
import type { Door } from './door-env.ts'

const HOST = '127.0.0.1:3011'
const door: Door = { via: 'tcp', hosts: new Set([HOST, 'localhost:3011']) }

type Reason = Objection['reason'] | undefined

function reason(method: string, target: string, headers: [string, string][], by: Door = door): Reason {
  return objectionTo({ method, target, headers: headers.flat() }, by)?.reason
}

const OWN: [string, string] = ['Origin', `http://${HOST}`]
const site = (value: string): [string, string] => ['Sec-Fetch-Site', value]

test.each<[string, string, [string, string][], Reason]>([
  // A program: neither Origin nor Sec-Fetch-….
  ['a program reads', 'GET /api/agents', [], undefined],
  ['a program acts', 'POST /api/agents', [], undefined],
  ["Node's fetch, which says its mode", 'POST /api/agents', [['Sec-Fetch-Mode', 'cors']], undefined],
  ['a program signs in', 'POST /api/login', [], 'origin'],
  ['a program signs in, with a query', 'POST /api/login?x', [], 'origin'],
  ['a program opens a WebSocket', 'GET /api/agents/a/terminal', [['Upgrade', 'websocket']], 'origin'],
  // Our own page.
  ['our page reads', 'GET /api/agents', [site('same-origin')], undefined],
  ['our page acts', 'POST /api/agents', [OWN, site('same-origin')], undefined],
  ['our page signs in', 'POST /api/login', [OWN], undefined],
  ['our page opens a WebSocket', 'GET /api/agents/a/terminal', [OWN, ['Upgrade', 'websocket']], undefined],
  ['a person types the address', 'GET /', [site('none'), ['Sec-Fetch-Mode', 'navigate']], undefined],
  // Everybody else's.
  ['a link on another site', 'GET /', [site('cross-site'), ['Sec-Fetch-Mode', 'navigate']], 'cross-site'],
  ['an image on another site', 'GET /api/agents', [site('cross-site'), ['Sec-Fetch-Mode', 'no-cors']], 'cross-site'],
  ['another port of this machine', 'GET /api/agents', [site('same-site')], 'cross-site'],
  ['a form without Origin', 'POST /api/agents', [site('none')], 'cross-site'],
  ['a browser that acts without Origin', 'POST /api/agents', [site('same-origin')], 'cross-site'],
  ['Origin null', 'POST /api/agents', [['Origin', 'null']], 'origin'],
  ['Origin evil', 'GET /api/agents', [['Origin', 'http://evil.example']], 'origin'],
  ['Origin empty', 'GET /api/agents', [['Origin', '']], 'origin'],
  ['Origin with a longer name', 'GET /', [['Origin', `http://${HOST}.evil.example`]], 'origin'],
  ['Origin with a user', 'GET /', [['Origin', `http://${HOST}@evil.example`]], 'origin'],
  ['Origin with a longer port', 'GET /', [['Origin', `http://${HOST}1`]], 'origin'],
  ['Origin of another port', 'GET /', [['Origin', 'http://127.0.0.1:3012']], 'origin'],
  ['Origin of another scheme', 'GET /', [['Origin', `https://${HOST}`]], 'origin'],
  ['Origin of our other name', 'GET /', [['Origin', 'http://localhost:3011']], 'origin'],
  ['Origin with a slash', 'GET /', [['Origin', `http://${HOST}/`]], 'origin'],
  ['our Origin, then another', 'GET /', [OWN, ['oRIGIN', 'http://evil.example']], 'repeated'],
  [
    'two tokens',
    'GET /',
    [
      ['Authorization', 'Bearer a'],
      ['Authorization', 'Bearer b'],
    ],
    'repeated',
  ],
  ['a target of another machine', 'GET http://evil.example/', [], 'target'],
  ['a target without a scheme', 'GET //evil.example/', [], 'target'],
  ['all of it', 'OPTIONS *', [], 'target'],
  ['a step up', 'GET /../token', [], 'target'],
  ['a step up, encoded', 'GET /assets/%2E%2e/token', [], 'target'],
  ['a step up at the end', 'GET /assets/..', [], 'target'],
  ['a backslash', 'GET /assets\\x', [], 'target'],
  ['dots in a name', 'GET /assets/a..b.js', [], undefined],
  ['dots in a query', 'GET /x?y=/../', [], undefined],
])('%s: %s', (_, line, headers, expected) => {
  const [method = '', target = ''] = line.split(' ')
  expect(reason(method, target, [['Host', HOST], ...headers])).toBe(expected)
})

test.each<[string, Reason]>([
  [HOST, undefined],
  ['localhost:3011', undefined],
  ['127.0.0.1', 'host'],
  ['localhost', 'host'],
  ['127.0.0.1:3012', 'host'],
  ['127.0.0.1:3011.', 'host'],
  ['127.0.0.1:03011', 'host'],
  ['127.1:3011', 'host'],
  ['2130706433:3011', 'host'],
  ['[::1]:3011', 'host'],
  ['[::ffff:127.0.0.1]:3011', 'host'],
  ['0.0.0.0:3011', 'host'],
  ['evil.example', 'host'],
  ['evil.example:3011', 'host'],
  ['127.0.0.1:3011@evil.example', 'host'],
  ['localhost.evil.example:3011', 'host'],
  ['', 'host'],
])('the host «%s»', (host, expected) => {
  expect(reason('GET', '/', [['Host', host]])).toBe(expected)
})

test('no host and two hosts are refused', () => {
  expect(reason('GET', '/', [])).toBe('host')
  expect(
    reason('GET', '/', [
      ['Host', HOST],
      ['host', HOST],
    ]),
  ).toBe('repeated')
})

test('the unix socket asks for no host, since no web page can reach it', () => {
  expect(reason('POST', '/api/agents', [['Host', 'cloister']], { via: 'socket' })).toBeUndefined()
})
