/**
 * What the end of a transcript tells about its session: the second witness for moments that have no hook. Instants
 * are milliseconds, by the clock of the machine that wrote them. Records of subagents in the same file say when
 * something happened, but nothing of the session's own context or turn.
 */
import type { Echo } from '../../../contract/evidence.ts'
import { readEcho } from '../../../core/handoffs/echo.ts'
import { fieldsOf, figuresOf, SYNTHETIC } from './finding.ts'
import { recordsIn } from './records-in.ts'

export interface Tail {
  session?: string
  cwd?: string
  /** Of the newest answer of a model. */
  model?: string
  /** What the newest answer was given to read, or what was left of it by a compaction since. */
  contextTokens?: number
  /** The newest record with a time: its type, and its subtype behind a slash. */
  last?: { kind: string; at: number }
  /** The newest text that a person, or the client in his place, gave; not the result of a tool. */
  promptAt?: number
  answerAt?: number
  interrupt?: { at: number }
  apiError?: ApiError
  /** The newest line by which one who takes over shows that it read what it was given. */
  echo?: Echo
  /** The newest records of texts that wait for the end of the turn. */
  queue: readonly QueueRecord[]
}

export interface ApiError {
  at: number
  status?: number
  /** The client's own word for it. */
  error?: string
  /** When it is tried again; missing when the client gave up. */
  retryAt?: number
  /** What the client shows, once it gave up. */
  text?: string
}

export interface QueueRecord {
  at: number
  /** enqueue, dequeue, remove, popAll. */
  operation: string
  /** At most 4,096 characters. */
  content?: string
}

export const EMPTY_TAIL: Tail = { queue: [] }

const QUEUE_LIMIT = 20
const CONTENT_LIMIT = 4096
const TEXT_LIMIT = 500
const NAME_LIMIT = 100

/** The tail after these lines. */
export function readTail(tail: Tail, lines: Buffer): Tail {
  let next = tail
  for (let start = 0; start < lines.length;) {
    const found = lines.indexOf(LINE_END, start)
    const end = found < 0 ? lines.length : found
    const line = lines.subarray(start, end)
    const result = end - start > LONG ? glanceAtResult(line) : undefined
    const records = result === undefined ? recordsIn(line.toString('utf8')) : [result]
    for (const record of records) next = after(next, fieldsOf(record))
    start = end + 1
  }
  return next
}

const LINE_END = 0x0a
const LONG = 2048
const BEGINNING = 800
const ENDING = 900

/**
 * The result of a tool is the longest kind of line and says nothing but that it came. What says so stands at its
 * beginning, and what every record has stands at its end, behind all that the tool could have said.
 */
function glanceAtResult(line: Buffer): Fields | undefined {
  const beginning = line.toString('latin1', 0, BEGINNING)
  if (!RESULT.test(beginning)) return undefined
  const ending = line.toString('latin1', line.length - ENDING)
  const common = COMMON.exec(ending)?.groups
  if (common === undefined) return undefined
  const isSidechain = beginning.includes('"isSidechain":true')
  return { type: 'user', isSidechain, timestamp: common['at'], cwd: common['cwd'], sessionId: common['session'] }
}

