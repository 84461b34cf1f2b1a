/** Asks a running daemon for a link to sign a browser in with; undefined when it gives none. */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { invitationView } from '../../contract/login-views.ts'

const TIMEOUT_MS = 2_000
const LONGEST = 10_000

export function signInLink(home: string): Promise<string | undefined> {
  const token = tokenOf(home)
  if (token === undefined) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const asked = request(
      {
        socketPath: join(home, 'daemon.sock'),
        path: '/api/login-code',
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        agent: false,
        timeout: TIMEOUT_MS,
      },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text = (text + chunk).slice(0, LONGEST)))
        response.on('end', () => resolve(linkIn(text)))
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

function linkIn(text: string): string | undefined {
  return invitationView.safeParse(parsed(text)).data?.url
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
