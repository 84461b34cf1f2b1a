/** Asks the daemon over the unix socket of the home, with the home's token. A retry carries the same request id. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiError } from '../contract/views.ts'
import { isAlive } from './alive.ts'
import { exchange, type Sent } from './exchange.ts'
import { EXIT, Failure } from './failure.ts'

const LIMITS = { timeoutMs: 30_000, maxBytes: 64 * 1024 * 1024 }

export interface Client {
  home: string
  get: <View>(path: string) => Promise<View>
  post: <View>(path: string, body?: object) => Promise<View>
}

export function openClient(home: string): Client {
  return {
    home,
    get: (path) => ask(home, { method: 'GET', path }),
    post: (path, body = {}) => ask(home, { method: 'POST', path, body, id: crypto.randomUUID() }),
  }
}

interface Question {
  method: 'GET' | 'POST'
  path: string
  body?: object
  id?: string
}

async function ask<View>(home: string, question: Question): Promise<View> {
  const token = readToken(home)
  const send = () => exchange(join(home, 'daemon.sock'), sentFor(question, token), LIMITS)
  const { status, body } = await send()
    .catch((error: NodeJS.ErrnoException) => {
      // Cut off in the middle: it may have arrived, so the same id is sent again.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return send()
      throw error
    })
    .catch((error: NodeJS.ErrnoException) => {
      throw unreachable(home, error)
    })
  const answer = parsed(body)
  if (status < 300) return answer as View
  throw new Failure(isApiError(answer) ? answer : strange(status))
}

function sentFor({ method, path, body, id }: Question, token: string): Sent {
  const headers = {
    authorization: `Bearer ${token}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(id === undefined ? {} : { 'x-request-id': id }),
  }
  return { method, path, headers, body: body === undefined ? '' : JSON.stringify(body) }
}

function readToken(home: string): string {
  try {
    return readFileSync(join(home, 'token'), 'utf8').trim()
  } catch (error) {
    throw unreachable(home, error as NodeJS.ErrnoException)
  }
}

const NOBODY: readonly (string | undefined)[] = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR']

function unreachable(home: string, error: NodeJS.ErrnoException): Failure {
  const pid = holderOf(home)
  if (NOBODY.includes(error.code) && pid === undefined) {
    return noDaemon(`No daemon runs for ${home}`, 'Start it with `pan up`.')
  }
  if (pid === undefined || error.code === 'EACCES') {
    return noDaemon(`The daemon of ${home} cannot be asked (${error.message})`, 'Look with `pan doctor`.')
  }
  const log = join(home, 'logs/daemon.log')
  const hint = `It may be starting or hanging: see ${log}, or end it with \`kill ${pid}\` (agents stay) and \`pan up\`.`
  return noDaemon(`The daemon (process ${pid}) of ${home} does not answer (${error.code ?? error.message})`, hint)
}

function noDaemon(sentence: string, hint: string): Failure {
  return new Failure({ code: 'no_daemon', sentence, hint }, EXIT.noDaemon)
}

/** The process that says it holds the home, if it still lives. */
function holderOf(home: string): number | undefined {
  try {
    const { pid } = JSON.parse(readFileSync(join(home, 'daemon.lock.json'), 'utf8')) as { pid: number }
    return isAlive(pid) ? pid : undefined
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isApiError(answer: unknown): answer is ApiError {
  return typeof answer === 'object' && answer !== null && 'code' in answer && 'sentence' in answer && 'hint' in answer
}

function strange(status: number): ApiError {
  const hint = 'Restart the daemon (`pan down`, then `pan up`); client and daemon may be of different versions.'
  return { code: 'failed', sentence: `The daemon answered in a way that is not understood (${status})`, hint }
}
