/**
 * Reads a file of an agent's workspace without trust: a part of it, only a plain file, and only one that lies in the
 * workspace, wherever its name leads.
 */
import { constants } from 'node:fs'
import { lstat, open, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'

export interface FileText {
  text: string
  /** Only its beginning was read. */
  cut: boolean
}

/** What of a workspace can be read: the text, or why there is none. */
export type WorkspaceFiles = (workspace: string, name: string, limit: number) => Promise<FileText | string>

export async function readWorkspaceFile(workspace: string, name: string, limit: number): Promise<FileText | string> {
  try {
    const root = await realpath(workspace)
    const path = await realpath(join(root, name))
    if (!path.startsWith(root.endsWith(sep) ? root : root + sep)) return `${name} leads out of the workspace`
    return await readPart(path, name, limit)
  } catch (error) {
    return reasonOf(error, name)
  }
}

/** Whether it is there, wherever it leads; undefined when that cannot be told. */
export async function isInWorkspace(workspace: string, name: string): Promise<boolean | undefined> {
  try {
    await lstat(join(workspace, name))
    return true
  } catch (error) {
    return isMissing(error) ? false : undefined
  }
}

async function readPart(path: string, name: string, limit: number): Promise<FileText | string> {
  // Opening a pipe would wait for its writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  try {
    const stats = await file.stat()
    if (!stats.isFile()) return `${name} is not a file`
    // A character may take four bytes; the file may grow while it is read.
    const bytes = Buffer.alloc(Math.min(stats.size, limit * 4))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    const whole = bytes.toString('utf8', 0, bytesRead)
    if (whole.includes('\0')) return `${name} is not a text`
    const text = whole.slice(0, limit)
    return { text, cut: text.length < whole.length || bytesRead < stats.size }
  } finally {
    await file.close()
  }
}

function reasonOf(error: unknown, name: string): string {
  return isMissing(error) ? `there is no ${name}` : `${name} could not be read (${codeOf(error)})`
}

function isMissing(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR'].includes(codeOf(error))
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
