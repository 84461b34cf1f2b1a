/** Leaves a file for its owner alone, whole or not at all: what was there before stays until the new one is on the disk. */
import { mkdir, open, rename, rm } from 'node:fs/promises'

/** The calls that can fail, so that each can be made to. */
export interface Disk {
  mkdir: (path: string, options: { recursive: true; mode: number }) => Promise<unknown>
  /** Written and flushed. */
  write: (path: string, text: string) => Promise<void>
  rename: (from: string, to: string) => Promise<void>
}

export const DISK: Disk = { mkdir, write, rename }

export async function leaveFile(path: string, text: string, disk: Disk = DISK): Promise<void> {
  const draft = `${path}.${process.pid}.draft`
  try {
    await disk.write(draft, text)
    await disk.rename(draft, path)
  } catch (error) {
    // Half a draft is of no use to anybody, and may be what fills the disk.
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
}

async function write(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
