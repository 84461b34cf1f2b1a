import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError, call, whenUnauthorized } from './api.ts'

let asked: { address: string; method: string; body: unknown; authorization: string | undefined }[]
let answer: Response | Error
let unauthorized: number

beforeEach(() => {
  asked = []
  unauthorized = 0
  whenUnauthorized(() => void (unauthorized += 1))
  vi.stubGlobal('sessionStorage', { getItem: () => 'secret' })
  vi.stubGlobal('fetch', async (address: string, { method, body, headers }: RequestInit) => {
    const { authorization } = headers as Record<string, string>
    asked.push({ address, method: method ?? '', body, authorization })
    if (answer instanceof Error) throw answer
    return answer
  })
  return () => void vi.unstubAllGlobals()
})

test('asks as the table of routes says', async () => {
  const given = () => (answer = Response.json({ seq: 1 }))
  given()
  expect(await call('POST /api/agents/:id/kill', { id: 'agent-1', body: { reason: 'why' } })).toEqual({ seq: 1 })
  given()
  await call('GET /api/ribbons', { query: { hours: 8 } })
  given()
  await call('POST /api/cloister/start')
  const authorization = 'Bearer secret'
  expect(asked).toEqual([
    { address: '/api/agents/agent-1/kill', method: 'POST', body: '{"reason":"why"}', authorization },
    { address: '/api/ribbons?hours=8', method: 'GET', body: undefined, authorization },
    { address: '/api/cloister/start', method: 'POST', body: '{}', authorization },
  ])
})

const refusal = { code: 'conflict', sentence: 'It runs', hint: 'Wait.' }
const table: { what: string; given: () => Response | Error; code: string; message: string; signedOut?: number }[] = [
  {
    what: 'a refusal',
    given: () => Response.json(refusal, { status: 409 }),
    code: 'conflict',
    message: 'It runs. Wait.',
  },
  {
    what: 'a token that does not count',
    given: () => Response.json({ ...refusal, code: 'unauthorized' }, { status: 401 }),
    code: 'unauthorized',
    message: 'It runs. Wait.',
    signedOut: 1,
  },
  {
    what: 'something strange',
    given: () => new Response('<html>', { status: 502 }),
    code: 'failed',
    message: 'The daemon answered with 502. The reason is in logs/daemon.log of the home folder.',
  },
  {
    what: 'success that is not JSON',
    given: () => new Response('x'),
    code: 'failed',
    message: 'The daemon answered with 200. The reason is in logs/daemon.log of the home folder.',
  },
  {
    what: 'nobody there',
    given: () => new TypeError('Failed to fetch'),
    code: 'unreachable',
    message: 'The daemon cannot be reached. Start it with `pan up`; this page goes on by itself.',
  },
]

test.each(table)('$what is thrown', async ({ given, code, message, signedOut = 0 }) => {
  answer = given()
  const error: unknown = await call('GET /api/inbox').catch((thrown: unknown) => thrown)
  if (!(error instanceof ApiError)) throw new Error('not an ApiError')
  expect({ code: error.code, message: error.message, unauthorized }).toEqual({ code, message, unauthorized: signedOut })
})

test('a wrong code of a link signs nobody out', async () => {
  answer = Response.json({ ...refusal, code: 'unauthorized' }, { status: 401 })
  await expect(call('POST /api/login', { body: { code: 'old' } })).rejects.toThrow('It runs')
  expect(unauthorized).toBe(0)
})
