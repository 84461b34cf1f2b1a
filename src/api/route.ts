/**
 * The shape of a route, from which checks, documentation and the client's types come. Who asks, parameters, query and
 * body are checked before its handler sees them.
 */
import * as z from 'zod'
import type { ApiError } from '../contract/views.ts'
import type { Answer } from './answer.ts'
import type { Caller } from './caller.ts'
import type { ApiDeps, Readings } from './deps.ts'

export type Method = 'GET' | 'POST' | 'PUT'

export interface ApiRequest<Query = unknown, Body = unknown> {
  /** Checked against the one pattern of ids; empty where the path has none. */
  param: string
  query: Query
  body: Body
  /** Counts once, however often it is sent. */
  requestId: string
  caller: Caller
}

export interface Route<
  Key extends string = string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Told extends z.ZodType = z.ZodType,
> {
  /** Method and path, such as `GET /api/agents/:id`. */
  key: Key
  method: Method
  path: string
  /** One sentence for the documentation. */
  summary: string
  callers: readonly Caller['kind'][]
  query: Query
  body: Body
  answer: Told
  /** What it answers with when it succeeds. */
  statuses: readonly (200 | 202)[]
  /** Refusals of its own, beside those of the door. */
  refusals: readonly ApiError['code'][]
  handler: (request: ApiRequest, deps: ApiDeps) => Answer | Promise<Answer>
  /** The same handler, where it needs no more than the journal. */
  read?: (request: ApiRequest, readings: Readings) => Answer | Promise<Answer>
}

interface Typed<Query extends z.ZodType, Body extends z.ZodType, Told extends z.ZodType, Deps = ApiDeps> {
  summary: string
  /** Left out: the owner only. */
  callers?: readonly Caller['kind'][]
  query?: Query
  body?: Body
  answer: Told
  statuses?: readonly (200 | 202)[]
  refusals?: readonly ApiError['code'][]
  handler: (request: ApiRequest<z.output<Query>, z.output<Body>>, deps: Deps) => Handled<Told>
}

type Given<Told extends z.ZodType> = Answer<z.input<Told> & object> | Answer<ApiError>
type Handled<Told extends z.ZodType> = Given<Told> | Promise<Given<Told>>

const nothing = z.strictObject({}).default({})
type Nothing = typeof nothing

type Getting<Query extends z.ZodType, Told extends z.ZodType, Deps = ApiDeps> = Omit<
  Typed<Query, Nothing, Told, Deps>,
  'body'
>
type Sending<Body extends z.ZodType, Told extends z.ZodType> = Omit<Typed<Nothing, Body, Told>, 'query'>

export function get<const Path extends string, Told extends z.ZodType, Query extends z.ZodType = Nothing>(
  path: Path,
  typed: Getting<Query, Told>,
): Route<`GET ${Path}`, Query, Nothing, Told> {
  return { ...whole('GET', path, typed), query: typed.query ?? (nothing as unknown as Query), body: nothing }
}

/** A GET that the journal alone can answer. */
export function read<const Path extends string, Told extends z.ZodType, Query extends z.ZodType = Nothing>(
  path: Path,
  typed: Getting<Query, Told, Readings>,
): Route<`GET ${Path}`, Query, Nothing, Told> {
  return { ...get(path, typed), read: typed.handler as NonNullable<Route['read']> }
}

export function post<const Path extends string, Told extends z.ZodType, Body extends z.ZodType = Nothing>(
  path: Path,
  typed: Sending<Body, Told>,
): Route<`POST ${Path}`, Nothing, Body, Told> {
  return { ...whole('POST', path, typed), query: nothing, body: typed.body ?? (nothing as unknown as Body) }
}

export function put<const Path extends string, Told extends z.ZodType, Body extends z.ZodType = Nothing>(
  path: Path,
  typed: Sending<Body, Told>,
): Route<`PUT ${Path}`, Nothing, Body, Told> {
  return { ...whole('PUT', path, typed), query: nothing, body: typed.body ?? (nothing as unknown as Body) }
}

function whole<M extends Method, Path extends string, Told extends z.ZodType>(
  method: M,
  path: Path,
  typed: Omit<Typed<z.ZodType, z.ZodType, Told>, 'query' | 'body' | 'handler'> & { handler: unknown },
) {
  const { summary, callers = ['owner'], answer, statuses = [200], refusals = [], handler } = typed
  // Its schemas are what the handler was written for, so that the types may be dropped here.
  return {
    key: `${method} ${path}` as const,
    ...{ method, path, summary, callers, answer, statuses, refusals, handler: handler as Route['handler'] },
  }
}

const digits = z.string().regex(/^\d{1,15}$/, 'must be a whole number')

/** Which events: those after a seq, or the newest. */
export const page = z.strictObject({
  after: digits.transform(Number).pipe(z.int().nonnegative()).optional(),
  limit: digits.transform(Number).pipe(z.int().min(1).max(1000)).default(100),
})

/** What may become of a command that was well formed: on the house, on one agent or item. */
export const HOUSE_REFUSALS = ['conflict', 'busy'] as const
export const COMMAND_REFUSALS = ['not_found', 'conflict', 'emergency', 'busy'] as const
