/** Copies files byte for byte and says what it copied; neither follows a link nor waits at a pipe. */
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { mkdir, open, readlink, symlink, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { onDisk, type RawName } from './raw-name.ts'

export interface Copied {
  bytes: number
  sha256: string
}

const CHUNK = 1024 * 1024

/** Undefined when it has more than so many bytes; then half of it may have been written. */
export async function copyFile(
  from: { folder: string; path: RawName },
  to: Buffer,
  most: number,
): Promise<Copied | undefined> {
  await using source = await openFile(onDisk(from.folder, from.path))
  await using target = await open(to, 'wx', 0o600)
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(CHUNK)
  let bytes = 0
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, CHUNK)
    if (bytesRead === 0) return { bytes, sha256: hash.digest('hex') }
    bytes += bytesRead
    if (bytes > most) return undefined
    hash.update(buffer.subarray(0, bytesRead))
    await target.writeFile(buffer.subarray(0, bytesRead))
  }
}

export async function copyLink(from: { folder: string; path: RawName }, to: Buffer): Promise<Copied> {
  const leads = await readlink(onDisk(from.folder, from.path), { encoding: 'buffer' })
  await symlink(leads, to)
  return { bytes: leads.length, sha256: createHash('sha256').update(leads).digest('hex') }
}

export async function hashFile(folder: string, path: RawName): Promise<string> {
  await using source = await openFile(onDisk(folder, path))
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(CHUNK)
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, CHUNK)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, bytesRead))
  }
}

export async function hashLink(folder: string, path: RawName): Promise<string> {
  const leads = await readlink(onDisk(folder, path), { encoding: 'buffer' })
  return createHash('sha256').update(leads).digest('hex')
}

export async function makeParent(file: Buffer, mode: number): Promise<void> {
  const parent = Buffer.from(dirname(file.toString('latin1')), 'latin1')
  await mkdir(parent, { recursive: true, mode })
}

/** It may have been changed into something else since it was seen. */
async function openFile(path: Buffer): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new Error('it is no file any more')
}
