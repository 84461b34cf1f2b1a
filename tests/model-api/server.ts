/** A scripted model on 127.0.0.1: real agent programs talk to it as to their own API. Each API is one dialect. */
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { ApiDialect, Json } from './dialect.ts'
import { dueTurn, type Rule, type Turn } from './turn.ts'

const LOOK_MS = 50

export interface ModelApi {
  url: string
  /** Every request as «METHOD path», to see that nothing else was asked for. */
  requests: readonly string[]
  /** What was said in each request to the model, oldest first. */
  bodies: readonly string[]
  close(): Promise<void>
}

export async function startModelApi(dialects: readonly ApiDialect[], rules: readonly Rule[] = []): Promise<ModelApi> {
  const requests: string[] = []
  const bodies: string[] = []
  /** How often each turn that is to fail a few times has failed: all that is kept. */
  const failures = new Map<string, number>()
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    respond({ dialects, rules, failures, bodies }, request, response).catch((error: unknown) =>
      response.destroy(error as Error),
    )
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    bodies,
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}

interface Model {
  dialects: readonly ApiDialect[]
  rules: readonly Rule[]
  failures: Map<string, number>
  bodies: string[]
}

async function respond(model: Model, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { pathname } = new URL(request.url ?? '/', 'http://localhost')
  const dialect = model.dialects.find(({ path }) => path === pathname)
  if (request.method !== 'POST' || dialect === undefined) {
    response.writeHead(request.method === 'HEAD' ? 200 : 404).end()
    return
  }
  const text = Buffer.concat(chunks).toString('utf8')
  model.bodies.push(text)
  const body = JSON.parse(text) as Json
  const turn = nextTry(dueTurn(dialect.read(body), model.rules), model.failures)
  if (turn.delayMs !== undefined) await pause(turn.delayMs)
  while (turn.onceThere !== undefined && !existsSync(turn.onceThere) && !response.destroyed) await pause(LOOK_MS)
  if (turn.status === undefined) dialect.answer(response, turn, body)
  else dialect.fail(response, turn.status, turn.headers ?? {})
}

/** A turn that fails only a few times is the one after it from then on. */
function nextTry({ turn, key }: { turn: Turn; key: string }, failures: Map<string, number>): Turn {
  if (turn.status === undefined || turn.times === undefined) return turn
  const failed = failures.get(key) ?? 0
  failures.set(key, failed + 1)
  return failed < turn.times ? turn : (turn.after ?? { text: 'recovered' })
}
