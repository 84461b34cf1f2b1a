/** One call of a tool: what it is in a few words, and by which name it is known again. */
import { createHash } from 'node:crypto'
import { fieldsOf, oneLine, textOf, type Fields } from './hook-body.ts'

export interface ToolCall {
  tool: string
  input: Fields
}

export const NAME_LIMIT = 100
export const ACTION_LIMIT = 100

export function toolCallOf(fields: Fields): ToolCall | undefined {
  const tool = textOf(fields['tool_name'])
  return tool === undefined ? undefined : { tool: oneLine(tool, NAME_LIMIT), input: fieldsOf(fields['tool_input']) }
}

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
  try {
    return JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : part,
    )
  } catch {
    // Nested so deeply that it cannot be walked: all such are one.
    return 'too deep'
  }
}
