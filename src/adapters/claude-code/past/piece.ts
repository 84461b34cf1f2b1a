/**
 * The records of one file of a transcript in the order of their times, as far as that can be had: whoever wrote them
 * wrote some a little later than others. What cannot be read is counted. Only a few hundred records are in memory, and
 * none of their texts is longer than what the reader of hooks would look at.
 */
import { fieldsOf, textOf, type Fields } from '../hook-body.ts'
import { readSessionTail, type SessionTail } from '../session-tail.ts'
import { EMPTY_TAIL } from '../transcripts/tail.ts'
import { recordsIn } from '../transcripts/records-in.ts'
import { linesIn } from './lines-in.ts'
import { parseInstant } from './record-fields.ts'

export interface Piece {
  wallAt: number
  record: Fields
  /** The end of the transcript as it stood with this record; none for the file of a subagent. */
  tail?: SessionTail
}

export interface Counts {
  lines: number
  records: number
  /** Lines that hold no record, and lines that are longer than the limit. */
  unreadable: number
  tooLong: number
  /** Records of the conversation without a time that could be believed, and such that came late by their time. */
  untimed: number
  disordered: number
}

export interface FileGiven {
  path: string
  isMain: boolean
  counts: Counts
  /** No record is younger than this. */
  nowWallAt: number
  /** Called with each line, with how much of the file has been read. */
  progress?: (readBytes: number) => void
}

/** So many records are put in order of their times. */
const WINDOW = 256

export function* piecesOf(given: FileGiven): Generator<Piece> {
  const waiting: Piece[] = []
  for (const piece of unordered(given)) {
    let at = waiting.length
    while (at > 0 && (waiting[at - 1]?.wallAt ?? 0) > piece.wallAt) at -= 1
    waiting.splice(at, 0, piece)
    if (waiting.length > WINDOW) yield waiting.shift() as Piece
  }
  yield* waiting
}

/** Before it there was no such client. */
const FIRST_WALL_AT = Date.UTC(2024, 0)

function* unordered({ path, isMain, counts, nowWallAt, progress }: FileGiven): Generator<Piece> {
  let tail: SessionTail = EMPTY_TAIL
  let lastWallAt: number | undefined
  let newestWallAt = 0
  for (const { bytes, readBytes } of linesIn(path)) {
    counts.lines += 1
    progress?.(readBytes)
    if (bytes === undefined) {
      counts.tooLong += 1
      continue
    }
    const records = recordsOf(bytes)
    if (records.length === 0 && bytes.toString('latin1', 0, 100).trim() !== '') counts.unreadable += 1
    for (const record of records) {
      counts.records += 1
      const before: SessionTail = tail
      // Of several on one line each has its own moment.
      const alone = records.length === 1 ? bytes : Buffer.from(JSON.stringify(record))
      if (isMain) tail = tailAfter(tail, alone)
      const told = parseInstant(record['timestamp'])
      const isBelievable = told !== undefined && told >= FIRST_WALL_AT && told <= nowWallAt
      if (!isBelievable && CONVERSATION.includes(String(record['type']))) counts.untimed += 1
      const wallAt: number | undefined = isBelievable ? told : lastWallAt
      if (wallAt === undefined || (!TOLD.includes(String(record['type'])) && tail === before)) continue
      lastWallAt = wallAt
      const slimmer = slim(record, bytes.length)
      // Nor does one that was written late know what was written before it of a later time.
      const isNewest = wallAt >= newestWallAt
      newestWallAt = Math.max(newestWallAt, wallAt)
      if (isMain) yield { wallAt, record: slimmer, ...(isNewest ? { tail } : {}) }
      else yield { wallAt, record: { ...slimmer, isSidechain: true } }
    }
  }
}

const CONVERSATION: readonly string[] = ['user', 'assistant']
const TOLD: readonly string[] = [...CONVERSATION, 'system', 'attachment', 'progress', 'queue-operation']

function recordsOf(bytes: Buffer): Fields[] {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '')
  if (text.trim() === '') return []
  return recordsIn(text)
    .map(fieldsOf)
    .filter((record) => textOf(record['type']) !== undefined)
}

/** The reader of tails takes whatever the client wrote; what a stranger's file holds must not end the reading. */
function tailAfter(tail: SessionTail, bytes: Buffer): SessionTail {
  try {
    return readSessionTail(tail, bytes)
  } catch {
    return tail
  }
}

const SLIM_FROM_BYTES = 64 * 1024
const TEXT_MOST = 80 * 1024
const DEPTH_MOST = 12

/** Of a long text its beginning and its end are looked at, and how long it is. */
function slim(record: Fields, bytes: number): Fields {
  return bytes < SLIM_FROM_BYTES ? record : fieldsOf(slimmed(record, 0))
}

function slimmed(value: unknown, depth: number): unknown {
  if (typeof value === 'string') {
    if (value.length <= TEXT_MOST) return value
    const half = TEXT_MOST / 2
    return `${value.slice(0, half)} ${value.length} ${value.slice(-half)}`
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth >= DEPTH_MOST) return undefined
  if (Array.isArray(value)) return value.slice(0, 1000).map((each) => slimmed(each, depth + 1))
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, slimmed(each, depth + 1)]))
}
