/**
 * The files of the dashboard. They are read once, at the start, into a map: what is not in it cannot be asked for,
 * however a path is spelled. An address without a file that looks like a page is the page, which routes by itself.
 */
import type { Context, Hono } from 'hono'
import { refused } from './answer.ts'
import type { DoorDeps } from './door-deps.ts'
import type { DoorEnv } from './door-env.ts'
import { NO_ROUTE } from './refusals.ts'
import { send } from './send.ts'

export interface Asset {
  type: string
  body: Uint8Array<ArrayBuffer>
  /** Its name holds a hash of its content. */
  immutable: boolean
}

/** Only on a port: nobody browses a unix socket. */
export function mountAssets(app: Hono<DoorEnv>, { asset }: Pick<DoorDeps, 'asset'>): void {
  app.get('*', async (context, next) => {
    const { path } = context.req
    if (context.env?.door?.via !== 'tcp' || /^\/(api|metrics|healthz)(\/|$)/.test(path)) return next()
    const found = asset(path)
    if (found !== undefined) return sendAsset(context, found)
    // A file's name has a dot; no address of the page has.
    if (!/^\/[A-Za-z0-9_/-]*$/.test(path)) return send(context, NO_ROUTE)
    const page = asset('/index.html')
    return page === undefined ? send(context, NOT_BUILT) : sendAsset(context, page)
  })
}

function sendAsset(context: Context, { type, body, immutable }: Asset): Response {
  const cache = immutable ? 'public, max-age=31536000, immutable' : 'no-store'
  return context.body(body, 200, { 'content-type': type, 'cache-control': cache })
}

const NOT_BUILT = refused({
  code: 'not_found',
  sentence: 'The dashboard is not built',
  hint: 'Run `npm run build`, then `pan down && pan up`.',
})
