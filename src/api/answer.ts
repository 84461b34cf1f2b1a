/** What a handler gives back: a status and a JSON body. Everything that is no success has the one error shape. */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ApiError } from '../contract/views.ts'

export interface Answer<Body extends object = object> {
  status: ContentfulStatusCode
  body: Body
}

export const STATUS: Record<ApiError['code'], ContentfulStatusCode> = {
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  not_allowed: 405,
  conflict: 409,
  too_large: 413,
  emergency: 423,
  too_many: 429,
  failed: 500,
  busy: 503,
}

export function ok<Body extends object>(body: Body): Answer<Body> {
  return { status: 200, body }
}

/** Taken and durable; what became of it are events after this. */
export function accepted<Body extends object>(body: Body): Answer<Body> {
  return { status: 202, body }
}

export function refused({ code, sentence, hint, problems }: ApiError): Answer<ApiError> {
  const body = { code, sentence, hint, ...(problems === undefined ? {} : { problems }) }
  return { status: STATUS[code], body }
}

export function invalid(sentence: string, hint: string): Answer<ApiError> {
  return refused({ code: 'invalid', sentence, hint })
}

export function noAgent(id: string): Answer<ApiError> {
  return refused({
    code: 'not_found',
    sentence: `There is no agent ${id}`,
    hint: 'List them with `pan agents list`.',
  })
}
