/** The whole lines at the end of some bytes that end with a line. */
import { closeSync, openSync, readSync } from 'node:fs'

export const LAST_BYTES = 256 * 1024
const LINE_END = 0x0a

/** `isCut` when the bytes may begin in the middle of a line. */
export function lastLines(bytes: Buffer, isCut = false): Buffer {
  if (bytes.length <= LAST_BYTES && !isCut) return bytes
  const last = bytes.subarray(Math.max(0, bytes.length - LAST_BYTES))
  return last.subarray(last.indexOf(LINE_END) + 1)
}

/** Those before an offset of a file. */
export function readLastLines(path: string, offset: number): Buffer {
  const from = Math.max(0, offset - LAST_BYTES)
  const bytes = Buffer.allocUnsafe(offset - from)
  const fd = openSync(path, 'r')
  try {
    return lastLines(bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, from)), from > 0)
  } finally {
    closeSync(fd)
  }
}
