/** What a record of a transcript holds, read without trust: every field may be missing or wrong. */
import { fieldsOf, listOf, type Fields } from '../hook-body.ts'

export function parseInstant(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}

/** The blocks of a record's message; a plain text is one block. */
export function blocksOf(record: Fields): readonly Fields[] {
  const { content } = fieldsOf(record['message'])
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content).map(fieldsOf)
}

/** All that its blocks of text say. */
export function textIn(blocks: readonly Fields[]): string {
  return blocks.flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : [])).join('\n')
}

/** What a tool gave back, as the model sees it. */
export function resultText(content: unknown): string {
  return typeof content === 'string' ? content : textIn(listOf(content).map(fieldsOf))
}

export const INTERRUPTED = '[Request interrupted by user'

/** A text that a person, or the client in his place, gave to the model. */
export function promptOf(record: Fields): string | undefined {
  if (record['type'] !== 'user' || record['isMeta'] === true || record['isCompactSummary'] === true) return undefined
  const text = textIn(blocksOf(record))
  return text === '' || text.startsWith(INTERRUPTED) || OWN_COMMAND.test(text) ? undefined : text
}

/** What the client does by itself and writes down: its own commands, and a shell that the person used. */
const OWN_COMMAND = /^\s*<(?:command-|local-command-|bash-)/

export function isInterrupt(record: Fields): boolean {
  return record['type'] === 'user' && textIn(blocksOf(record)).startsWith(INTERRUPTED)
}

/** A record of the conversation with the person, not of a subagent. */
export function isMain(record: Fields): boolean {
  return record['isSidechain'] !== true && MAIN.includes(String(record['type']))
}

const MAIN: readonly string[] = ['user', 'assistant', 'system']
