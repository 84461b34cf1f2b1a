/** Asks a running daemon for a link to sign a browser in with; undefined when it gives none. */
import { invitationView } from '../../contract/login-views.ts'
import { askDaemon } from './ask-daemon.ts'

const TIMEOUT_MS = 2_000

export async function signInLink(home: string): Promise<string | undefined> {
  const told = await askDaemon(home, { method: 'POST', path: '/api/login-code', timeoutMs: TIMEOUT_MS })
  return invitationView.safeParse(told).data?.url
}
