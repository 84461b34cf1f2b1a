/** One step of the client as a trace: what was called and what came of it, as fingerprints only. */
import { createHash } from 'node:crypto'
import type { Trace } from '../../contract/evidence.ts'
import type { RecogniseTestRun } from '../../core/test-runs.ts'
import { textOf, type Fields } from './hook-body.ts'
import { testRunOf } from './test-run-of.ts'
import { canonical, identityOf, toolCallOf, type ToolCall } from './tool-call.ts'

export interface Told {
  failed: boolean
  /** The subagent's id, or the empty text. */
  actor: string
  wallAt: number
  recognise: RecogniseTestRun
}

/** Undefined when it names no tool, or a person cut it off: that is nothing that the agent did. */
export function callTrace(
  fields: Fields,
  { failed, actor, wallAt, recognise }: Told,
): Extract<Trace, { kind: 'call' }> | undefined {
  const call = toolCallOf(fields)
  if (call === undefined || fields['is_interrupt'] === true) return undefined
  const result = failed ? (textOf(fields['error']) ?? '') : resultOf(fields['tool_response'])
  const like = searchOf(call)
  const test = testRunOf(fields, { failed, recognise })
  return {
    kind: 'call',
    tool: call.tool,
    call: identityOf(call),
    result: print(settled(result)),
    ok: !failed,
    ...(like === undefined ? {} : { like: print(like) }),
    ...(isWaiting(call) ? { waits: true as const } : {}),
    ...(test === undefined ? {} : { test }),
    ...(call.tool === PLAN_TOOL && !failed ? { planned: true as const } : {}),
    ...(actor === '' ? {} : { actor: print(actor) }),
    wallAt,
  }
}

/** Only done when the person, or the mode, let it. */
const PLAN_TOOL = 'ExitPlanMode'

const PIECE_WORDS = 3
const TEXT_LIMIT = 20_000

/** An answer in words, and how often it says its most frequent piece of a few words. */
export function textTrace(text: string, wallAt: number): Extract<Trace, { kind: 'text' }> {
  const words = text.slice(-TEXT_LIMIT).toLowerCase().split(/\s+/)
  const pieces = new Map<string, number>()
  let times = 1
  for (let i = 0; i + PIECE_WORDS <= words.length; i += PIECE_WORDS) {
    const piece = words.slice(i, i + PIECE_WORDS).join(' ')
    const count = (pieces.get(piece) ?? 0) + 1
    pieces.set(piece, count)
    times = Math.max(times, count)
  }
  // A long list may say a piece often; a flood says little else.
  const share = (times * PIECE_WORDS) / words.length
  return { kind: 'text', text: print(settled(text)), times: share < FLOOD_SHARE ? 1 : times, wallAt }
}

const FLOOD_SHARE = 0.3

function print(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}

const RESULT_LIMIT = 32_768

function resultOf(response: unknown): string {
  const text = typeof response === 'string' ? response : response === undefined ? '' : canonical(response)
  if (text.length <= 2 * RESULT_LIMIT) return text
  return `${text.slice(0, RESULT_LIMIT)} ${text.length} ${text.slice(-RESULT_LIMIT)}`
}

/** Without what differs from one time to the next though nothing changed: instants, durations, names by chance. */
function settled(text: string): string {
  return text
    .slice(0, 3 * RESULT_LIMIT)
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z|[-+]\d\d:?\d\d)?/g, '<instant>')
    .replaceAll(/\b\d{1,2}:\d\d:\d\d(?:[.,]\d+)?/g, '<time>')
    .replaceAll(/"duration(?:_ms|Ms|Seconds)?":[\d.]+/g, '<duration>')
    .replaceAll(/\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|secs?|seconds?|m|mins?|minutes?)\b/g, '<duration>')
    .replaceAll(/\b(?:pid|process|port|attempt|try|retry|request|job)\b[ #:=]*\d+/gi, '<number>')
    .replaceAll(/\b(?=[0-9a-f-]*\d)[0-9a-f]{8,}(?:-[0-9a-f]{4,}){0,4}\b/gi, '<id>')
    .replaceAll(/\/tmp\/[\w.-]+/g, '<place>')
}

const SEARCH_TOOLS: readonly string[] = ['Grep', 'Glob', 'WebSearch', 'ToolSearch']
const SEARCH_COMMAND = /^\s*(?:cd\s+\S+\s*&&\s*)?(grep|egrep|fgrep|rg|ag|ack|find|fd|git\s+grep)\b/

/** What it has in common with other searches; undefined for what is no search. */
function searchOf({ tool, input }: ToolCall): string | undefined {
  if (SEARCH_TOOLS.includes(tool)) return tool
  const command = tool === 'Bash' ? SEARCH_COMMAND.exec(textOf(input['command']) ?? '')?.[1] : undefined
  return command === undefined ? undefined : `Bash ${command}`
}

const WAITING_TOOLS: readonly string[] = ['Monitor', 'ScheduleWakeup', 'Sleep']
const WAITING_COMMAND = /(?:^|[\s;&|(])(?:sleep|wait|watch|timeout|tail -f)\s|--watch\b/

/** It waits by itself; a question about something that runs, which is answered at once, does not. */
function isWaiting({ tool, input }: ToolCall): boolean {
  if (WAITING_TOOLS.includes(tool) || input['block'] === true) return true
  return tool === 'Bash' && WAITING_COMMAND.test(textOf(input['command']) ?? '')
}
