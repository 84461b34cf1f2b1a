/** Stands before every request: turns away who may not come in, finds out who asks, counts, and notes deeds. */
import type { Context, MiddlewareHandler } from 'hono'
import { auditEntry, type Note } from './audit.ts'
import type { Caller } from './caller.ts'
import type { ApiDeps } from './deps.ts'
import { objectionTo, type Knock, type Objection } from './door.ts'
import type { Door, DoorEnv } from './door-env.ts'
import { otherSitePage } from './door-page.ts'
import { ONLY_ITSELF, UNAUTHORIZED } from './refusals.ts'
import type { Route } from './route.ts'
import { send } from './send.ts'

/** Without a listener, as in tests, what comes in counts as having come by the socket: the token is asked for. */
const SOCKET: Door = { via: 'socket' }
const STRANGER: Caller = { kind: 'stranger' }

export function doorKeeper(deps: ApiDeps): MiddlewareHandler<DoorEnv> {
  return async (context, next) => {
    const beganAt = performance.now()
    const door = context.env?.door ?? SOCKET
    const objection = objectionTo(knockOf(context), door)
    const token = objection === undefined ? tokenOf(context) : undefined
    const caller = token === undefined ? STRANGER : deps.callerOf(token)
    if (caller.kind !== 'stranger') context.env?.known?.()
    context.set('caller', caller)
    context.set('requestId', context.req.header('x-request-id') ?? deps.newId())
    const note = noteFor(context, deps)
    context.set('note', note)
    if (objection === undefined) await next()
    else {
      deps.metrics.refused(objection.reason)
      context.res = isFollowedLink(context, objection) ? otherSitePage(door) : send(context, objection.answer)
    }
    const { method, path } = context.req
    const { status } = context.res
    const route = objection === undefined ? routeOf(context) : undefined
    if (status === 401) deps.metrics.refused('token')
    deps.metrics.answered({ method, route: route ?? 'other', status, ms: performance.now() - beganAt })
    if (!isSafe(method) || status === 401 || objection !== undefined) {
      note(`${method} ${route ?? path}`, agentIn(path), status)
    }
  }
}

/** Only who the route is for, and an agent only for itself. */
export function allow({ callers }: Pick<Route, 'callers'>): MiddlewareHandler<DoorEnv> {
  return async (context, next) => {
    const caller = context.get('caller')
    if (!callers.includes(caller.kind)) {
      return send(context, caller.kind === 'stranger' ? UNAUTHORIZED : ONLY_ITSELF)
    }
    if (caller.kind === 'run' && context.req.param('id') !== caller.agent) return send(context, ONLY_ITSELF)
    return next()
  }
}

function knockOf(context: Context<DoorEnv>): Knock {
  const incoming = context.env?.incoming
  if (incoming !== undefined) {
    return { method: incoming.method ?? '', target: incoming.url ?? '', headers: incoming.rawHeaders }
  }
  const headers = [...context.req.raw.headers].flat()
  return { method: context.req.method, target: context.req.path, headers }
}

/** A person sees the answer, who would not know what to do with JSON. */
function isFollowedLink({ req }: Context<DoorEnv>, { reason }: Objection): boolean {
  return reason === 'cross-site' && req.method === 'GET' && req.header('sec-fetch-dest') === 'document'
}

/** A browser cannot give a WebSocket a header, so there the token is one of the protocols it offers. */
export function tokenOf({ req }: Context<DoorEnv>): string | undefined {
  const bearer = /^Bearer +([!-~]{1,512})$/i.exec(req.header('authorization') ?? '')?.[1]
  if (bearer !== undefined || req.header('upgrade') === undefined) return bearer
  const protocols = (req.header('sec-websocket-protocol') ?? '').slice(0, 2_000).split(/[ \t]*,[ \t]*/)
  return protocols.find((name) => name.startsWith('token.'))?.slice('token.'.length)
}

/** What strangers try and what agents report may come in masses: counted, and written at most once a second. */
function noteFor(context: Context<DoorEnv>, { audit }: Pick<ApiDeps, 'audit'>): Note {
  return (what, agent, code = 200) => {
    const caller = whoBecame(context.get('caller'), code)
    const { via: door } = context.env?.door ?? SOCKET
    const requestId = context.get('requestId')
    const entry = { door, what, code, requestId, ...(agent === undefined ? {} : { agent }) }
    audit(auditEntry(caller, { ...entry }), caller.kind !== 'owner')
  }
}

/** The only thing that a stranger can do with success is to sign in; from then on he is the owner. */
function whoBecame(caller: Caller, code: number): Caller {
  return caller.kind === 'stranger' && code < 400 ? { kind: 'owner', via: 'dashboard' } : caller
}

/** The pattern that matched, not the path: paths are as many as people like. */
function routeOf(context: Context<DoorEnv>): string | undefined {
  const path = context.req.routePath
  return path.includes('*') ? undefined : path
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

function agentIn(path: string): string | undefined {
  return /^\/api\/agents\/([a-z0-9_-]{1,64})(?:\/|$)/.exec(path)?.[1]
}
