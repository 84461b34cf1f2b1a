/**
 * Follows the end of one session's transcript: what it tells of the session, when work was last written to it, and
 * whether the client sends one and the same request again and again. Reads only what was added, at most 256 KB of it.
 */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { EMPTY_TAIL, readTail, type Tail } from './transcripts/tail.ts'
import { parseBody, textOf } from './hook-body.ts'

export interface SessionTail extends Tail {
  /** The newest record that is a part of the conversation, not of how it is kept. */
  workAt?: number
  /** The request that the client waits for an answer to, and how often it was sent. */
  asked?: { digest: string; times: number; at: number }
}

export interface TailPlace {
  path: string
  ino: number
  offset: number
  tail: SessionTail
}

const READ_LIMIT = 256 * 1024
const LINE_END = 0x0a

/** Where the reading is now; undefined when there is no such file. */
export function followTail(path: string, before: TailPlace | undefined): TailPlace | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    const { ino, size } = fstatSync(file)
    const isSame = before?.path === path && before.ino === ino && before.offset <= size
    const { offset, tail } = isSame ? before : { offset: 0, tail: EMPTY_TAIL }
    const from = Math.max(offset, size - READ_LIMIT)
    const bytes = Buffer.allocUnsafe(size - from)
    const read = bytes.subarray(0, readSync(file, bytes, 0, bytes.length, from))
    // A last line without its end is still being written.
    const end = read.lastIndexOf(LINE_END) + 1
    const start = from > offset ? read.indexOf(LINE_END) + 1 : 0
    return { path, ino, offset: from + end, tail: readSessionTail(tail, read.subarray(Math.min(start, end), end)) }
  } finally {
    closeSync(file)
  }
}

/** The tail after these whole lines. */
export function readSessionTail(tail: SessionTail, lines: Buffer): SessionTail {
  let next = tail
  for (let at = 0; at < lines.length;) {
    const found = lines.indexOf(LINE_END, at)
    const end = found < 0 ? lines.length : found
    next = after(next, lines.subarray(at, end))
    at = end + 1
  }
  return next
}

const REQUEST = Buffer.from('"type":"api-request"')
/** Its beginning is enough to know what a line is. */
const HEAD_BYTES = 200

/** How a conversation is kept (its requests, its queue, its modes) is no work. */
const WORK: readonly string[] = ['user', 'assistant', 'system/compact_boundary']

function after(tail: SessionTail, line: Buffer): SessionTail {
  if (line.subarray(0, HEAD_BYTES).includes(REQUEST)) return sent(tail, line.toString('utf8'))
  const read: SessionTail = { ...tail, ...readTail(tail, line) }
  const { last } = read
  if (last === undefined || last === tail.last || !WORK.includes(last.kind)) return read
  const { asked, ...rest } = read
  const worked = { ...rest, workAt: Math.max(rest.workAt ?? 0, last.at) }
  // Records do not stand in the order of their times: a prompt may follow the request that was made of it.
  return asked === undefined || last.at > asked.at ? worked : { ...worked, asked }
}

function sent(tail: SessionTail, line: string): SessionTail {
  const fields = parseBody(line)
  const digest = textOf(fields?.['requestDigest'])
  const at = Date.parse(textOf(fields?.['timestamp']) ?? '')
  const isMain = textOf(fields?.['querySource'])?.startsWith('repl_main_thread') === true
  if (digest === undefined || Number.isNaN(at) || !isMain) return tail
  const times = tail.asked?.digest === digest ? tail.asked.times + 1 : 1
  return { ...tail, asked: { digest: digest.slice(0, 100), times, at } }
}
