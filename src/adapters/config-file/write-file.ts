/** Replaces cloister.yaml whole or not at all, and never over a change that the writer has not seen. */
import { randomBytes } from 'node:crypto'
import { lstat, open, readFile, readlink, realpath, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { makeFolder } from '../process/make-folder.ts'

/** What a new file begins with. */
export const NEW_FILE = `# Cloister settings. All keys with their defaults: docs/config.md, or \`pan config get\`.
# \`pan config validate\` checks this file.
`

export interface Replacement {
  file: string
  text: string
  /** What the file held when the change was made; undefined when there was none. */
  before: string | undefined
}

/** A sentence why nothing was written, or undefined when the new text is durable. */
export async function replaceFile({ file, text, before }: Replacement): Promise<string | undefined> {
  const target = await behindLinks(file)
  makeFolder(dirname(target), 0o700)
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`)
  try {
    await writeDurably(temporary, text, await modeOf(target))
    if ((await textOf(target)) !== before) {
      await unlink(temporary)
      return `${file} was changed by somebody else in the meantime and is left as it is`
    }
    await rename(temporary, target)
  } catch (error) {
    await unlink(temporary).catch(() => undefined)
    throw error
  }
  await syncFolder(dirname(target))
  return undefined
}

/** A link stays a link: what it points to is replaced, also when that does not exist yet. */
async function behindLinks(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch {
    const isLink = await lstat(file).then(
      (stat) => stat.isSymbolicLink(),
      () => false,
    )
    return isLink ? resolve(dirname(file), await readlink(file)) : file
  }
}

/** Who may read an existing file stays as its owner chose; a new one is for the owner only. */
async function modeOf(file: string): Promise<number> {
  return stat(file).then(
    ({ mode }) => mode & 0o7777,
    () => 0o600,
  )
}

async function writeDurably(file: string, text: string, mode: number): Promise<void> {
  await using handle = await open(file, 'wx', 0o600)
  await handle.chmod(mode)
  await handle.writeFile(text)
  await handle.sync()
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, 'r')
  await handle.sync()
}
