/** What Claude Code gives a hook on standard input, read without trust: every field may be missing or wrong. */

import { redactTo } from '../../core/redact.ts'

export type Fields = Readonly<Record<string, unknown>>

/** Undefined when it is not a JSON object. */
export function parseBody(body: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isFields(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {}
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Secrets and control bytes out, white space to single spaces, and only then cut, at a whole character. */
export function oneLine(text: string, limit: number): string {
  // A first cut keeps the work small whatever arrives.
  const rough = redactTo(text, limit * 8)
  // oxlint-disable-next-line no-control-regex -- control bytes are what is taken out
  const line = rough.replaceAll(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ').trim()
  if (line.length <= limit) return line.replaceAll(LONE_SURROGATE, '')
  return `${line.slice(0, limit - 1).replaceAll(LONE_SURROGATE, '')}…`
}

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
