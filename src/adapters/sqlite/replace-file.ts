/** Files that are replaced as a whole, in folders of our own. */
import { closeSync, constants, lstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs'

/** A link in place of a folder could lead our writes anywhere, so it is refused. */
export function ensureFolder(path: string): 'made' | 'found' {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) {
    mkdirSync(path, { mode: 0o700 })
    return 'made'
  }
  if (!found.isDirectory()) throw new Error(`${path} is not a folder of its own (a link or a file): remove it`)
  return 'found'
}

const FRESH = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW

export function replaceFile(path: string, text: string): void {
  const draft = `${path}.new`
  const handle = openSync(draft, FRESH, 0o600)
  try {
    writeAll(handle, Buffer.from(text))
  } finally {
    closeSync(handle)
  }
  renameSync(draft, path)
}

function writeAll(handle: number, bytes: Buffer): void {
  for (let done = 0; done < bytes.length;) done += writeSync(handle, bytes, done)
}
