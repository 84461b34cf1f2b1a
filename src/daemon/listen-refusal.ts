/** What Node would answer by itself, before or without the app: in the one error shape, with the headers of the door. */
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { refused, type Answer } from '../api/answer.ts'
import type { ApiError } from '../contract/views.ts'

export type DoorHeaders = readonly (readonly [string, string])[]

/** For a socket on which something came that is no request. */
export function refuseRaw(socket: Socket, error: NodeJS.ErrnoException, headers: DoorHeaders): void {
  const { status, body } = ANSWERS[error.code ?? ''] ?? MALFORMED
  const text = JSON.stringify(body)
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...[...headers, ...typeAndLength(text)].map(([name, value]) => `${name}: ${value}`),
    'connection: close',
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n${text}`)
  socket.destroySoon()
}

/** For a request with an `Expect` that nobody can meet. */
export function refuseExpectation(request: IncomingMessage, response: ServerResponse, headers: DoorHeaders): void {
  request.resume()
  const text = JSON.stringify(EXPECTS.body)
  for (const [name, value] of [...headers, ...typeAndLength(text)]) response.setHeader(name, value)
  response.writeHead(EXPECTS.status)
  response.end(text)
}

function typeAndLength(text: string): DoorHeaders {
  return [
    ['content-type', 'application/json'],
    ['content-length', String(Buffer.byteLength(text))],
    ['cache-control', 'no-store'],
  ]
}

const MALFORMED = refused({
  code: 'invalid',
  sentence: 'This is no HTTP request that can be read',
  hint: 'Send it with a client for HTTP/1.1.',
})

const EXPECTS = {
  ...refused({ code: 'invalid', sentence: 'The header expect cannot be met', hint: 'Leave it out.' }),
  status: 417,
} as const

const ANSWERS: Readonly<Record<string, Answer<ApiError>>> = {
  HPE_HEADER_OVERFLOW: {
    ...refused({ code: 'too_large', sentence: 'The headers are larger than 16 KB', hint: 'Send less.' }),
    status: 431,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: refused({
    code: 'too_large',
    sentence: 'The chunks of the body carry too much beside it',
    hint: 'Send the body with its length.',
  }),
  ERR_HTTP_REQUEST_TIMEOUT: {
    ...refused({ code: 'invalid', sentence: 'The request did not come in time', hint: 'Send it again, all at once.' }),
    status: 408,
  },
}
