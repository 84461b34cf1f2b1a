/** The one place that knows how the API is asked. Every answer that is no success is thrown as an ApiError. */
import type { ApiError as Refused } from '../../../src/contract/views.ts'
import type { ApiAnswer, ApiArguments, ApiKey } from '../../../src/api/api-types.ts'
import { token } from './session.ts'

export class ApiError extends Error {
  readonly code: Refused['code'] | 'unreachable'
  readonly sentence: string
  readonly hint: string
  /** Every single thing that is wrong, where there are several. */
  readonly problems: readonly string[]

  constructor({ code, sentence, hint, problems = [] }: Told, options?: ErrorOptions) {
    super(`${sentence}. ${hint}`, options)
    this.name = 'ApiError'
    this.code = code
    this.sentence = sentence
    this.hint = hint
    this.problems = problems
  }
}

type Told = Pick<ApiError, 'code' | 'sentence' | 'hint'> & { problems?: readonly string[] | undefined }

interface Parts {
  id?: string
  query?: Record<string, unknown>
  body?: unknown
}

/** Told when an answer says that the token does not count (any more). */
let unauthorized: () => void = () => {}

export function whenUnauthorized(call: () => void): void {
  unauthorized = call
}

/** Such as `call('POST /api/agents/:id/kill', { id, body: { reason } })`. */
export function call<Key extends ApiKey>(key: Key, ...[given]: ApiArguments<Key>): Promise<ApiAnswer<Key>> {
  return ask(key, (given ?? {}) as Parts)
}

async function ask<Answer>(key: string, { id, query, body }: Parts): Promise<Answer> {
  const [method = 'GET', path = ''] = key.split(' ')
  const address = path.replace(':id', encodeURIComponent(id ?? '')) + search(query)
  const answer = await fetch(address, {
    method,
    headers: headersFor(method),
    cache: 'no-store',
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  }).catch((cause: unknown) => {
    throw new ApiError(UNREACHABLE, { cause })
  })
  // A wrong code says nothing of the token that this tab may have.
  if (answer.status === 401 && path !== '/api/login') unauthorized()
  return read(answer)
}

function search(query: Record<string, unknown> = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined)
  if (given.length === 0) return ''
  return `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()}`
}

/** What is sent twice by a proxy or a retry of the browser counts once. */
function headersFor(method: string): Record<string, string> {
  const bearer = token()
  return {
    ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    ...(method === 'GET' ? {} : { 'content-type': 'application/json', 'x-request-id': crypto.randomUUID() }),
  }
}

async function read<Answer>(response: Response): Promise<Answer> {
  const body: unknown = await response.json().catch(() => undefined)
  if (response.ok && body !== undefined) return body as Answer
  throw new ApiError(isRefused(body) ? body : { ...STRANGE, sentence: `The daemon answered with ${response.status}` })
}

function isRefused(body: unknown): body is Refused {
  return typeof body === 'object' && body !== null && 'code' in body && 'sentence' in body && 'hint' in body
}

const UNREACHABLE = {
  code: 'unreachable',
  sentence: 'The daemon cannot be reached',
  hint: 'Start it with `pan up`; this page goes on by itself.',
} as const

const STRANGE = { code: 'failed', hint: 'The reason is in logs/daemon.log of the home folder.' } as const
