/** One call of a tool: what it is in a few words, how long it may take, and by which name it is known again. */
import { createHash } from 'node:crypto'
import { fieldsOf, oneLine, textOf, type Fields } from './hook-body.ts'

export interface ToolCall {
  tool: string
  input: Fields
}

export const NAME_LIMIT = 100
export const ACTION_LIMIT = 100

const SECOND = 1000
const MINUTE = 60 * SECOND
const BASH_DEFAULT_MS = 120 * SECOND
const BASH_LIMIT_MS = 600 * SECOND
const UNKNOWN_MS = 30 * MINUTE

export function toolCallOf(fields: Fields): ToolCall | undefined {
  const tool = textOf(fields['tool_name'])
  return tool === undefined ? undefined : { tool: oneLine(tool, NAME_LIMIT), input: fieldsOf(fields['tool_input']) }
}

/** How long the call may take before anybody wonders. */
export function boundOf({ tool, input }: ToolCall): number {
  if (tool === 'Bash') {
    const asked = input['timeout']
    const isAsked = typeof asked === 'number' && Number.isFinite(asked) && asked > 0
    return isAsked ? Math.min(asked, BASH_LIMIT_MS) : BASH_DEFAULT_MS
  }
  return BOUNDS.get(tool) ?? UNKNOWN_MS
}

const BOUNDS = new Map<string, number>(
  Object.entries({
    Agent: 30 * MINUTE,
    Task: 30 * MINUTE,
    Workflow: 30 * MINUTE,
    WebFetch: 5 * MINUTE,
    WebSearch: 5 * MINUTE,
    Read: 5 * MINUTE,
    Edit: 5 * MINUTE,
    MultiEdit: 5 * MINUTE,
    Write: 5 * MINUTE,
    NotebookEdit: 5 * MINUTE,
    Glob: 5 * MINUTE,
    Grep: 5 * MINUTE,
    ToolSearch: 5 * MINUTE,
  }),
)

/** What the call does, for people. */
export function actionOf({ tool, input }: ToolCall): string {
  for (const key of ['command', 'file_path', 'notebook_path', 'pattern', 'url', 'query', 'description', 'skill']) {
    const text = textOf(input[key])
    if (text !== undefined) return oneLine(`${tool}: ${text}`, ACTION_LIMIT)
  }
  return oneLine(tool, ACTION_LIMIT)
}

/** The same tool with the same input has the same identity, in whatever order the input's keys come. */
export function identityOf({ tool, input }: ToolCall): string {
  return createHash('sha256')
    .update(`${tool}\n${canonical(input)}`)
    .digest('base64url')
    .slice(0, 22)
}

/** The same value gives the same text, in whatever order its keys come. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
