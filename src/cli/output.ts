/** Text for people: safe for terminals, in columns that fit, coloured only where somebody sees it. */
import { styleText } from 'node:util'

export function print(...lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

export function complain(...lines: readonly string[]): void {
  process.stderr.write(lines.map((line) => `${line}\n`).join(''))
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2))
}

/** What agents and issues say is data: none of it may steer a terminal or break a line. */
export function printable(text: string): string {
  return text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
}

export type Colour = 'red' | 'yellow' | 'green' | 'dim' | 'bold' | 'cyan' | 'blue'

export function paint(colour: Colour, text: string): string {
  return isColourful() ? styleText(colour, text, { validateStream: false }) : text
}

function isColourful(): boolean {
  return process.stdout.isTTY === true && !process.env['NO_COLOR'] && process.env['TERM'] !== 'dumb'
}

const STATE_COLOURS: Readonly<Record<string, Colour>> = {
  stuck: 'red',
  warning: 'yellow',
  waiting: 'yellow',
  limited: 'blue',
  stale: 'cyan',
  active: 'green',
  fail: 'red',
  warn: 'yellow',
  ok: 'green',
}

export function paintState(state: string): string {
  const colour = STATE_COLOURS[state.trim()]
  return paint(colour ?? 'dim', state)
}

const GAP = '  '

/** Rows under their heads; the last column takes what is left of the line. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[], indent = ''): string[] {
  const clean = rows.map((row) => row.map(printable))
  const widths = heads.map((head, n) => Math.max(head.length, ...clean.map((row) => (row[n] ?? '').length)))
  const left = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0)
  const last = Math.max(10, lineWidth() - left - indent.length)
  const line = (cells: readonly string[]) =>
    cells.map((cell, n) => (n === heads.length - 1 ? cut(cell, last) : cell.padEnd(widths[n] ?? 0)))
  const body = clean.map((row) => line(row).map((cell, n) => (heads[n] === STATE ? paintState(cell) : cell)))
  return [line(heads).map((head) => paint('dim', head)), ...body].map((cells) => indent + cells.join(GAP).trimEnd())
}

/** The column that is coloured by its value. */
export const STATE = 'STATE'

/** Lines that begin with a label of one width. */
export function labelled(pairs: readonly (readonly [string, string | undefined])[], indent = '  '): string[] {
  const told = pairs.filter((pair): pair is [string, string] => pair[1] !== undefined)
  const width = Math.max(...told.map(([label]) => label.length))
  return told.flatMap(([label, text]) =>
    wrapped(text, lineWidth() - indent.length - width - GAP.length).map((part, n) =>
      `${indent}${(n === 0 ? label : '').padEnd(width)}${GAP}${part}`.trimEnd(),
    ),
  )
}

/** Whoever reads from a pipe gets whole lines, unless COLUMNS says otherwise. */
export function lineWidth(): number {
  const columns = process.stdout.isTTY === true ? process.stdout.columns : Number(process.env['COLUMNS'])
  return columns >= 40 ? columns : Number.POSITIVE_INFINITY
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}

export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of printable(text).split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
