/**
 * JSON with the places of its parts, so that one part can be put in or taken out while every other byte stays. It is
 * only ever given text that JSON.parse has taken.
 */

export interface JsonNode {
  start: number
  /** After its last character. */
  end: number
  value: unknown
  /** Of an array. */
  items?: readonly JsonNode[]
  /** Of an object, in the order of the text. */
  members?: readonly JsonMember[]
}

export interface JsonMember {
  key: string
  start: number
  end: number
  node: JsonNode
}

export function readJson(text: string): JsonNode {
  return readNode(text, skip(text, 0))
}

/** The last one counts where a name stands twice, as for JSON.parse. */
export function memberOf({ members = [] }: JsonNode, key: string): JsonMember | undefined {
  return members.findLast((member) => member.key === key)
}

/** With one more part at the end of an object (with a key) or an array, in the style of the text around it. */
export function appendTo(text: string, node: JsonNode, part: { key?: string; value: unknown }): string {
  const style = styleOf(text)
  const last = (node.members ?? node.items ?? []).at(-1)
  const label = part.key === undefined ? '' : `${JSON.stringify(part.key)}: `
  if (last === undefined) {
    const outer = indentAt(text, node.start)
    const inner = outer + style.unit
    const lines = `${style.newline}${inner}${label}${pretty(part.value, inner, style)}${style.newline}${outer}`
    return splice(text, { from: node.start + 1, to: node.end - 1, insert: lines })
  }
  const indent = lineStart(text, last.start)
  const insert =
    indent === undefined
      ? `, ${label}${JSON.stringify(part.value)}`
      : `,${style.newline}${indent}${label}${pretty(part.value, indent, style)}`
  return splice(text, { from: last.end, to: last.end, insert })
}

/** Without one part of an object or array, and without its comma. */
export function removeFrom(text: string, node: JsonNode, index: number): string {
  const parts = node.members ?? node.items ?? []
  const [before, part, after] = [parts[index - 1], parts[index], parts[index + 1]]
  if (part === undefined) return text
  if (before !== undefined) return splice(text, { from: before.end, to: part.end, insert: '' })
  if (after !== undefined) return splice(text, { from: part.start, to: after.start, insert: '' })
  return splice(text, { from: node.start + 1, to: node.end - 1, insert: '' })
}

function readNode(text: string, start: number): JsonNode {
  const open = text[start]
  if (open === '{') return readObject(text, start)
  if (open === '[') return readArray(text, start)
  const end = open === '"' ? stringEnd(text, start) : plainEnd(text, start)
  return { start, end, value: JSON.parse(text.slice(start, end)) as unknown }
}

function readObject(text: string, start: number): JsonNode {
  const members: JsonMember[] = []
  let at = skip(text, start + 1)
  while (text[at] !== '}') {
    const keyEnd = stringEnd(text, at)
    const node = readNode(text, skip(text, skip(text, keyEnd) + 1))
    members.push({ key: JSON.parse(text.slice(at, keyEnd)) as string, start: at, end: node.end, node })
    at = skip(text, node.end)
    if (text[at] === ',') at = skip(text, at + 1)
  }
  return { start, end: at + 1, members, value: JSON.parse(text.slice(start, at + 1)) as unknown }
}

function readArray(text: string, start: number): JsonNode {
  const items: JsonNode[] = []
  let at = skip(text, start + 1)
  while (text[at] !== ']') {
    const node = readNode(text, at)
    items.push(node)
    at = skip(text, node.end)
    if (text[at] === ',') at = skip(text, at + 1)
  }
  return { start, end: at + 1, items, value: JSON.parse(text.slice(start, at + 1)) as unknown }
}

function skip(text: string, from: number): number {
  let at = from
  while (' \t\r\n'.includes(text[at] ?? 'x')) at += 1
  return at
}

function stringEnd(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function plainEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && !',]} \t\r\n'.includes(text[at] ?? ',')) at += 1
  return at
}

interface Style {
  newline: string
  unit: string
}

function styleOf(text: string): Style {
  const indent = /\n([ \t]+)\S/.exec(text)?.[1]
  return { newline: text.includes('\r\n') ? '\r\n' : '\n', unit: indent ?? '  ' }
}

function pretty(value: unknown, indent: string, { newline, unit }: Style): string {
  return JSON.stringify(value, null, unit).replaceAll('\n', newline + indent)
}

/** The blanks before a part that begins its line; undefined when it does not. */
function lineStart(text: string, at: number): string | undefined {
  return /\n([ \t]*)$/.exec(text.slice(0, at))?.[1]
}

/** The blanks at the beginning of the line that a part is in. */
function indentAt(text: string, at: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1))?.[0] ?? ''
}

function splice(text: string, { from, to, insert }: { from: number; to: number; insert: string }): string {
  return text.slice(0, from) + insert + text.slice(to)
}
