/**
 * The key to this home's API: 256 random bits in a file that only its owner may read. Never printed or logged.
 * A file that others could have read, or that holds no whole token, is replaced. Call it with the home's lock held.
 */
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { join } from 'node:path'
import { readOwn, writeOwn } from './secret-file.ts'

const TOKEN = /^[0-9a-f]{64}$/

export function homeToken(home: string): string {
  const file = join(home, 'token')
  const kept = readOwn(file)?.trim()
  if (kept !== undefined && TOKEN.test(kept)) return kept
  const token = randomBytes(32).toString('hex')
  writeOwn(file, `${token}\n`)
  return token
}

export function digestOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}

/** Digests have one length, so that the time taken tells nothing of what was expected. */
export function isSame(a: Buffer, b: Buffer): boolean {
  return timingSafeEqual(a, b)
}
