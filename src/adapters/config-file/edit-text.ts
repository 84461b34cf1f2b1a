/**
 * Changes one key in the text of a cloister.yaml. All other bytes stay as they are wherever that is possible, and
 * comments always. A change counts only after the new text was read again and holds exactly what was asked for.
 */
import { isDeepStrictEqual } from 'node:util'
import { Document, isCollection, isMap, isScalar, isSeq, Lexer, type Pair } from 'yaml'
import { dotted, setIn, type Path } from '../../contract/config/path.ts'
import { withoutMark } from './check-text.ts'
import { rebuildWith, type Change } from './rebuild-text.ts'
import { readYaml } from './read-yaml.ts'

export type Edited = { text: string } | { refused: string }

export function editText(before: string, path: Path, value: unknown): Edited {
  const text = withoutMark(before)
  const mark = before.slice(0, before.length - text.length)
  const old = readYaml(text)
  if (old.problems.length > 0) return { refused: 'the file is not valid YAML; mend it with `pan config edit`' }
  const wanted = setIn(old.value ?? {}, path, value)
  if (wanted === undefined)
    return { refused: `${dotted(path)} cannot be set: a single value or a list stands in its way` }
  const comments = commentsOf(text)
  for (const change of [replaceValue, insertKey, rebuildWith]) {
    const after = change({ text, contents: old.document.contents, path, value })
    if (after !== undefined && holds(after, wanted, comments)) return { text: mark + after }
  }
  return { refused: `${dotted(path)} cannot be set without changing other lines; use \`pan config edit\`` }
}

/** The value is there: only its own characters change. */
function replaceValue({ text, contents, path, value }: Change): string | undefined {
  const pair = pairAt(contents, path)
  const range = rangeOf(pair?.value)
  if (pair === undefined || range === undefined) return undefined
  if (isCollection(pair.value) && pair.value.flow !== true) return replaceBlock(text, pair, value)
  const [start, end] = range
  const space = text[start - 1] === ':' ? ' ' : ''
  return text.slice(0, start) + space + inline(value) + lineEnd(text, end) + text.slice(end)
}

/** The value is a group or list on lines of its own; the new one stands on the line of the key. */
function replaceBlock(text: string, pair: Pair, value: unknown): string | undefined {
  const colon = text.indexOf(':', rangeOf(pair.key)?.[1])
  const end = endOf(pair)
  if (colon === -1 || end === undefined) return undefined
  return `${text.slice(0, colon)}: ${inline(value)}${lineEnd(text, end)}${text.slice(end)}`
}

/** What ends the line of a value that reaches over its line's end, such as a block of text. */
function lineEnd(text: string, end: number): string {
  if (text[end - 1] !== '\n') return ''
  return text[end - 2] === '\r' ? '\r\n' : '\n'
}

/** The key is missing: a line is added at the end of the innermost group that is there. */
function insertKey({ text, contents, path, value }: Change): string | undefined {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  for (let depth = path.length - 1; depth >= 0; depth--) {
    const pair = pairAt(contents, path.slice(0, depth))
    if (depth > 0 && pair === undefined) continue
    const place = placeFor(text, depth === 0 ? contents : pair?.value, pair)
    if (place === undefined) return undefined
    const lines = nested(path.slice(depth), value, place.indent)
    const head = text.slice(0, place.offset)
    const joint = head === '' || head.endsWith('\n') ? '' : eol
    return head + joint + lines.join(eol) + eol + text.slice(place.offset)
  }
  return undefined
}

/** Where a line for a group belongs and how far it is indented. */
function placeFor(
  text: string,
  group: unknown,
  pair: Pair | undefined,
): { offset: number; indent: string } | undefined {
  if (isMap(group) && group.flow !== true && group.items.length > 0) {
    const first = group.items[0]?.key
    const last = endOf(group.items.at(-1) as Pair)
    const start = rangeOf(first)?.[0]
    if (start === undefined || last === undefined) return undefined
    const indent = indentOf(text, start)
    return indent === undefined ? undefined : { offset: nextLine(text, last), indent }
  }
  const isEmpty = group === null || (isScalar(group) && group.value === null && (group.source ?? '') === '')
  if (!isEmpty) return undefined
  if (pair === undefined) return { offset: text.length, indent: '' }
  const [start, end] = rangeOf(pair.key) ?? []
  if (start === undefined || end === undefined) return undefined
  const indent = indentOf(text, start)
  return indent === undefined ? undefined : { offset: nextLine(text, end), indent: `${indent}  ` }
}

/** The blanks before a key, when nothing else stands before it on its line. */
export function indentOf(text: string, start: number): string | undefined {
  const indent = start === 0 ? '' : text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  return /^ *$/.test(indent) ? indent : undefined
}

/** End of the last character that belongs to a pair, comments after it not counted. */
export function endOf({ key, value }: Pair): number | undefined {
  if (isMap(value) && value.flow !== true && value.items.length > 0) return endOf(value.items.at(-1) as Pair)
  if (isSeq(value) && value.flow !== true && value.items.length > 0) return rangeOf(value.items.at(-1))?.[1]
  return rangeOf(value ?? key)?.[1]
}

type Range = readonly [start: number, end: number, after: number]

export function rangeOf(node: unknown): Range | undefined {
  return (node as { range?: Range | null } | null | undefined)?.range ?? undefined
}

export function nextLine(text: string, offset: number): number {
  if (text[offset - 1] === '\n') return offset
  const end = text.indexOf('\n', offset)
  return end === -1 ? text.length : end + 1
}

function nested(path: Path, value: unknown, indent: string): string[] {
  return path.map((part, depth) => {
    const name = `${indent}${'  '.repeat(depth)}${inline(String(part))}:`
    return depth === path.length - 1 ? `${name} ${inline(value)}` : name
  })
}

/** A value on one line. */
function inline(value: unknown): string {
  if (typeof value === 'string' && /[\n\r]/.test(value)) return JSON.stringify(value)
  const document = new Document(value)
  if (isCollection(document.contents)) document.contents.flow = true
  return document.toString({ lineWidth: 0 }).trimEnd()
}

export function pairAt(contents: unknown, path: Path): Pair | undefined {
  let at = contents
  let found: Pair | undefined
  for (const part of path) {
    if (!isMap(at)) return undefined
    found = (at.items as Pair[]).find(({ key }) => isScalar(key) && (key.source ?? String(key.value)) === String(part))
    if (found === undefined) return undefined
    at = found.value
  }
  return found
}

export function holds(text: string, wanted: unknown, comments: readonly string[]): boolean {
  const after = readYaml(text)
  return (
    after.problems.length === 0 &&
    isDeepStrictEqual(after.value, wanted) &&
    isDeepStrictEqual(commentsOf(text), comments)
  )
}

/** Every comment of the text, in a fixed order. A token after the scalar mark is text, whatever it begins with. */
export function commentsOf(text: string): string[] {
  const tokens = [...new Lexer().lex(text)]
  return tokens.filter((token, index) => token.startsWith('#') && tokens[index - 1] !== '\u001F').toSorted()
}
