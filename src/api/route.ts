/** The shape of a route. Parameters, query and body are checked before its handler sees them. */
import * as z from 'zod'
import type { Answer } from './answer.ts'
import type { ApiDeps } from './deps.ts'

export interface ApiRequest<Query = unknown, Body = unknown> {
  /** Checked against the one pattern of ids; empty where the path has none. */
  param: string
  query: Query
  body: Body
  /** Counts once, however often it is sent. */
  requestId: string
}

export interface Route {
  method: 'GET' | 'POST'
  path: string
  query: z.ZodType
  body: z.ZodType
  handler: (request: ApiRequest, deps: ApiDeps) => Answer | Promise<Answer>
}

interface Typed<Query extends z.ZodType, Body extends z.ZodType> {
  query?: Query
  body?: Body
  handler: (request: ApiRequest<z.infer<Query>, z.infer<Body>>, deps: ApiDeps) => Answer | Promise<Answer>
}

const nothing = z.strictObject({}).default({})

export function get<Query extends z.ZodType>(path: string, typed: Omit<Typed<Query, z.ZodType>, 'body'>): Route {
  return { method: 'GET', path, ...withDefaults(typed) }
}

export function post<Body extends z.ZodType>(path: string, typed: Omit<Typed<z.ZodType, Body>, 'query'>): Route {
  return { method: 'POST', path, ...withDefaults(typed) }
}

/** The schemas of a route are what its handler was written for, so that the types may be dropped here. */
function withDefaults<Query extends z.ZodType, Body extends z.ZodType>(typed: Typed<Query, Body>) {
  const { query = nothing, body = nothing, handler } = typed
  return { query, body, handler: handler as Route['handler'] }
}

const digits = z.string().regex(/^\d{1,15}$/, 'must be a whole number')

/** Which events: those after a seq, or the newest. */
export const page = z.strictObject({
  after: digits.transform(Number).optional(),
  limit: digits.transform(Number).pipe(z.int().min(1).max(1000)).default(100),
})
