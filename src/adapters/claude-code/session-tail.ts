/**
 * Follows the end of one session's transcript: what it tells of the session, when work was last written to it, and
 * whether the client sends one and the same request again and again. Reads only what was added, at most 256 KB of it.
 */
import { grownLines, type FilePlace } from './grown-lines.ts'
import { EMPTY_TAIL, readTail, type Tail } from './transcripts/tail.ts'
import { parseBody, textOf } from './hook-body.ts'

export interface SessionTail extends Tail {
  /** The newest record that is a part of the conversation, not of how it is kept. */
  workAt?: number
  /** The request that the client waits for an answer to, and how often it was sent. */
  asked?: { digest: string; times: number; firstAt: number; at: number }
}

export interface TailPlace extends FilePlace {
  tail: SessionTail
}

const READ_LIMIT = 256 * 1024
const LINE_END = 0x0a

/** Where the reading is now; undefined when there is no such file. */
export function followTail(path: string, before: TailPlace | undefined): TailPlace | undefined {
  const grown = grownLines(path, before, READ_LIMIT)
  if (grown === undefined) return undefined
  const tail = grown.isSame && before !== undefined ? before.tail : EMPTY_TAIL
  return { ...grown.place, tail: readSessionTail(tail, grown.lines) }
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
  const before = tail.asked?.digest === digest.slice(0, 100) ? tail.asked : undefined
  const { times = 0, firstAt = at } = before ?? {}
  return { ...tail, asked: { digest: digest.slice(0, 100), times: times + 1, firstAt, at } }
}
