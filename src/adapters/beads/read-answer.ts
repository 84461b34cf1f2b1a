/** What `bd --json` prints, in all its dialects: bare or in an envelope, errors on either output, as JSON or as plain text. */
import { fieldsOf, type Fields } from '../../core/tasks/bounded-task.ts'

export interface Printed {
  code: number | null
  stdout: string
  stderr: string
}

export type Answer = { payload: unknown } | { error: string }

const LONGEST_ERROR = 300

export function readAnswer({ code, stdout, stderr }: Printed): Answer {
  const said = parsed(stdout)
  const error = errorIn(said)
  if (code === 0 && error === undefined) {
    return said === undefined ? { error: 'it printed no JSON' } : { payload: payloadOf(said) }
  }
  const text = error ?? errorIn(parsed(stderr)) ?? (stderr.trim() === '' ? stdout : stderr)
  return { error: shortened(text) || `it ended with ${code === null ? 'a signal' : `code ${code}`}` }
}

/** The rows of a list; what is no row is left out. Some commands wrap them, and one answers with a single row. */
export function rowsOf(payload: unknown): Fields[] {
  const inner = fieldsOf(payload)['issues'] ?? payload
  const rows: readonly unknown[] = Array.isArray(inner) ? inner : [inner]
  return rows.map(fieldsOf).filter((row) => typeof row['id'] === 'string')
}

function payloadOf(said: unknown): unknown {
  const fields = fieldsOf(said)
  return Object.hasOwn(fields, 'data') && Object.hasOwn(fields, 'schema_version') ? fields['data'] : said
}

function errorIn(said: unknown): string | undefined {
  const error = fieldsOf(payloadOf(said))['error']
  return typeof error === 'string' && error !== '' ? error : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function shortened(text: string): string {
  return text
    .slice(0, LONGEST_ERROR * 4)
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, LONGEST_ERROR)
}
