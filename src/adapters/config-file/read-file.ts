/** Reads and checks cloister.yaml. Never throws: what hinders reading is a problem too. A missing file is an empty one. */
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { checkText, type CheckedText } from './check-text.ts'

export const MOST_BYTES = 1_000_000

export interface ConfigFile extends CheckedText {
  file: string
  /** Absent when there is no such file or it could not be read. */
  text?: string
  /** Why it could not be read. */
  why?: string
}

/** The very `known` one when the same text still stands there: checking it takes far longer than reading it. */
export async function readConfigFile(file: string, known?: ConfigFile): Promise<ConfigFile> {
  const read = await readText(file)
  if (known?.file === file && read.why === undefined && known.why === undefined && read.text === known.text)
    return known
  if (read.why !== undefined) {
    const problem = { line: 1, column: 1, key: '', sentence: read.why }
    return { file, why: read.why, problems: [problem], set: [], shadowed: [] }
  }
  const checked = checkText(read.text ?? '')
  return read.text === undefined ? { file, ...checked } : { file, text: read.text, ...checked }
}

/** Text, nothing for a missing file, or why it cannot be read. */
async function readText(file: string): Promise<{ text?: string; why?: string }> {
  try {
    // Without waiting: a pipe in the file's place must not hold the daemon.
    await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const stat = await handle.stat()
    if (!stat.isFile()) return { why: 'is not a file' }
    if (stat.size > MOST_BYTES) return { why: `is ${stat.size} bytes long, more than the ${MOST_BYTES} that are read` }
    const bytes = await handle.readFile()
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes) }
  } catch (error) {
    return whyNot(error as NodeJS.ErrnoException)
  }
}

function whyNot(error: NodeJS.ErrnoException): { why?: string } {
  if (error.code === 'ENOENT') return {}
  if (error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA') return { why: 'is not UTF-8 text' }
  return { why: `cannot be read: ${error.message}` }
}