const RESULT =
  /^\{"parentUuid":(?:null|"[^"]*"),[^{}]*"type":"user","message":\{"role":"user","content":\[\{[^{}]*"tool_result"/
/** An escape or anything beyond ASCII in the folder's name is left to the parser. */
const COMMON =
  /"uuid":"[^"]*","timestamp":"(?<at>[^"]*)",(?:"[a-zA-Z]+":(?:"[^"\\]*"|true|false),)*"cwd":"(?<cwd>[ !#-[\]-~]*)","sessionId":"(?<session>[^"]*)"[^{}[\]]*\}$/

type Fields = Record<string, unknown>

function after(tail: Tail, record: Fields): Tail {
  const { type, subtype, sessionId, cwd, isSidechain } = record
  if (typeof type !== 'string') return tail
  const at = typeof record['timestamp'] === 'string' ? Date.parse(record['timestamp']) : Number.NaN
  const named: Tail = {
    ...tail,
    ...(typeof sessionId === 'string' && sessionId !== '' ? { session: sessionId } : {}),
    ...(typeof cwd === 'string' && cwd !== '' ? { cwd } : {}),
  }
  if (Number.isNaN(at)) return named
  const kind = typeof subtype === 'string' ? `${type}/${subtype}` : type
  const timed: Tail = { ...named, last: { kind, at } }
  if (isSidechain === true) return timed
  const read = readers[kind] ?? readers[type]
  return read === undefined ? timed : { ...timed, ...read(record, at, tail) }
}

const readers: Readonly<Record<string, (record: Fields, at: number, tail: Tail) => Partial<Tail>>> = {
  assistant: answer,
  user: prompt,
  'system/api_error': retry,
  'system/compact_boundary': compaction,
  'queue-operation': queued,
}

function answer(record: Fields, at: number): Partial<Tail> {
  const { model, usage, content } = fieldsOf(record['message'])
  if (record['isApiErrorMessage'] === true) {
    const { apiErrorStatus: status, error } = record
    return {
      apiError: {
        at,
        ...(isStatus(status) ? { status } : {}),
        ...(typeof error === 'string' ? { error: error.slice(0, NAME_LIMIT) } : {}),
        text: textIn(content).slice(0, TEXT_LIMIT),
      },
    }
  }
  if (model === SYNTHETIC || typeof usage !== 'object' || usage === null) return { answerAt: at }
  const echo = readEcho(textIn(content))
  const { input, cacheRead, cacheWrite5m, cacheWrite1h } = figuresOf(usage)
  return {
    answerAt: at,
    ...(typeof model === 'string' ? { model } : {}),
    contextTokens: input + cacheRead + cacheWrite5m + cacheWrite1h,
    ...(echo === undefined ? {} : { echo }),
  }
}

const INTERRUPTED = /^\[Request interrupted by user(?: for tool use)?\]$/
/** A call that a person refused without saying how to go on. */
const REFUSED = /^The user doesn't want to (?:proceed|take this action)[^]*STOP what you are doing/

function prompt(record: Fields, at: number): Partial<Tail> {
  const { content } = fieldsOf(record['message'])
  const text = textIn(content)
  if (record['isMeta'] === true || record['isCompactSummary'] === true) return {}
  if (isInterrupt(content) || isRefusal(record, content)) return { interrupt: { at } }
  return text === '' ? {} : { promptAt: at }
}

/** As the client writes it: one piece of text and nothing else. What a person types is no list. */
function isInterrupt(content: unknown): boolean {
  return Array.isArray(content) && content.length === 1 && INTERRUPTED.test(textIn(content))
}

/** The client's own word for it beside the text: the text alone may be that of any tool. */
function isRefusal({ toolDenialKind, toolUseResult }: Fields, content: unknown): boolean {
  const isToldApart = toolDenialKind === 'user-rejected' || toolUseResult === 'User rejected tool use'
  return isToldApart && REFUSED.test(resultIn(content))
}

/** The text of a message that has nothing but text; a tool's result has none. */
function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const [first] = content as unknown[]
  const { type, text } = fieldsOf(first)
  return type === 'text' && typeof text === 'string' ? text : ''
}

/** What the first tool of a message gave, where it failed. */
function resultIn(content: unknown): string {
  const { type, is_error: isError, content: given } = fieldsOf(Array.isArray(content) ? content[0] : undefined)
  return type === 'tool_result' && isError === true ? textIn(given) : ''
}

function retry(record: Fields, at: number): Partial<Tail> {
  const { error, retryInMs } = record
  const { status } = fieldsOf(error)
  return {
    apiError: {
      at,
      ...(isStatus(status) ? { status } : {}),
      ...(isCount(retryInMs) ? { retryAt: at + retryInMs } : {}),
    },
  }
}

function compaction(record: Fields): Partial<Tail> {
  const { postTokens } = fieldsOf(record['compactMetadata'])
  return isCount(postTokens) ? { contextTokens: postTokens } : {}
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Of an answer over HTTP. */
export function isStatus(value: unknown): value is number {
  return isCount(value) && value >= 100 && value < 600
}

function queued(record: Fields, at: number, { queue }: Tail): Partial<Tail> {
  const { operation, content } = record
  if (typeof operation !== 'string') return {}
  const text = typeof content === 'string' ? { content: content.slice(0, CONTENT_LIMIT) } : {}
  return { queue: [...queue, { at, operation, ...text }].slice(-QUEUE_LIMIT) }
}
