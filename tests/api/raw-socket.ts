/** HTTP by hand on a TCP socket, so that a test can send what no client would. */
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface RawAnswer {
  status: number
  head: string
  body: string
}

/** Sends these bytes and gives back all that comes until the server closes. */
export function rawAsk(port: number, text: string | Buffer): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk) => chunks.push(chunk))
    // The server may hang up before all was sent; what it said before that counts.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      const all = Buffer.concat(chunks).toString('utf8')
      const [head = '', ...rest] = all.split('\r\n\r\n')
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0), head, body: rest.join('\r\n\r\n') })
    })
    socket.setTimeout(50_000, () => {
      socket.destroy()
      reject(new Error(`no end of the answer to ${text.toString().slice(0, 200)}`))
    })
    socket.write(text)
  })
}

export interface RawRequest {
  line: string
  headers: readonly string[]
  body?: string
}

export function rawText({ line, headers, body = '' }: RawRequest): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  return [`${line} HTTP/1.1`, ...headers, ...length, 'Connection: close', '', body].join('\r\n')
}

/** A connection that stays as long as the server lets it. */
export async function rawConnection(port: number, text = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve))
  if (text !== '') socket.write(text)
  return socket
}
