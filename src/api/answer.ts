/** What a handler gives back: a status and a JSON body. Everything that is no success has the one error shape. */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ApiError } from '../contract/views.ts'

export interface Answer {
  status: ContentfulStatusCode
  body: object
}

const STATUS: Record<ApiError['code'], ContentfulStatusCode> = {
  invalid: 400,
  unauthorized: 401,
  not_found: 404,
  not_allowed: 405,
  conflict: 409,
  too_large: 413,
  emergency: 423,
  failed: 500,
  busy: 503,
}

export function ok(body: object): Answer {
  return { status: 200, body }
}

/** Taken and durable; what became of it are events after this. */
export function accepted(body: object): Answer {
  return { status: 202, body }
}

export function refused({ code, sentence, hint }: ApiError): Answer {
  return { status: STATUS[code], body: { code, sentence, hint } }
}

export function invalid(sentence: string, hint: string): Answer {
  return refused({ code: 'invalid', sentence, hint })
}

export function noAgent(id: string): Answer {
  return refused({
    code: 'not_found',
    sentence: `There is no agent ${id}`,
    hint: 'List them with `pan agents list`.',
  })
}
