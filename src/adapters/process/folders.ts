/**
 * The folders below one, opened without following a link: each by its name in the one above it, which is held open. Who
 * puts a link or another folder in the place of one of them meanwhile leads nobody elsewhere. Names and paths have one
 * character per byte (latin1). One call after the other: a path that was given holds until the next call.
 */
import { constants } from 'node:fs'
import { mkdir, open, readlink, type FileHandle } from 'node:fs/promises'

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants

/** Folders that are held open. */
const KEPT = 64

/** Another folder, or none, is where it should be. */
export class Elsewhere extends Error {}

export class Folders {
  readonly #top: FileHandle
  /** The one that was used last is last. */
  readonly #kept = new Map<string, FileHandle>()

  private constructor(top: FileHandle) {
    this.#top = top
  }

  /** By its real path: where a link is on the way, it is not that folder. */
  static async open(top: string): Promise<Folders> {
    let handle
    try {
      handle = await open(top, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
    } catch (error) {
      const isOther = ['ELOOP', 'ENOTDIR', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')
      throw isOther ? new Elsewhere(`${top} is ${await instead(top)}`, { cause: error }) : error
    }
    const real = await readlink(opened(handle))
    if (real === top) return new Folders(handle)
    await handle.close()
    throw new Elsewhere(`${top} leads to ${real} now`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const handle of [this.#top, ...this.#kept.values()]) await handle.close()
  }

  /** The path of a folder, to give to the file system; made where it is missing, if asked to. */
  async at(folder: string, make = false): Promise<string> {
    if (folder === '') return opened(this.#top)
    const kept = this.#kept.get(folder)
    this.#kept.delete(folder)
    const handle = kept ?? (await this.#open(folder, make))
    this.#kept.set(folder, handle)
    const [oldest] = this.#kept
    if (this.#kept.size > KEPT && oldest !== undefined) {
      this.#kept.delete(oldest[0])
      await oldest[1].close()
    }
    return opened(handle)
  }

  /** The path of what may itself be a link, to give to the file system. */
  async entry(path: string, make = false): Promise<Buffer> {
    const slash = path.lastIndexOf('/')
    const folder = await this.at(slash === -1 ? '' : path.slice(0, slash), make)
    return Buffer.from(`${folder}/${path.slice(slash + 1)}`, 'latin1')
  }

  async openFile(path: string): Promise<FileHandle> {
    return openFile(await this.entry(path))
  }

  async #open(folder: string, make: boolean): Promise<FileHandle> {
    const path = await this.entry(folder, make)
    if (make) {
      await mkdir(path).catch((error: unknown) => {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      })
    }
    return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  }
}

/** A file, and nothing else: it may have been changed into a link or a pipe since it was seen. */
export async function openFile(path: Buffer): Promise<FileHandle> {
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Error('it is no file any more')
}

async function instead(top: string): Promise<string> {
  return readlink(top).then(
    (to) => `a link to ${to} now`,
    () => 'no folder any more',
  )
}

function opened({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`
}
