/**
 * The API as a Hono app: a table of routes behind one door. Nothing but GET /healthz passes without the token;
 * bodies are JSON of a bounded size; ids match the one pattern; every failure has the one error shape.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono, type Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { ID_HINT, ID_PATTERN, notAnId } from '../contract/id-pattern.ts'
import { inputId } from '../contract/ids.ts'
import { agentRoutes } from './agent-routes.ts'
import { invalid, ok, refused, type Answer } from './answer.ts'
import { cloisterRoutes } from './cloister-routes.ts'
import type { ApiDeps } from './deps.ts'
import { inboxRoutes } from './inbox-routes.ts'
import { problemIn } from './problem-in.ts'
import type { Route } from './route.ts'

/** A prompt has at most 100,000 characters; escaped in JSON it stays below this. */
export const BODY_LIMIT = 1024 * 1024

export const ROUTES: readonly Route[] = [...cloisterRoutes, ...agentRoutes, ...inboxRoutes]

/** What the server knows of the connection; absent where there is none. */
interface Connection {
  /** Whether whoever asked has hung up. */
  isGone?: () => Promise<boolean>
}

type App = { Bindings: Connection }

export function createApp(deps: ApiDeps): Hono<App> {
  const app = new Hono<App>()
  app.onError((error, context) => {
    deps.problem(error)
    return send(context, FAILED)
  })
  app.notFound((context) => send(context, NO_ROUTE))
  app.get('/healthz', (context) => send(context, ok({ ok: true })))
  app.use(async (context, next) => {
    if (hasToken(deps.token, context.req.header('authorization'))) return next()
    return send(context, UNAUTHORIZED)
  })
  app.use(bodyLimit({ maxSize: BODY_LIMIT, onError: (context) => send(context, TOO_LARGE) }))
  for (const route of ROUTES) {
    app.on(route.method, route.path, async (context) => send(context, await answer(route, context, deps)))
  }
  for (const path of new Set(ROUTES.map((route) => route.path))) {
    app.all(path, (context) => send(context, notAllowed(path)))
  }
  return app
}

/** Compared as digests of one length, so that the time taken tells nothing of the token. */
function hasToken(token: string, header: string | undefined): boolean {
  const given = /^Bearer ([!-~]{1,512})$/.exec(header ?? '')?.[1] ?? ''
  return timingSafeEqual(digest(given), digest(token))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

const USE = `Use ${ID_HINT}.`

async function answer(route: Route, context: Context<App>, deps: ApiDeps): Promise<Answer> {
  const given = context.req.param('id') ?? ''
  if (route.path.includes(':id') && !ID_PATTERN.test(given)) {
    return invalid(notAnId(given), USE)
  }
  const param = route.path.startsWith('/api/agents/') ? agentNamed(given, deps) : given
  const requestId = context.req.header('x-request-id') ?? deps.newId()
  if (!inputId.safeParse(requestId).success) {
    return invalid('The header x-request-id is not valid', USE)
  }
  const query = route.query.safeParse(context.req.query())
  if (!query.success) return invalid(problemIn('query', query.error), 'Correct the address and ask again.')
  const read = route.method === 'GET' ? { value: undefined } : await readBody(context)
  if ('refusal' in read) return read.refusal
  const body = route.body.safeParse(read.value)
  if (!body.success) return invalid(problemIn('body', body.error), 'Correct it and send it again.')
  // Whoever gave up must not find it carried out later, when the daemon goes on after a stop.
  if (route.method === 'POST' && (await context.env?.isGone?.()) === true) return GONE
  return route.handler({ param, query: query.data, body: body.data, requestId }, deps)
}

/** An issue's name stands for its agent: exactly `agent-<name>`, never a prefix of anything. */
function agentNamed(name: string, deps: ApiDeps): string {
  const ofIssue = `agent-${name}`
  return deps.agent(name) === undefined && deps.agent(ofIssue) !== undefined ? ofIssue : name
}

async function readBody(context: Context): Promise<{ value: unknown } | { refusal: Answer }> {
  const text = await context.req.text()
  if (text === '') return { value: undefined }
  if (!/^application\/json\s*(;|$)/i.test(context.req.header('content-type') ?? '')) {
    const hint = 'Send it with the header `content-type: application/json`.'
    return { refusal: { ...invalid('The body is not declared as JSON', hint), status: 415 } }
  }
  try {
    return { value: JSON.parse(text) }
  } catch {
    return { refusal: invalid('The body is not JSON', 'Correct it and send it again.') }
  }
}

function send(context: Context, { status, body }: Answer): Response {
  return context.json(body, status, { 'cache-control': 'no-store' })
}

const UNAUTHORIZED = refused({
  code: 'unauthorized',
  sentence: 'The token is missing or wrong',
  hint: 'Send `authorization: Bearer …` with the content of the file `token` in the home folder.',
})

const NO_ROUTE = refused({
  code: 'not_found',
  sentence: 'There is nothing at this address',
  hint: 'Check the path; client and daemon may be of different versions.',
})

const TOO_LARGE = refused({
  code: 'too_large',
  sentence: `The body is larger than ${BODY_LIMIT} bytes`,
  hint: 'Send less; put long texts into a file of the workspace and name that.',
})

/** Nobody hears it. */
const GONE = refused({ code: 'busy', sentence: 'The client has gone away', hint: 'Ask again.' })

const FAILED = refused({
  code: 'failed',
  sentence: 'The daemon could not answer because of a fault of its own',
  hint: 'The reason is in logs/daemon.log of the home folder.',
})

function notAllowed(path: string): Answer {
  const methods = ROUTES.filter((route) => route.path === path).map(({ method }) => method)
  return refused({
    code: 'not_allowed',
    sentence: `${path} does not take this method`,
    hint: `Use ${methods.join(' or ')}.`,
  })
}
