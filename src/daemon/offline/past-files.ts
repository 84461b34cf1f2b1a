/** Which files of a folder are transcripts, and which are recordings; links are not followed. */
import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beginningOf } from '../../adapters/claude-code/past/beginning-of.ts'
import { isSubagentFile } from '../../adapters/claude-code/past/past-session.ts'

export const FILES_MOST = 5_000
const DEPTH_MOST = 5
const HEAD_BYTES = 200

export interface Found {
  files: string[]
  /** There are more than are taken. */
  isCut: boolean
}

/** Sorted by name; files of subagents belong to their session and are not named. */
export function jsonlFiles(folder: string): Found {
  const files: string[] = []
  const visit = (path: string, depth: number): void => {
    for (const entry of entriesOf(path)) {
      if (files.length > FILES_MOST) return
      const at = join(path, entry.name)
      if (entry.isDirectory() && depth < DEPTH_MOST && entry.name !== 'subagents') visit(at, depth + 1)
      else if (entry.isFile() && entry.name.endsWith('.jsonl') && !isSubagentFile(at)) files.push(at)
    }
  }
  visit(folder, 1)
  return { files: files.slice(0, FILES_MOST), isCut: files.length > FILES_MOST }
}

/** The others were written at about the same time by the same person: as many as can be read in a moment. */
const BESIDE_BYTES = 256 * 1024 * 1024

/** A transcript, and those beside it that were last written closest to it. */
export function besideOf(path: string): string[] {
  const sizeOf = (file: string) => {
    const { size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { size: Infinity, mtimeMs: 0 }
    return { file, size, mtimeMs }
  }
  const own = sizeOf(path)
  const names = entriesOf(dirname(path)).flatMap((entry) => (entry.isFile() ? join(dirname(path), entry.name) : []))
  const others = names.filter((file) => file.endsWith('.jsonl') && file !== path && !isSubagentFile(file))
  const taken = [path]
  let bytes = 0
  for (const { file, size } of others
    .slice(0, FILES_MOST)
    .map(sizeOf)
    .toSorted((a, b) => Math.abs(a.mtimeMs - own.mtimeMs) - Math.abs(b.mtimeMs - own.mtimeMs))) {
    bytes += size
    if (bytes > BESIDE_BYTES) break
    if (!isRecording(file) && mayBeTranscript(file)) taken.push(file)
  }
  return taken
}

function entriesOf(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  } catch {
    // It went away, or may not be read: there is nothing of it to tell.
    return []
  }
}

export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** By how it begins; a file that cannot be read is none. */
export function isRecording(path: string): boolean {
  return /^\s*\{\s*"cloister"\s*:\s*"recording"/.test(beginningOf(path, HEAD_BYTES))
}

/** Whether it holds lines of JSON at all; whatever is none cannot be a transcript. */
export function mayBeTranscript(path: string): boolean {
  return beginningOf(path, HEAD_BYTES).includes('{"')
}
