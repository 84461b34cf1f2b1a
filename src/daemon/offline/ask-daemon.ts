/** Asks a running daemon something on the socket of its home; undefined when it gives no JSON in time. */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'

const LONGEST = 100_000

interface Question {
  method: 'GET' | 'POST'
  path: string
  timeoutMs: number
}

export function askDaemon(home: string, { method, path, timeoutMs }: Question): Promise<unknown> {
  const token = tokenOf(home)
  if (token === undefined) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const asked = request(
      {
        socketPath: join(home, 'daemon.sock'),
        path,
        method,
        headers: { authorization: `Bearer ${token}` },
        agent: false,
        timeout: timeoutMs,
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text = (text + chunk).slice(0, LONGEST)))
        response.on('end', () => resolve(parsed(text)))
        response.on('error', () => resolve(undefined))
      },
    )
    asked.on('error', () => resolve(undefined))
    asked.on('timeout', () => asked.destroy())
    asked.end()
  })
}

function tokenOf(home: string): string | undefined {
  try {
    return readFileSync(join(home, 'token'), 'utf8').trim()
  } catch {
    return undefined
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
