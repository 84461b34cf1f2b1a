/** What the scripted model says next, in no API's words. A script rides in the prompt, so that it survives a resume. */

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
  /** Fails so often; the request after that is answered by `after`. Left out, it fails for ever. */
  times?: number
  after?: Turn
  /** Of the failure, such as `retry-after`. */
  headers?: Record<string, string>
  /** Waits before it answers. */
  delayMs?: number
  /** Answers when this file is there. */
  onceThere?: string
  /** Begins an answer and then says nothing more. */
  hangs?: boolean
}

/** A request as every dialect tells it: texts of the user's messages in order, and how many answers came after each. */
export interface Request {
  said: readonly { text: string; answersAfter: number }[]
  /** A request of the conversation itself, not a side call such as a title. */
  isMain: boolean
  /** The client wants its conversation summed up, to begin a shorter one with. */
  isCompaction: boolean
}

/** A turn, and by what it is known again when the client asks for the same one once more. */
export interface Due {
  turn: Turn
  key: string
}

/** What is said to a text that nobody could script beforehand. */
export interface Rule {
  when: RegExp
  turns: (match: RegExpExecArray) => readonly Turn[]
}

const MARK = 'TURNS:'

/** Puts a script into a prompt. A tool's input may hold such a prompt in its turn, for a subagent. */
export function scripted(prompt: string, turns: readonly Turn[]): string {
  return `${prompt} ${MARK}${JSON.stringify(turns)}`
}

/** The newest script or rule counts; how many answers came after it says which of its turns is due. */
export function dueTurn({ said, isMain, isCompaction }: Request, rules: readonly Rule[] = []): Due {
  if (isCompaction)
    return { turn: { text: '<analysis>a</analysis>\n<summary>what was done so far</summary>' }, key: '' }
  const scripts = said.map(({ text, answersAfter }) => ({ answersAfter, script: scriptOf(text, rules) }))
  const newest = isMain ? scripts.findLast(({ script }) => script !== undefined) : undefined
  if (newest?.script === undefined) return { turn: { text: 'ok' }, key: '' }
  const turns = JSON.parse(newest.script) as Turn[]
  const key = `${newest.answersAfter} ${newest.script}`
  return { turn: turns[newest.answersAfter] ?? { text: 'the script is over' }, key }
}

function scriptOf(text: string, rules: readonly Rule[]): string | undefined {
  if (text.includes(MARK)) return lastScript(text)
  for (const { when, turns } of rules) {
    const match = when.exec(text)
    if (match !== null) return JSON.stringify(turns(match))
  }
  return undefined
}

/** The last one that stands in the text itself and not within another script. */
function lastScript(text: string): string {
  let script = ''
  for (let at = text.indexOf(MARK); at >= 0; at = text.indexOf(MARK, at + MARK.length + script.length)) {
    script = arrayAt(text, at + MARK.length)
  }
  return script
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
