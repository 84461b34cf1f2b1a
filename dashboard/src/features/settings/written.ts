/** Values that have no control of their own, as text and back: a plain word, or JSON where it is more than that. */
import type { Value } from './draft.ts'

export function writtenLoose(value: Value): string {
  if (value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What is not JSON is the text itself; the daemon says whether it will do. */
export function readLoose(text: string): Value {
  const trimmed = text.trim()
  if (!/^[[{]/.test(trimmed)) return trimmed
  try {
    return JSON.parse(trimmed) as Value
  } catch {
    return trimmed
  }
}

export function writtenLines(value: Value): string {
  return Array.isArray(value) ? value.map((entry) => writtenLoose(entry as Value)).join('\n') : ''
}

export function readLines(text: string): Value {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(readLoose) as Value
}
