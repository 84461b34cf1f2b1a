/**
 * What the model of a session last said in words, from the end of its transcript. Tools' calls and results, thoughts,
 * subagents and the client's own messages are none of it. Reads backwards, asynchronously, and a bounded part only.
 */
import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { fieldsOf, listOf, parseBody, textOf, type Fields } from './hook-body.ts'

const FIRST_BYTES = 256 * 1024
/** One result of a tool may be very long; behind it is where the words are. */
const MOST_BYTES = 4 * 1024 * 1024
const TEXTS = 5
const TEXT_LIMIT = 8_000
const SYNTHETIC = '<synthetic>'

/** The newest last. Undefined when the file cannot be read. */
export async function lastWordsIn(path: string): Promise<readonly string[] | undefined> {
  let file: FileHandle
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const stats = await file.stat()
    if (!stats.isFile()) return undefined
    const { size } = stats
    for (let bytes = FIRST_BYTES; ; bytes *= 4) {
      const words = wordsIn(await endOf(file, { size, bytes }))
      if (words.length > 0 || bytes >= Math.min(size, MOST_BYTES)) return words
    }
  } finally {
    await file.close()
  }
}

async function endOf(file: FileHandle, { size, bytes }: { size: number; bytes: number }): Promise<string> {
  const buffer = Buffer.alloc(Math.min(size, bytes))
  const { bytesRead } = await file.read(buffer, 0, buffer.length, size - buffer.length)
  return buffer.toString('utf8', 0, bytesRead)
}

/** The first line may be cut, and is then no JSON. */
export function wordsIn(text: string): string[] {
  const lines = text.split('\n')
  const words: string[] = []
  for (let k = lines.length - 1; k >= 0 && words.length < TEXTS; k -= 1) {
    const line = lines[k] ?? ''
    // Most lines are long and none of it: only what may be an answer is parsed.
    if (!line.includes('"assistant"')) continue
    const said = saidIn(parseBody(line) ?? {})
    if (said !== undefined) words.push(said)
  }
  return words.toReversed()
}

function saidIn(line: Fields): string | undefined {
  const isOwn = line['type'] === 'assistant' && line['isSidechain'] !== true && line['isApiErrorMessage'] !== true
  const message = fieldsOf(line['message'])
  if (!isOwn || message['model'] === SYNTHETIC) return undefined
  const texts = listOf(message['content']).flatMap((part) => {
    const fields = fieldsOf(part)
    return fields['type'] === 'text' ? (textOf(fields['text']) ?? []) : []
  })
  const said = (textOf(message['content']) ?? texts.join('\n')).trim()
  if (said === '') return undefined
  return said.length <= TEXT_LIMIT ? said : `${said.slice(0, TEXT_LIMIT)}…`
}
