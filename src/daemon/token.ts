/**
 * The key to this home's API: 256 random bits in a file that only its owner may read. Never printed or logged.
 * A file that others could have read, or that holds no whole token, is replaced. Call it with the home's lock held.
 */
import { randomBytes } from 'node:crypto'
import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const TOKEN = /^[0-9a-f]{64}$/

export function homeToken(home: string): string {
  const file = join(home, 'token')
  const kept = trusted(file)
  if (kept !== undefined) return kept
  const token = randomBytes(32).toString('hex')
  rmSync(file, { force: true })
  // «wx» is O_EXCL: what stands there by now was not made by us.
  writeFileSync(file, `${token}\n`, { flag: 'wx', mode: 0o600 })
  return token
}

function trusted(file: string): string | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isFile() || stats.uid !== process.getuid?.() || (stats.mode & 0o077) !== 0) {
    return undefined
  }
  const text = readFileSync(file, 'utf8').trim()
  return TOKEN.test(text) ? text : undefined
}
