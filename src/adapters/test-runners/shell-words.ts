/**
 * A shell command as a list of simple ones, well enough to tell which programs it starts and whose exit code it has.
 * Comments, here-documents and substitutions start nothing that counts. Every character is looked at once.
 */
export type Joint = '&&' | '||' | ';' | '|' | '&' | ''
export type Shell = 'posix' | 'powershell'

export interface SimpleCommand {
  words: string[]
  /** How the next one follows. */
  joint: Joint
  /** What it prints goes to a file. */
  toFile?: true
}

const COMMAND_LIMIT = 100_000

export function simpleCommands(command: string, shell: Shell = 'posix'): SimpleCommand[] {
  const scan: Scan = {
    text: withoutHeres(command.slice(0, COMMAND_LIMIT)),
    at: 0,
    escape: shell === 'posix' ? '\\' : '`',
    missing: new Set(),
    commands: [],
    words: [],
    word: undefined,
    toFile: false,
  }
  while (scan.at < scan.text.length) takeNext(scan)
  endCommand(scan, '')
  // A last «;» or newline joins nothing; a last «&» leaves it running.
  const last = scan.commands.at(-1)
  if (last?.joint === ';') last.joint = ''
  return scan.commands
}

interface Scan {
  readonly text: string
  at: number
  readonly escape: string
  /** Closing signs that do not come any more: not looked for again. */
  readonly missing: Set<string>
  readonly commands: SimpleCommand[]
  words: string[]
  word: string | undefined
  toFile: boolean
}

function takeNext(scan: Scan): void {
  const { text, at, escape } = scan
  const sign = text.charAt(at)
  if (sign === escape) takeEscaped(scan)
  else if (sign === "'") takeQuoted(scan, at + 1, closingAt(scan, "'", at + 1))
  else if (sign === '"') takeQuoted(scan, at + 1, closingAt(scan, '"', at + 1))
  else if (sign === '$' && text.charAt(at + 1) === '(') takeSubstitution(scan)
  else if (sign === '`') takeQuoted(scan, at + 1, closingAt(scan, '`', at + 1))
  else if (sign === '#' && scan.word === undefined) skipTo(scan, lineEnd(text, at))
  else if (sign === '>' || sign === '<' || (sign === '&' && text.charAt(at + 1) === '>')) takeRedirect(scan)
  else if (';&|\n'.includes(sign)) takeJoint(scan)
  else if (' \t\r()'.includes(sign)) {
    endWord(scan)
    scan.at += 1
  } else {
    scan.word = (scan.word ?? '') + sign
    scan.at += 1
  }
}

function takeEscaped(scan: Scan): void {
  const next = scan.text.slice(scan.at + 1, scan.at + 3)
  const isLineEnd = next.startsWith('\n') || next === '\r\n'
  if (isLineEnd) endWord(scan)
  else scan.word = (scan.word ?? '') + next.charAt(0)
  scan.at += isLineEnd && next === '\r\n' ? 3 : 2
}

/** An opening sign without its closing one is nothing. */
function takeQuoted(scan: Scan, from: number, to: number | undefined): void {
  if (to === undefined) {
    scan.at += 1
    return
  }
  const inner = scan.text.slice(from, to)
  const isPlain = scan.text.charAt(from - 1) === "'"
  const said = isPlain || scan.escape !== '\\' ? inner : inner.replaceAll(/\\(["\\$`\n])/g, '$1')
  scan.word = (scan.word ?? '') + said
  scan.at = to + 1
}

function closingAt(scan: Scan, sign: string, from: number): number | undefined {
  if (scan.missing.has(sign)) return undefined
  for (let at = from; at < scan.text.length; at += 1) {
    const found = scan.text.charAt(at)
    if (found === sign) return at
    if (found === scan.escape && sign !== "'") at += 1
  }
  scan.missing.add(sign)
  return undefined
}

/** What is put in by another command is data. */
function takeSubstitution(scan: Scan): void {
  const { text, at } = scan
  let depth = 0
  let end = scan.missing.has(')') ? text.length : at + 1
  for (; end < text.length; end += 1) {
    if (text.charAt(end) === '(') depth += 1
    if (text.charAt(end) === ')') depth -= 1
    if (depth === 0) break
  }
  if (end >= text.length) {
    scan.missing.add(')')
    scan.at += 2
    return
  }
  scan.word = (scan.word ?? '') + text.slice(at, end + 1)
  scan.at = end + 1
}

/** With the file's name; a number before it is its stream. */
function takeRedirect(scan: Scan): void {
  if (scan.word !== undefined && /^(?:\d{1,3}|\*)$/.test(scan.word)) scan.word = undefined
  endWord(scan)
  const { text } = scan
  const from = scan.at
  while ('<>&|'.includes(text.charAt(scan.at)) && scan.at < text.length) scan.at += 1
  scan.toFile ||= /^&?>/.test(text.slice(from, from + 2)) && text.charAt(scan.at - 1) !== '&'
  while (' \t'.includes(text.charAt(scan.at)) && scan.at < text.length) scan.at += 1
  const count = scan.words.length
  while (scan.at < text.length && !' \t\r\n;&|<>()'.includes(text.charAt(scan.at))) takeNext(scan)
  endWord(scan)
  scan.words.length = count
}

function takeJoint(scan: Scan): void {
  const { text, at } = scan
  const sign = text.charAt(at)
  const pair = text.slice(at, at + 2)
  const isDouble = pair === '&&' || pair === '||'
  scan.at += isDouble || pair === '|&' || pair === ';;' ? 2 : 1
  endCommand(scan, isDouble ? pair : sign === '|' || sign === '&' ? sign : ';')
}

function endCommand(scan: Scan, joint: Joint): void {
  endWord(scan)
  if (scan.words.length > 0)
    scan.commands.push({ words: scan.words, joint, ...(scan.toFile ? { toFile: true as const } : {}) })
  scan.words = []
  scan.toFile = false
}

function endWord(scan: Scan): void {
  if (scan.word !== undefined) scan.words.push(scan.word)
  scan.word = undefined
}

function skipTo(scan: Scan, at: number): void {
  scan.at = at
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at < 0 ? text.length : at
}

const HERE = /(?<!<)<<-?[ \t]{0,8}["']?([A-Za-z_]\w{0,60})["']?/

/** Lines of a here-document are data. */
function withoutHeres(text: string): string {
  const kept: string[] = []
  let tag: string | undefined
  for (const line of text.split('\n')) {
    if (tag !== undefined) {
      if (line.trim() === tag) tag = undefined
      continue
    }
    tag = HERE.exec(line)?.[1]
    kept.push(tag === undefined ? line : line.replace(HERE, ''))
  }
  return kept.join('\n')
}
