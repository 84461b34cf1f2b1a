/** What the API says when it is not a route's own refusal. */
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { ApiError } from '../contract/views.ts'
import { invalid, refused, type Answer } from './answer.ts'

/** Whoever asks for no token, as for a login, sends a code and no more. */
export const STRANGER_BODY_LIMIT = 1024

export const UNAUTHORIZED = refused({
  code: 'unauthorized',
  sentence: 'The token is missing or wrong',
  hint: 'Send `authorization: Bearer …` with the content of the file `token` in the home folder.',
})

export const ONLY_ITSELF = refused({
  code: 'forbidden',
  sentence: 'An agent can report on itself and nothing else',
  hint: 'Run the command outside of the agent, in a terminal of your own.',
})

export const NO_ROUTE = refused({
  code: 'not_found',
  sentence: 'There is nothing at this address',
  hint: 'Check the path; client and daemon may be of different versions.',
})

export function tooLarge(limit: number): Answer<ApiError> {
  return refused({
    code: 'too_large',
    sentence: `The body is larger than ${limit} bytes`,
    hint: 'Send less; put long texts into a file of the workspace and name that.',
  })
}

/** Nobody hears it. The status is one that proxies use; here only the metrics and the audit see it. */
export const GONE = {
  ...refused({ code: 'busy', sentence: 'The client has gone away', hint: 'Ask again.' }),
  status: 499 as ContentfulStatusCode,
}

export const FAILED = refused({
  code: 'failed',
  sentence: 'The daemon could not answer because of a fault of its own',
  hint: 'The reason is in logs/daemon.log of the home folder.',
})

export const NOT_JSON_TYPE = {
  ...invalid('The body is not declared as JSON', 'Send it with the header `content-type: application/json`.'),
  status: 415,
} as const

export function notAllowed(path: string, methods: readonly string[]) {
  return refused({
    code: 'not_allowed',
    sentence: `${path} does not take this method`,
    hint: `Use ${methods.join(' or ')}.`,
  })
}
