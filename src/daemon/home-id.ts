/** What makes this home's agents its own: the name of their terminal server and the first half of their tag. */
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PATTERN = /^[0-9a-f]{12}$/

/** Reads the id, or makes it at the first start. Called with the home's lock held. */
export function homeId(home: string): string {
  const file = join(home, 'home.id')
  try {
    writeFileSync(file, `${randomBytes(6).toString('hex')}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  const id = readFileSync(file, 'utf8').trim()
  if (PATTERN.test(id)) return id
  throw new Error(
    `${file} does not hold a home id. Agents of this home could not be found again; restore the file, or move the home away and begin anew.`,
  )
}
