/**
 * The records on one line. Nearly always it is one; a writer that was killed leaves half a record, and the next one
 * writes on behind it, or a missing line end leaves two side by side. Whatever begins with `{"` on a line that is
 * not JSON, and is whole, is a record.
 */
export function recordsIn(line: string): unknown[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return recovered(line)
  }
}

/** Looking for a whole record from every brace costs the square of the line; a broken line is not worth more. */
const STEPS_LIMIT = 50_000_000

function recovered(line: string): unknown[] {
  const records: unknown[] = []
  let steps = 0
  let at = line.indexOf('{"')
  while (at >= 0 && steps < STEPS_LIMIT) {
    const end = endOfObject(line, at)
    steps += (end ?? line.length) - at
    const record = end === undefined ? undefined : parsed(line.slice(at, end))
    if (record !== undefined) records.push(record)
    at = line.indexOf('{"', record === undefined ? at + 1 : end)
  }
  return records
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN = 0x7b
const CLOSE = 0x7d

/** Behind the brace that closes the one at `start`; undefined when none does. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  let isText = false
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (isText) {
      if (code === BACKSLASH) at += 1
      else if (code === QUOTE) isText = false
    } else if (code === QUOTE) isText = true
    else if (code === OPEN) depth += 1
    else if (code === CLOSE) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return undefined
}
