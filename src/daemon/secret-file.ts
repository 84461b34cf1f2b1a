/** Files that only their owner may read. What others could have read, or anybody else made, is not trusted. */
import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/** The text of a file that is ours alone; undefined when it is not there or not to be trusted. */
export function readOwn(file: string): string | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats === undefined || !stats.isFile() || stats.uid !== process.getuid?.() || (stats.mode & 0o077) !== 0) {
    return undefined
  }
  return readFileSync(file, 'utf8')
}

/** Replaces it as a whole. Called with the home's lock held, so that nobody else writes it. */
export function writeOwn(file: string, text: string): void {
  const fresh = `${file}.new`
  rmSync(fresh, { force: true })
  // «wx» is O_EXCL: what stands there by now was not made by us.
  writeFileSync(fresh, text, { flag: 'wx', mode: 0o600 })
  renameSync(fresh, file)
}
