/**
 * One HTTP request on a unix socket and its whole answer. By hand on node:net, because loading node:http takes longer
 * than all the rest of `pan status` (44 ms against 3 ms, measured). HTTP/1.0: one answer, then the server closes, so
 * that there is nothing to reuse and nothing in chunks.
 */
import { createConnection } from 'node:net'

export interface Sent {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  headers: Readonly<Record<string, string>>
  body: string
}

export interface Received {
  status: number
  body: string
}

export interface Limits {
  /** How long the answer may take to begin. */
  firstByteMs: number
  /** How long it may pause once it has begun. */
  timeoutMs: number
  maxBytes: number
}

/** Rejects with the socket's own error; one that was cut off in the middle has the code ECONNRESET. */
export function exchange(socketPath: string, sent: Sent, limits: Limits): Promise<Received> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketPath)
    const chunks: Buffer[] = []
    let bytes = 0
    const giveUp = (code: string, message: string) => void socket.destroy(Object.assign(new Error(message), { code }))
    const tooLate = () => giveUp('ETIMEDOUT', 'no answer in time')
    // By a clock of its own: sending a long body is no sign of life of the other side.
    const first = setTimeout(tooLate, limits.firstByteMs)
    socket.setTimeout(limits.timeoutMs, tooLate)
    socket.on('data', (chunk) => {
      clearTimeout(first)
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > limits.maxBytes) giveUp('EMSGSIZE', `the answer is larger than ${limits.maxBytes} bytes`)
    })
    socket.on('error', reject)
    socket.on('close', () => {
      clearTimeout(first)
      const received = parse(Buffer.concat(chunks))
      if (received === undefined) reject(Object.assign(new Error('the answer was cut off'), { code: 'ECONNRESET' }))
      else resolve(received)
    })
    // Not end(): Node's server takes a closed half for a client that has gone away.
    socket.write(message(sent))
  })
}

function message({ method, path, headers, body }: Sent): string {
  const all = { host: 'cloister', connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${path} HTTP/1.0\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Undefined when it is not whole. */
function parse(answer: Buffer): Received | undefined {
  const headEnd = answer.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = answer.subarray(0, headEnd).toString('latin1')
  const status = /^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1]
  const length = /^content-length: *(\d+)$/im.exec(head)?.[1]
  const body = answer.subarray(headEnd + 4)
  if (status === undefined || (length !== undefined && body.length !== Number(length))) return undefined
  return { status: Number(status), body: body.toString('utf8') }
}
