/** Asks the daemon of one home, as any client would: typed by the views, refusals as errors with the daemon's own words. */
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { ApiError, EventsView } from '../../contract/views.ts'

const TIMEOUT_MS = 20_000

export interface DrillApi {
  get: <View>(path: string) => Promise<View>
  post: <View>(path: string, body?: object) => Promise<View>
}

/** Nobody listens on the socket, or the home has no token yet. */
export class NoDaemon extends Error {
  override readonly name = 'NoDaemon'
}

export class Refused extends Error {
  override readonly name = 'Refused'
  readonly code: ApiError['code']

  constructor({ code, sentence, hint }: ApiError) {
    super(`${sentence}${/[.?!]$/.test(sentence) ? '' : '.'} ${hint}`)
    this.code = code
  }
}

export function drillApi(home: string): DrillApi {
  return {
    get: (path) => ask(home, { method: 'GET', path }),
    post: (path, body = {}) => ask(home, { method: 'POST', path, body }),
  }
}

/** Everything after that event, however much it is. */
export async function eventsAfter(api: DrillApi, seq: number): Promise<EventsView> {
  const events: EventsView['events'] = []
  let lastSeq = seq
  for (;;) {
    const page = await api.get<EventsView>(`/api/events?after=${lastSeq}&limit=200`)
    events.push(...page.events)
    if (page.events.length === 0) return { events, lastSeq }
    lastSeq = page.lastSeq
  }
}

interface Question {
  method: 'GET' | 'POST'
  path: string
  body?: object
}

async function ask<View>(home: string, question: Question): Promise<View> {
  const { status, text } = await exchange(home, question)
  const answer = JSON.parse(text) as View | ApiError
  if (status < 300) return answer as View
  throw new Refused(answer as ApiError)
}

function exchange(home: string, { method, path, body }: Question): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>()
  const noDaemon = (error: NodeJS.ErrnoException) => reject(unanswered(home, error))
  const sent = body === undefined ? '' : JSON.stringify(body)
  const asked = request({
    socketPath: join(home, 'daemon.sock'),
    path,
    method,
    headers: {
      authorization: `Bearer ${tokenOf(home)}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json', 'x-request-id': randomUUID() }),
    },
    agent: false,
    timeout: TIMEOUT_MS,
  })
  asked.on('response', (response) => {
    let text = ''
    response.setEncoding('utf8')
    response.on('data', (chunk: string) => (text += chunk))
    response.on('end', () => resolve({ status: response.statusCode ?? 500, text }))
    response.on('error', noDaemon)
  })
  asked.on('error', noDaemon)
  asked.on('timeout', () => asked.destroy(new Error('no answer in time')))
  asked.end(sent)
  return promise
}

function tokenOf(home: string): string {
  try {
    return readFileSync(join(home, 'token'), 'utf8').trim()
  } catch (error) {
    throw unanswered(home, error as NodeJS.ErrnoException)
  }
}

function unanswered(home: string, { code, message }: NodeJS.ErrnoException): NoDaemon {
  if (code === 'ENOENT' || code === 'ECONNREFUSED') return new NoDaemon(`No daemon runs for ${home}.`)
  return new NoDaemon(`The daemon of ${home} cannot be asked (${message}).`)
}
