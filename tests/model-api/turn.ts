/** What the scripted model says next, in no API's words. A script rides in the prompt, so that the server keeps no state. */

export interface ToolUse {
  name: string
  input: Record<string, unknown>
}

export interface Turn {
  text?: string
  tools?: readonly ToolUse[]
  usage?: { input?: number; output?: number; cacheRead?: number; cacheWrite?: number }
  /** Fails with this HTTP status instead. */
  status?: number
  /** Waits before it answers. */
  delayMs?: number
  /** Begins an answer and then says nothing more. */
  hangs?: boolean
}

/** A request as every dialect tells it: texts of the user's messages in order, and how many answers came after each. */
export interface Request {
  said: readonly { text: string; answersAfter: number }[]
  /** A request of the conversation itself, not a side call such as a title. */
  isMain: boolean
}

const MARK = 'TURNS:'

/** Puts a script into a prompt. */
export function scripted(prompt: string, turns: readonly Turn[]): string {
  return `${prompt} ${MARK}${JSON.stringify(turns)}`
}

/** The newest script counts; how many answers came after it says which of its turns is due. */
export function dueTurn({ said, isMain }: Request): Turn {
  const newest = isMain ? said.findLast(({ text }) => text.includes(MARK)) : undefined
  if (newest === undefined) return { text: 'ok' }
  const turns = JSON.parse(arrayAt(newest.text, newest.text.lastIndexOf(MARK) + MARK.length)) as Turn[]
  return turns[newest.answersAfter] ?? { text: 'the script is over' }
}

/** The JSON array that begins here; text of the client's own may follow. */
function arrayAt(text: string, start: number): string {
  let depth = 0
  let inString = false
  for (let k = start; k < text.length; k += 1) {
    const char = text[k]
    if (inString && char === '\\') k += 1
    else if (char === '"') inString = !inString
    else if (!inString && (char === '[' || char === '{')) depth += 1
    else if (!inString && (char === ']' || char === '}')) {
      depth -= 1
      if (depth === 0) return text.slice(start, k + 1)
    }
  }
  throw new Error(`the script in the prompt does not end: ${text.slice(start, start + 80)}`)
}
