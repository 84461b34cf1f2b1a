/**
 * What the client keeps of its sessions: whether one can be gone on with, who has it open, and whether a text reached
 * it. Read only. The understudy keeps its own in the same form and is asked by the same reader.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { fingerprint } from '../../core/fingerprint.ts'
import type { Sessions, Took, Unusable } from '../../core/runtime-port.ts'
import { fieldsOf, listOf, parseBody, textOf, type Fields } from './hook-body.ts'
import { lastWordsIn } from './last-words.ts'
import { Registry } from './registry.ts'
import { followTail } from './session-tail.ts'

export interface SessionsPlace {
  /** The folder with `projects` and `sessions` in it. */
  config: string
  homeId: string
}

/** How much of a transcript's end is read: several times the longest text that is ever typed. */
const TAIL_BYTES = 4 * 1024 * 1024
/** The client's clock and ours are the same; a line may be stamped when it was begun. */
const SLACK_MS = 2_000

export function claudeSessions({ config, homeId }: SessionsPlace): Sessions {
  const registry = new Registry(config, homeId)
  const projects = join(config, 'projects')
  const entryOf = (session: string) => registry.entries().find(({ sessionId }) => sessionId === session)

  return {
    unusable: async (session) => {
      const file = transcriptOf(projects, session)
      return file === undefined ? 'missing' : unusableFile(file)
    },
    living: () =>
      registry
        .entries()
        .filter(({ isInteractive }) => isInteractive)
        .toSorted((a, b) => a.startedAt - b.startedAt)
        .map(({ sessionId: session, pid, startedAt: startTime }) => ({ session, pid, startTime })),
    model: async (session) => {
      const file = transcriptOf(projects, session)
      return file === undefined ? undefined : followTail(file, undefined)?.tail.model
    },
    holder: async (session) => {
      const entry = entryOf(session)
      return entry === undefined ? undefined : `process ${entry.pid}`
    },
    rests: async (session) => {
      const status = entryOf(session)?.status
      // With a shell in the background it waits at its prompt all the same.
      return status === undefined ? undefined : status === 'idle' || status === 'shell'
    },
    took: async (session, text) => {
      const file = transcriptOf(projects, session)
      return file === undefined ? undefined : tookIn(linesOf(file), text)
    },
    unanswered: async (session, wanted) => {
      const file = transcriptOf(projects, session)
      return file === undefined ? undefined : isUnanswered(linesOf(file), wanted)
    },
    lastWords: async (session) => {
      const file = transcriptOf(projects, session)
      return file === undefined ? undefined : lastWordsIn(file)
    },
  }
}

/** By its end, and where that says nothing by its beginning: one line may be longer than what is read. */
function unusableFile(file: string): Unusable | undefined {
  const { size } = statSync(file)
  if (linesOf(file).some(isSpoken) || linesOf(file, 'beginning').some(isSpoken)) return undefined
  if (size > 2 * TAIL_BYTES) return 'too_large'
  const lines = readFileSync(file, 'utf8').split('\n')
  const read = lines.filter((line) => line.trim() !== '').map((line) => parseBody(line) !== undefined)
  // The last line of one that was killed may be torn.
  const isWhole = read.slice(0, -1).every(Boolean) && (read.length < 2 ? read[0] !== false : true)
  return isWhole ? 'empty' : 'garbled'
}

function isSpoken({ type }: Fields): boolean {
  return type === 'user' || type === 'assistant'
}

/** Under whatever folder it was begun in. */
function transcriptOf(projects: string, session: string): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(session)) return undefined
  return folders(projects)
    .map((folder) => join(projects, folder, `${session}.jsonl`))
    .find((file) => existsSync(file))
}

function tookIn(lines: readonly Fields[], text: { fingerprint: string; sinceWallAt: number }): Took {
  let found: Took = 'no'
  for (const line of lines) {
    const at = Date.parse(textOf(line['timestamp']) ?? '')
    if (!(at >= text.sinceWallAt - SLACK_MS)) continue
    if (!textsOf(line).some((each) => fingerprint(each) === text.fingerprint)) continue
    if (line['type'] !== 'queue-operation') return 'transcript'
    found = 'queue'
  }
  return found
}

/** By the times of the lines, which do not stand in their order. */
function isUnanswered(lines: readonly Fields[], wanted: string): boolean {
  const taken = lines.filter(({ type }) => type !== 'queue-operation')
  const told = taken.filter((line) => textsOf(line).some((each) => fingerprint(each) === wanted))
  const answers = lines.filter(({ type, isSidechain }) => type === 'assistant' && isSidechain !== true)
  return newest(told) > newest(answers)
}

function newest(lines: readonly Fields[]): number {
  const times = lines.map((line) => Date.parse(textOf(line['timestamp']) ?? ''))
  return Math.max(0, ...times.filter((at) => !Number.isNaN(at)))
}

/** What a person or we said, in a line of the transcript; tools' results are none of it. */
function textsOf(line: Fields): readonly string[] {
  if (line['type'] === 'queue-operation') return line['operation'] === 'enqueue' ? given(line['content']) : []
  if (line['type'] === 'attachment') return given(fieldsOf(line['attachment'])['prompt'])
  if (line['type'] !== 'user') return []
  return given(fieldsOf(line['message'])['content'])
}

function given(content: unknown): readonly string[] {
  const text = textOf(content)
  if (text !== undefined) return [text]
  return listOf(content).flatMap((part) => {
    const fields = fieldsOf(part)
    return fields['type'] === 'text' ? (textOf(fields['text']) ?? []) : []
  })
}

/** The first line of the part that is read, or its last, may be cut, and is then no JSON. */
function linesOf(file: string, part: 'beginning' | 'end' = 'end'): Fields[] {
  const handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(handle)
    if (!stats.isFile()) return []
    const { size } = stats
    const bytes = Buffer.alloc(Math.min(size, TAIL_BYTES))
    const read = readSync(handle, bytes, 0, bytes.length, part === 'end' ? Math.max(0, size - bytes.length) : 0)
    return bytes
      .toString('utf8', 0, read)
      .split('\n')
      .map((line) => parseBody(line))
      .filter((line) => line !== undefined)
  } finally {
    closeSync(handle)
  }
}

function folders(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
