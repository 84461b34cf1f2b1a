/** Reads what somebody else may have put there: a pipe is not waited for, and nothing beyond a limit is read. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

const MB = 1024 * 1024
export const SMALL_BYTES = 32 * MB

/** Undefined where there is no such file, where it is no file, or where it is too large. */
export async function readSmall(path: string, limit = SMALL_BYTES): Promise<string | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const stats = await file.stat()
    return stats.isFile() && stats.size <= limit ? await file.readFile('utf8') : undefined
  } catch {
    return undefined
  }
}
