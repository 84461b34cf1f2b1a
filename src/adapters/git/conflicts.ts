/** Which files conflict while a merge, rebase, cherry-pick or revert waits for somebody, by the note that git leaves. */
import { constants } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const UNDER_WAY = ['MERGE_HEAD', 'REBASE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']
const READ_BYTES = 64 * 1024
const FILES_LIMIT = 10
const PATH_LIMIT = 300

/** None when nothing waits, or where git wrote no note. */
export async function conflictsIn(gitDir: string): Promise<string[]> {
  // One listing: asking for files that are not there costs far more.
  const names = await readdir(gitDir).catch((): string[] => [])
  if (!names.includes('MERGE_MSG') || !UNDER_WAY.some((name) => names.includes(name))) return []
  const note = await readNote(join(gitDir, 'MERGE_MSG'))
  if (note === undefined) return []
  const lines = note.split('\n')
  const from = lines.findIndex((line) => /^[#;]? ?Conflicts:$/.test(line))
  if (from < 0) return []
  const files: string[] = []
  for (const line of lines.slice(from + 1)) {
    const [, path] = /^[#;]?\s*\t(.{1,4096})$/.exec(line) ?? []
    if (path === undefined || files.length >= FILES_LIMIT) break
    files.push(path.slice(0, PATH_LIMIT))
  }
  return files
}

async function readNote(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    if (!(await file.stat()).isFile()) return undefined
    const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } catch {
    return undefined
  }
}
