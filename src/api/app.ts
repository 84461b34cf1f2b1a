/**
 * The API as a Hono app: a table of routes behind one door. Without a token nobody gets more than GET /healthz, the
 * files of the dashboard and, with a one-time code, a login; bodies are JSON of a bounded size; ids match the one
 * pattern; every failure has the one error shape.
 */
import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { ok } from './answer.ts'
import { mountAssets } from './assets.ts'
import type { ApiDeps } from './deps.ts'
import type { DoorEnv } from './door-env.ts'
import { allow, doorKeeper } from './door-keeper.ts'
import { handleRoute } from './handle-route.ts'
import { BODY_LIMIT, FAILED, NO_ROUTE, notAllowed, TOO_LARGE } from './refusals.ts'
import { ROUTES } from './routes.ts'
import { send } from './send.ts'
import { mountStream } from './stream.ts'
import { mountTerminal } from './terminal.ts'

export function createApp(deps: ApiDeps): Hono<DoorEnv> {
  const app = new Hono<DoorEnv>()
  app.onError((error, context) => {
    deps.problem(error)
    return send(context, FAILED)
  })
  app.notFound((context) => send(context, NO_ROUTE))
  app.use(doorKeeper(deps))
  app.get('/healthz', (context) => send(context, ok({ ok: true })))
  mountAssets(app, deps)
  const limit = limited()
  for (const route of ROUTES) {
    // Who may not ask is told so before a byte of the body is read.
    app.on(route.method, route.path, allow(route), limit, async (context) =>
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

/** A body that says its length needs no counting, which would make a stream of it. Node reads no more than was said. */
function limited(): MiddlewareHandler<DoorEnv> {
  const counted = bodyLimit({ maxSize: BODY_LIMIT, onError: (context) => send(context, TOO_LARGE) })
  return (context, next) => {
    if (context.req.method === 'GET') return next()
    const length = context.req.header('content-length')
    if (length === undefined || context.req.header('transfer-encoding') !== undefined) return counted(context, next)
    return Number(length) <= BODY_LIMIT ? next() : Promise.resolve(send(context, TOO_LARGE))
  }
}
