/**
 * A session of the past from its transcript: what its hooks would have reported and how its transcript stood, moment by
 * moment, in the order of their times. The files of its subagents are read along. Nothing that a file holds ends it.
 */
import { readdirSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { SessionTail } from '../session-tail.ts'
import { textOf } from '../hook-body.ts'
import { beginningOf } from './beginning-of.ts'
import { PastHooks, type Hook, type Upcoming } from './past-hooks.ts'
import { piecesOf, type Counts, type Piece } from './piece.ts'
import { isInterrupt, isMain, promptOf } from './record-fields.ts'

export interface PastMoment {
  wallAt: number
  hooks: readonly Hook[]
  /** A person ended the turn, and nothing reports it. */
  isInterrupt: boolean
  /** A turn of the main conversation is open. */
  isOpen: boolean
  /** How its transcript stands from here on; undefined where it did not change. */
  tail: SessionTail | undefined
  /** Since the moment before the session was closed: nobody could have seen anything of it. */
  wasClosed: boolean
}

export interface PastCounts extends Counts {
  files: number
  /** Subagents whose files were left out, since there are too many. */
  filesLeftOut: number
  hooks: number
  /** How often it was gone on with after it had been closed in the middle of a turn. */
  closed: number
  /** Gaps that it shares with other sessions: its machine slept. */
  slept: number
  /** Versions of the client that wrote it, the newest last. */
  clients: string[]
}

export interface PastGiven {
  path: string
  counts: PastCounts
  nowWallAt: number
  progress?: (readBytes: number) => void
}

export function noCounts(): PastCounts {
  const read = { lines: 0, records: 0, unreadable: 0, tooLong: 0, untimed: 0, disordered: 0 }
  return { ...read, files: 0, filesLeftOut: 0, hooks: 0, closed: 0, slept: 0, clients: [] }
}

/** Throws when the file cannot be opened. */
export function* pastSession(given: PastGiven): Generator<PastMoment> {
  const { counts } = given
  const hooks = new PastHooks()
  let before: Piece | undefined
  let isQueued = false
  for (const { piece, next } of withNext(merged(given))) {
    const { record, tail } = piece
    noteClient(counts, record['version'])
    if (before !== undefined && piece.wallAt < before.wallAt) counts.disordered += 1
    const wallAt = Math.max(piece.wallAt, before?.wallAt ?? piece.wallAt)
    isQueued ||= record['type'] === 'queue-operation'
    const isPrompt = isMain(record) && promptOf(record) !== undefined
    const wasClosed = isPrompt && !isQueued && hooks.isOpen && wallAt - (before?.wallAt ?? wallAt) > CLOSED_MS
    if (wasClosed) counts.closed += 1
    const began = wasClosed ? [hooks.begin('resume')] : before === undefined ? [hooks.begin('startup')] : []
    const told = [...began, ...hooks.take(record, next)]
    if (isMain(record)) isQueued = false
    counts.hooks += told.length
    yield {
      wallAt,
      hooks: told,
      isInterrupt: isInterrupt(record),
      isOpen: hooks.isOpen,
      tail: tail === before?.tail ? undefined : tail,
      wasClosed,
    }
    before = { ...piece, wallAt, ...(tail === undefined && before?.tail !== undefined ? { tail: before.tail } : {}) }
  }
}

/** A prompt that comes so long after an open turn without an end: the client had been closed in between. */
const CLOSED_MS = 5 * 60_000

const CLIENTS_MOST = 20

function noteClient(counts: PastCounts, version: unknown): void {
  const client = textOf(version)?.slice(0, 40)
  if (client === undefined || counts.clients.at(-1) === client) return
  counts.clients = [...counts.clients.filter((each) => each !== client), client].slice(-CLIENTS_MOST)
}

const AHEAD = 256

/** Each piece with the next record of the main conversation, as far ahead as is looked. */
function* withNext(pieces: Generator<Piece>): Generator<{ piece: Piece; next: Upcoming }> {
  const queue: Piece[] = []
  let isOver = false
  for (;;) {
    while (!isOver && !queue.slice(1).some(isMainPiece) && queue.length <= AHEAD) {
      const { value, done } = pieces.next()
      if (done === true) isOver = true
      else queue.push(value)
    }
    const piece = queue.shift()
    if (piece === undefined) return
    yield { piece, next: queue.find(isMainPiece)?.record ?? (isOver ? 'end' : undefined) }
  }
}

function isMainPiece({ record }: Piece): boolean {
  return isMain(record)
}

/** The main file and those of its subagents, by time. */
function* merged({ path, counts, nowWallAt, progress }: PastGiven): Generator<Piece> {
  const others = subagentFiles(path)
  const kept = others.slice(0, FILES_MOST)
  counts.filesLeftOut += others.length - kept.length
  const told = progress === undefined ? {} : { progress }
  const streams = [
    piecesOf({ path, isMain: true, counts, nowWallAt, ...told }),
    ...kept.map((file) => readable(piecesOf({ path: file, isMain: false, counts, nowWallAt }))),
  ]
  counts.files += streams.length
  const heads = streams.map((stream) => stream.next())
  for (;;) {
    let first = -1
    for (const [n, head] of heads.entries()) {
      const least = first < 0 ? undefined : heads[first]
      if (head.done !== true && (least === undefined || head.value.wallAt < (least.value as Piece).wallAt)) first = n
    }
    const head = heads[first]
    const stream = streams[first]
    if (head === undefined || head.done === true || stream === undefined) return
    yield head.value
    heads[first] = stream.next()
  }
}

const FILES_MOST = 64

/** In a folder of the session's name; of some older clients beside it, where each names its session. */
function subagentFiles(path: string): string[] {
  const session = basename(path).replace(/\.jsonl$/, '')
  const folder = join(dirname(path), session, 'subagents')
  const own = namesIn(folder).filter((name) => SUBAGENT.test(name))
  return [...own.toSorted().map((name) => join(folder, name)), ...(besideOf(dirname(path)).get(session) ?? [])]
}

/** A folder may hold hundreds of sessions: what lies beside them is looked through once. */
const beside = new Map<string, Map<string, string[]>>()
const FOLDERS_KEPT = 100
const HEAD_BYTES = 4096

function besideOf(folder: string): Map<string, string[]> {
  const known = beside.get(folder)
  if (known !== undefined) return known
  const found = new Map<string, string[]>()
  for (const name of namesIn(folder)
    .filter((each) => SUBAGENT.test(each))
    .toSorted()) {
    const file = join(folder, name)
    const session = /"sessionId"\s*:\s*"([^"]+)"/.exec(beginningOf(file, HEAD_BYTES))?.[1]
    if (session !== undefined) found.set(session, [...(found.get(session) ?? []), file])
  }
  if (beside.size >= FOLDERS_KEPT) beside.clear()
  beside.set(folder, found)
  return found
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const SUBAGENT = /^agent-.*\.jsonl$/

/** Whether the file holds what a subagent did, not a session of its own. */
export function isSubagentFile(path: string): boolean {
  return SUBAGENT.test(basename(path))
}

/** The file of a subagent that went away meanwhile is one that says nothing. */
function* readable(pieces: Generator<Piece>): Generator<Piece> {
  try {
    yield* pieces
  } catch {
    return
  }
}
