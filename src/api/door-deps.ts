/** What the door needs from the daemon: who a token stands for, how a browser gets one, and where deeds are noted. */
import type { Asset } from './assets.ts'
import type { Audit } from './audit.ts'
import type { Caller } from './caller.ts'
import type { Metrics } from './metrics.ts'

export interface DoorDeps {
  /** The stranger for a token that opens nothing. Compares in constant time. */
  callerOf: (token: string) => Caller
  logins: Logins
  audit: Audit
  metrics: Metrics
  /** The file of the dashboard at a path; undefined where there is none. */
  asset: (path: string) => Asset | undefined
}

/** Browsers sign in with a code that works once and shortly, and get a token of their own for it. */
export interface Logins {
  /** Undefined while nothing listens for browsers. */
  invite: () => { url: string; expiresInMs: number } | undefined
  redeem: (code: string) => { token: string; expiresAt: number } | 'wrong' | 'too_many'
  end: (login: string) => void
  /** Answers how many there were. */
  endAll: () => number
}
