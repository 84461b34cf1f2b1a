/**
 * Follows what the client notes of its own running. It is the one place that tells at once of a request that failed and
 * will be sent again, and when: hooks, registry and transcript say nothing until it is. Everything else that the client
 * notes there is passed over, and when it has become much, taken away.
 */
import { closeSync, constants, fstatSync, ftruncateSync, openSync } from 'node:fs'
import { grownLines, type FilePlace } from './grown-lines.ts'
import { isStatus } from './transcripts/tail.ts'

/** A request that failed, and how long the client waits before it sends it again. */
export interface Retry {
  at: number
  /** None where no answer came at all. */
  status?: number
  waitMs: number
}

export interface RetryPlace extends FilePlace {
  last?: Retry
}

const READ_LIMIT = 64 * 1024
const KEPT_LIMIT = 1024 * 1024

/** Where the reading is now; undefined while there is no such file. */
export function followRetries(path: string, before: RetryPlace | undefined): RetryPlace | undefined {
  const grown = grownLines(path, before, READ_LIMIT)
  if (grown === undefined) return undefined
  const last = lastRetry(grown.lines.toString('utf8')) ?? (grown.isSame ? before?.last : undefined)
  const offset = grown.place.offset > KEPT_LIMIT ? emptied(path) : grown.place.offset
  return { ...grown.place, offset, ...(last === undefined ? {} : { last }) }
}

/** The client opens it anew for each note, so that it goes on from the start. Nothing behind a link is ever emptied. */
function emptied(path: string): number {
  try {
    const file = openSync(path, constants.O_RDWR | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stats = fstatSync(file)
      if (stats.isFile() && stats.nlink === 1) ftruncateSync(file)
    } finally {
      closeSync(file)
    }
  } catch {
    // Whoever took it away has emptied it, too.
  }
  return 0
}

const EVENT = '"cli_api_retry"'
/** No client waits longer; what says so lies. */
const LONGEST_MS = 7 * 24 * 3_600_000

/** Of the conversation itself: what a subagent or a side request waits for, holds nobody else. */
export function lastRetry(text: string): Retry | undefined {
  const lines = text.split('\n').filter((line) => line.includes(EVENT))
  return lines.map(retryOf).findLast((retry) => retry !== undefined)
}

interface Note {
  timestamp?: unknown
  event?: unknown
  data?: { response?: { status?: unknown } | null; delay_ms?: unknown; query_source_category?: unknown } | null
}

function retryOf(line: string): Retry | undefined {
  const { timestamp, event, data } = parsed(line)
  if (event !== 'cli_api_retry' || data?.query_source_category !== 'main') return undefined
  const at = typeof timestamp === 'string' ? Date.parse(timestamp) : Number.NaN
  const { delay_ms: waitMs, response } = data
  if (Number.isNaN(at) || typeof waitMs !== 'number' || !(waitMs >= 0 && waitMs <= LONGEST_MS)) return undefined
  const status = response?.status
  return { at, waitMs, ...(isStatus(status) ? { status } : {}) }
}

function parsed(line: string): Note {
  try {
    return (JSON.parse(line) ?? {}) as Note
  } catch {
    return {}
  }
}
