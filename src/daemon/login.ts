/**
 * Browsers that are signed in. A code works once within a minute and is kept in memory only; for it a browser gets a
 * token of its own, of which only the digest is kept, in logins.json, so that a login outlives the daemon.
 */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import type { Logins } from '../api/door-deps.ts'
import { readOwn, writeOwn } from './secret-file.ts'
import { digestOf, isSame } from './token.ts'

const CODE_MS = 60_000
const LOGIN_MS = 30 * 24 * 60 * 60_000
const MOST_CODES = 16
const MOST_LOGINS = 32
/** Tries at once, and how long until there is one more. Codes have 128 bits: this only keeps the noise down. */
const TRIES = 10
const TRY_MS = 1_000

const kept = z.array(z.object({ digest: z.string().regex(/^[0-9a-f]{64}$/), expiresAt: z.number() })).max(1_000)

interface Secret {
  digest: Buffer
  expiresAt: number
}

export interface LoginOptions {
  home: string
  now: () => number
  /** Where browsers find the dashboard. */
  url: () => string | undefined
}

export class BrowserLogins implements Logins {
  readonly #file: string
  readonly #options: LoginOptions
  #codes: Secret[] = []
  #logins: Secret[]
  #tries = TRIES
  #triesAt = 0

  constructor(options: LoginOptions) {
    this.#options = options
    this.#file = join(options.home, 'logins.json')
    this.#logins = readLogins(this.#file)
  }

  readonly invite = () => {
    const url = this.#options.url()
    if (url === undefined) return undefined
    const code = randomBytes(16).toString('base64url')
    this.#codes = [...this.#fresh(this.#codes), this.#secret(code, CODE_MS)].slice(-MOST_CODES)
    return { url: `${url}/#login=${code}`, expiresInMs: CODE_MS }
  }

  readonly redeem = (code: string) => {
    if (!this.#mayTry()) return 'too_many' as const
    const digest = digestOf(code)
    const codes = this.#fresh(this.#codes)
    this.#codes = codes.filter((known) => !isSame(known.digest, digest))
    if (this.#codes.length === codes.length) return 'wrong' as const
    const token = randomBytes(32).toString('hex')
    const login = this.#secret(token, LOGIN_MS)
    this.#keep([...this.#fresh(this.#logins), login].slice(-MOST_LOGINS))
    return { token, expiresAt: login.expiresAt }
  }

  /** The name of the login that a token with this digest belongs to. Every one is compared, whichever it is. */
  find(digest: Buffer): string | undefined {
    const found = this.#logins.filter((login) => isSame(login.digest, digest))
    return this.#fresh(found)[0]?.digest.toString('hex')
  }

  readonly end = (login: string) => this.#keep(this.#logins.filter(({ digest }) => digest.toString('hex') !== login))

  readonly endAll = () => {
    const { length } = this.#fresh(this.#logins)
    this.#codes = []
    this.#keep([])
    return length
  }

  #secret(text: string, lastsMs: number): Secret {
    return { digest: digestOf(text), expiresAt: this.#options.now() + lastsMs }
  }

  #fresh(secrets: readonly Secret[]): Secret[] {
    const now = this.#options.now()
    return secrets.filter(({ expiresAt }) => now < expiresAt)
  }

  #mayTry(): boolean {
    const now = this.#options.now()
    this.#tries = Math.min(TRIES, this.#tries + Math.max(0, now - this.#triesAt) / TRY_MS)
    this.#triesAt = now
    if (this.#tries < 1) return false
    this.#tries -= 1
    return true
  }

  #keep(logins: Secret[]): void {
    const rows = logins.map(({ digest, expiresAt }) => ({ digest: digest.toString('hex'), expiresAt }))
    writeOwn(this.#file, `${JSON.stringify(rows)}\n`)
    this.#logins = logins
  }
}

/** A file that cannot be read signs everybody out, which a new link mends. */
function readLogins(file: string): Secret[] {
  const text = readOwn(file)
  if (text === undefined) return []
  try {
    return kept
      .parse(JSON.parse(text))
      .map(({ digest, expiresAt }) => ({ digest: Buffer.from(digest, 'hex'), expiresAt }))
  } catch {
    return []
  }
}
