/**
 * Whether a request may come in at all, before anything else is asked of it. Pure. On a port every web page can knock,
 * so there the Host must be exactly ours, and what a browser sends must come from our own page:
 * Origin, when there is one, is ours; without one a browser (which then says Sec-Fetch-Site) may only read, and only for
 * our page or because a person typed the address; a WebSocket and a login always need Origin. A program sends neither
 * header and needs the token alone.
 */
import type { ApiError } from '../contract/views.ts'
import { invalid, refused, type Answer } from './answer.ts'
import type { Door } from './door-env.ts'

export interface Knock {
  method: string
  /** As it stands in the request line. */
  target: string
  /** Name, value, name, value, … as they came. */
  headers: readonly string[]
}

export interface Objection {
  /** A word for the metrics. */
  reason: 'target' | 'repeated' | 'host' | 'origin' | 'cross-site'
  answer: Answer<ApiError>
}

export const LOGIN_PATH = '/api/login'

/** Two of these in one request would be read differently by different readers. */
const ONCE: ReadonlySet<string> = new Set([
  'host',
  'origin',
  'authorization',
  'content-type',
  'content-length',
  'transfer-encoding',
  'sec-fetch-site',
  'sec-websocket-protocol',
  'upgrade',
  'x-request-id',
])

/** A path of this server, in visible characters, that leads nowhere but down. */
const PLAIN = /^\/(?!\/)[!-[\]-~]*$/
const DOTS = /^[^?]*\/(?:\.|%2e){1,2}(?:[/?]|$)/i

export function objectionTo({ method, target, headers }: Knock, door: Door): Objection | undefined {
  if (!PLAIN.test(target) || DOTS.test(target)) return { reason: 'target', answer: BAD_TARGET }
  const given = onlyOnes(headers)
  if (typeof given === 'string') return { reason: 'repeated', answer: repeated(given) }
  if (door.via === 'socket') return undefined
  const host = given.get('host')
  if (host === undefined) return { reason: 'host', answer: NO_HOST }
  if (!door.hosts.has(host)) return { reason: 'host', answer: otherHost(door.hosts) }
  return objectionToOrigin({ method, target, given, own: `http://${host}` })
}

interface Coming {
  method: string
  target: string
  given: ReadonlyMap<string, string>
  own: string
}

function objectionToOrigin({ method, target, given, own }: Coming): Objection | undefined {
  const origin = given.get('origin')
  if (origin !== undefined) return origin === own ? undefined : { reason: 'origin', answer: OTHER_ORIGIN }
  const isLogin = target.split('?')[0] === LOGIN_PATH
  if (given.has('upgrade') || isLogin) return { reason: 'origin', answer: NO_ORIGIN }
  const site = given.get('sec-fetch-site')
  // Node's fetch says its mode, but only a browser says the site.
  if (site === undefined) return undefined
  const isRead = method === 'GET' || method === 'HEAD'
  if (isRead && (site === 'same-origin' || site === 'none')) return undefined
  return { reason: 'cross-site', answer: OTHER_ORIGIN }
}

/** The headers by name, or the name of one that must not be repeated and is. */
function onlyOnes(headers: readonly string[]): ReadonlyMap<string, string> | string {
  const found = new Map<string, string>()
  for (let at = 0; at < headers.length; at += 2) {
    const name = (headers[at] ?? '').toLowerCase()
    if (found.has(name) && ONCE.has(name)) return name
    found.set(name, headers[at + 1] ?? '')
  }
  return found
}

const BAD_TARGET = invalid('The request does not name a path', 'Send the path alone, beginning with «/».')

const NO_HOST = invalid('The request does not say whom it is for', 'Send the header Host.')

function repeated(name: string): Answer<ApiError> {
  return invalid(`The header ${name} was sent more than once`, 'Send it once.')
}

function otherHost(hosts: ReadonlySet<string>): Answer<ApiError> {
  const hint =
    `Open http://${[...hosts][0] ?? '127.0.0.1'}. From another machine use a tunnel with the same port on both ends, ` +
    'such as `ssh -L 3011:127.0.0.1:3011 <machine>`.'
  return refused({ code: 'forbidden', sentence: 'The daemon is not called by this name', hint })
}

const OTHER_ORIGIN = refused({
  code: 'forbidden',
  sentence: 'This request comes from another site',
  hint: 'Use the dashboard itself: `pan dashboard` prints its address. A program sends no Origin, only the token.',
})

const NO_ORIGIN = refused({
  code: 'forbidden',
  sentence: 'This can only be asked by the dashboard, and the request does not say where it comes from',
  hint: 'Use the dashboard; a program that opens a terminal sends the daemon’s own address as Origin.',
})
