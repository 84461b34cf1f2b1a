/**
 * The API as a Hono app: a table of routes behind one door. Without a token nobody gets more than GET /healthz, the
 * files of the dashboard and, with a one-time code, a login; bodies are JSON of a bounded size; ids match the one
 * pattern; every failure has the one error shape.
 */
import { Hono, type Context, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { ok } from './answer.ts'
import { mountAssets } from './assets.ts'
import type { ApiDeps } from './deps.ts'
import type { DoorEnv } from './door-env.ts'
import { allow, doorKeeper } from './door-keeper.ts'
import { handleRoute } from './handle-route.ts'
import { BODY_LIMIT } from '../contract/text-limit.ts'
import { FAILED, GONE, NO_ROUTE, notAllowed, STRANGER_BODY_LIMIT, tooLarge } from './refusals.ts'
import { ROUTES } from './routes.ts'
import { send } from './send.ts'
import { mountStream } from './stream.ts'
import { mountTerminal } from './terminal.ts'

export function createApp(deps: ApiDeps): Hono<DoorEnv> {
  const app = new Hono<DoorEnv>()
  app.onError((error, context) => {
    if (brokeOff(context)) return send(context, GONE)
    deps.problem(error)
    return send(context, FAILED)
  })
  app.notFound((context) => send(context, NO_ROUTE))
  app.use(doorKeeper(deps))
  app.get('/healthz', (context) => send(context, ok({ ok: true })))
  mountAssets(app, deps)
  const [limit, strangerLimit] = [limited(BODY_LIMIT), limited(STRANGER_BODY_LIMIT)]
  const limitFor: typeof limit = (context, next) =>
    (context.get('caller').kind === 'stranger' ? strangerLimit : limit)(context, next)
  for (const route of ROUTES) {
    // Who may not ask is told so before a byte of the body is read.
    app.on(route.method, route.path, allow(route), limitFor, async (context) =>
      send(context, await handleRoute(route, context, deps)),
    )
  }
  app.use(allow({ callers: ['owner'] }))
  mountStream(app, deps)
  mountTerminal(app, deps)
  app.get('/metrics', async (context) => {
    const headers = { 'content-type': deps.metrics.type, 'cache-control': 'no-store' }
    return context.body(await deps.metrics.text(deps.status(), deps.lastSeq()), 200, headers)
  })
  for (const path of new Set(ROUTES.map((route) => route.path))) {
    const methods = ROUTES.filter((route) => route.path === path).map(({ method }) => method)
    app.all(path, (context) => send(context, notAllowed(path, methods)))
  }
  return app
}

/** The client hung up in the middle of its request, which is no fault of ours, whatever failed because of it. */
function brokeOff({ env }: Context<DoorEnv>): boolean {
  const incoming = env?.incoming
  return incoming !== undefined && incoming.destroyed && !incoming.complete
}

/** A body that says its length needs no counting, which would make a stream of it. Node reads no more than was said. */
function limited(most: number): MiddlewareHandler<DoorEnv> {
  const counted = bodyLimit({ maxSize: most, onError: (context) => send(context, tooLarge(most)) })
  return (context, next) => {
    if (context.req.method === 'GET') return next()
    const length = context.req.header('content-length')
    if (length === undefined || context.req.header('transfer-encoding') !== undefined) return counted(context, next)
    return Number(length) <= most ? next() : Promise.resolve(send(context, tooLarge(most)))
  }
}
