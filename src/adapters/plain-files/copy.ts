/** Copies files byte for byte and says what it copied; neither follows a link nor waits at a pipe. */
import { createHash } from 'node:crypto'
import { open, readlink, symlink } from 'node:fs/promises'
import type { Folders } from '../process/folders.ts'
import type { RawName } from './raw-name.ts'

export interface Copied {
  bytes: number
  sha256: string
}

export interface Source {
  folders: Folders
  path: RawName
}

const CHUNK = 1024 * 1024

/** Undefined when it has more than so many bytes; then half of it may have been written. */
export async function copyFile({ folders, path }: Source, to: Buffer, most: number): Promise<Copied | undefined> {
  await using source = await folders.openFile(path)
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

export async function copyLink({ folders, path }: Source, to: Buffer): Promise<Copied> {
  const leads = await readlink(await folders.entry(path), { encoding: 'buffer' })
  await symlink(leads, to)
  return { bytes: leads.length, sha256: createHash('sha256').update(leads).digest('hex') }
}

export async function hashFile({ folders, path }: Source): Promise<string> {
  await using source = await folders.openFile(path)
  const hash = createHash('sha256')
  const buffer = Buffer.alloc(CHUNK)
  for (;;) {
    const { bytesRead } = await source.read(buffer, 0, CHUNK)
    if (bytesRead === 0) return hash.digest('hex')
    hash.update(buffer.subarray(0, bytesRead))
  }
}

export async function hashLink({ folders, path }: Source): Promise<string> {
  const leads = await readlink(await folders.entry(path), { encoding: 'buffer' })
  return createHash('sha256').update(leads).digest('hex')
}
