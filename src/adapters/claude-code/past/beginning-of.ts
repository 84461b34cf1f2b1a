/** How a file begins, by which it is known what it is; empty for what is no file, or cannot be read. A pipe is not waited for. */
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs'

export function beginningOf(path: string, mostBytes: number): string {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      if (!fstatSync(file).isFile()) return ''
      const bytes = Buffer.alloc(mostBytes)
      return bytes.toString('utf8', 0, readSync(file, bytes, 0, mostBytes, 0))
    } finally {
      closeSync(file)
    }
  } catch {
    return ''
  }
}
