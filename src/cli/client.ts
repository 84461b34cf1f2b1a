/** Asks the daemon over the unix socket of the home, with the home's token (an agent with its own). A retry carries the same request id. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ApiAnswer, ApiArguments, ApiKey } from '../api/api-types.ts'
import { BODY_LIMIT } from '../contract/text-limit.ts'
import type { ApiError } from '../contract/views.ts'
import { holderOf } from './alive.ts'
import { exchange, type Sent } from './exchange.ts'
import { EXIT, Failure } from './failure.ts'

/** The daemon begins to answer at once or not at all: it is never a long deed that is waited for here. */
const LIMITS = { firstByteMs: 5_000, timeoutMs: 30_000, maxBytes: 64 * 1024 * 1024 }

export interface Client {
  home: string
  /** Asks a route of the API, named as in its table: `call('GET /api/agents/:id', { id })`. */
  call: <Key extends ApiKey>(key: Key, ...given: ApiArguments<Key>) => Promise<ApiAnswer<Key>>
  /** What --json prints of a view: without a daemon it says so, and as of when it is. */
  told: (view: object) => object
  /** Why it is not the daemon that answers. */
  noDaemon?: Failure
}

export function openClient(home: string): Client {
  return {
    home,
    call: (key, ...[given]) => ask(home, questionFor(key, given as Given | undefined)),
    told: (view) => view,
  }
}

interface Given {
  id?: string
  query?: Record<string, string | number | undefined>
  body?: object
}

function questionFor(key: ApiKey, { id, query = {}, body = {} }: Given = {}): Question {
  const [method, pattern] = key.split(' ') as [Sent['method'], string]
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value))
  const path = pattern.replace(':id', encodeURIComponent(id ?? '')) + (search.size === 0 ? '' : `?${search.toString()}`)
  return method === 'GET' ? { method, path } : { method, path, body, id: crypto.randomUUID() }
}

interface Question {
  method: Sent['method']
  path: string
  body?: object
  id?: string
}

async function ask<View>(home: string, question: Question): Promise<View> {
  const bytes = Buffer.byteLength(JSON.stringify(question.body ?? {}))
  if (bytes > BODY_LIMIT) throw tooLong(bytes)
  const token = readToken(home)
  const send = () => exchange(join(home, 'daemon.sock'), sentFor(question, token), LIMITS)
  const { status, body } = await send()
    .catch((error: NodeJS.ErrnoException) => {
      // Cut off in the middle: it may have arrived, so the same id is sent again.
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') return send()
      throw error
    })
    .catch((error: NodeJS.ErrnoException) => {
      throw unreachable(home, error, question.method)
    })
  if (status === 401) throw unknownToken(home)
  return viewOf(status, parsed(body))
}

/** The daemon would say so, too, and close the door before it has heard all. */
function tooLong(bytes: number): Failure {
  return new Failure({
    code: 'too_large',
    sentence: `What was given is ${bytes} bytes long, more than the ${BODY_LIMIT} that can be sent at once`,
    hint: 'Put a long text into a file of the workspace and name that.',
  })
}

/** The view, unless the answer is a refusal. */
export function viewOf<View>(status: number, answer: unknown): View {
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

/** An agent's own process has the token of its run and nothing else, whatever it could read. */
function readToken(home: string): string {
  if (process.env['CLOISTER_RUN']) return process.env['CLOISTER_TOKEN'] || noToken()
  try {
    return readFileSync(join(home, 'token'), 'utf8').trim()
  } catch (error) {
    throw unreachable(home, error as NodeJS.ErrnoException)
  }
}

function noToken(): never {
  const sentence = 'This is an agent’s own process, and it has no token to ask with'
  throw new Failure({ code: 'unauthorized', sentence, hint: 'Run the command in a terminal of your own.' })
}

function unknownToken(home: string): Failure {
  if (process.env['CLOISTER_RUN']) {
    const sentence = 'The daemon does not know the token of this agent’s process'
    return new Failure({ code: 'unauthorized', sentence, hint: 'Run the command in a terminal of your own.' })
  }
  const { pid } = holderOf(home)
  const end =
    pid === undefined ? 'End the daemon with `kill` (agents stay)' : `End it with \`kill ${pid}\` (agents stay)`
  return new Failure({
    code: 'unauthorized',
    sentence: `The daemon of ${home} does not know the token in ${join(home, 'token')}`,
    hint: `The file was changed since the daemon started. ${end} and start it with \`pan up\`, which reads it anew.`,
  })
}

const NOBODY: readonly (string | undefined)[] = ['ENOENT', 'ECONNREFUSED', 'ENOTDIR']

function unreachable(home: string, error: NodeJS.ErrnoException, method: Question['method'] = 'GET'): Failure {
  const { pid, died, stopped = false } = holderOf(home)
  if (NOBODY.includes(error.code) && pid === undefined) {
    const sentence = died ? `The daemon of ${home} died (kill -9 or crash)` : `No daemon runs for ${home}`
    return notReached('no_daemon', sentence, 'Start it with `pan up`.')
  }
  if (pid === undefined || error.code === 'EACCES') {
    return notReached(
      'no_answer',
      `The daemon of ${home} cannot be asked (${error.message})`,
      'Look with `pan doctor`.',
    )
  }
  const who = `The daemon (process ${pid}) of ${home}`
  if (error.code === 'ETIMEDOUT') {
    const doubt = method === 'POST' ? 'Nothing is known about whether it was carried out. ' : ''
    const sentence = `${who} does not answer; it ${stopped ? 'is stopped' : 'may be stopped or overloaded'}`
    return notReached('no_answer', sentence, `${doubt}${stopped ? goOn(pid) : endIt(pid)}`)
  }
  const hint = `It may be starting or hanging: see ${join(home, 'logs/daemon.log')}. ${endIt(pid)}`
  return notReached('no_answer', `${who} does not answer (${error.code ?? error.message})`, hint)
}

function goOn(pid: number): string {
  return `Let it go on with \`kill -CONT ${pid}\`.`
}

function endIt(pid: number): string {
  return `End it with \`kill ${pid}\` (agents stay) and start it with \`pan up\`.`
}

function notReached(code: 'no_daemon' | 'no_answer', sentence: string, hint: string): Failure {
  return new Failure({ code, sentence, hint }, EXIT.noDaemon)
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
