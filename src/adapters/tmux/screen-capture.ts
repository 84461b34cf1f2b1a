/**
 * A pane as it is now: which commands ask for it, and the bytes that draw it on an empty terminal of the same size,
 * so that what the pane prints next continues it. What tmux does not tell stays at its default (README).
 */
import { unescaped } from './control-lines.ts'

export interface Captured {
  cols: number
  rows: number
  /** The process has ended; tmux keeps the last screen. */
  dead: boolean
  exitCode?: number
  /** The window's size before somebody changed it for his own screen. */
  sizeBefore?: { cols: number; rows: number }
  bytes: Buffer
}

export const HISTORY_LINES = 2_000
/** Of the scrollback, the newest; the screen itself comes whole. */
const MAX_HISTORY_BYTES = 1024 * 1024

const FIELDS = [
  'pane_width',
  'pane_height',
  'history_size',
  'cursor_x',
  'cursor_y',
  'alternate_on',
  'alternate_saved_x',
  'alternate_saved_y',
  'scroll_region_upper',
  'scroll_region_lower',
  'cursor_flag',
  'insert_flag',
  'keypad_cursor_flag',
  'keypad_flag',
  'origin_flag',
  'wrap_flag',
  'pane_dead',
  'pane_dead_status',
  'pane_dead_signal',
  '@cloister_size',
] as const
type Field = (typeof FIELDS)[number]

/** One after the other without a pause, so that all of them see the same moment. */
export function captureCommands(paneId: string): string[] {
  const capture = `capture-pane -p -t '${paneId}'`
  return [
    `display-message -p -t '${paneId}' '${FIELDS.map((field) => `#{${field}}`).join('|')}'`,
    `${capture} -e -N -S -${HISTORY_LINES} -E -1`,
    `${capture} -e -N -a -q`,
    `${capture} -e -N`,
    `${capture} -P -C`,
  ]
}

/** From the answers to the commands, in their order. */
export function readCapture(answers: readonly Buffer[]): Captured | undefined {
  const [info, history, saved, screen, pending] = answers
  if (info === undefined || history === undefined || saved === undefined) return undefined
  if (screen === undefined || pending === undefined) return undefined
  const words = info.toString('latin1').split('|')
  if (words.length !== FIELDS.length) return undefined
  const is = (field: Field) => Number(words[FIELDS.indexOf(field)])
  const size = /^(\d+)x(\d+)$/.exec(words[FIELDS.indexOf('@cloister_size')] ?? '')
  const bytes = drawn({ is, history, saved, screen, pending })
  return {
    cols: is('pane_width'),
    rows: is('pane_height'),
    dead: is('pane_dead') === 1,
    ...exitCode(words[FIELDS.indexOf('pane_dead_status')], words[FIELDS.indexOf('pane_dead_signal')]),
    ...(size === null ? {} : { sizeBefore: { cols: Number(size[1]), rows: Number(size[2]) } }),
    bytes,
  }
}

interface Parts {
  is: (field: Field) => number
  history: Buffer
  saved: Buffer
  screen: Buffer
  pending: Buffer
}

function drawn({ is, history, saved, screen, pending }: Parts): Buffer {
  const past = is('history_size') === 0 ? [] : newest(linesOf(history))
  // Line drawing comes as «shift out», which needs the line drawing letters as the second set.
  const parts: string[] = ['\u001b)0']
  if (is('alternate_on') === 1) {
    const under = cursorTo(is('alternate_saved_x'), is('alternate_saved_y'))
    parts.push(unrolled([past, linesOf(saved)]), under, '\u001b[?1049h\u001b[H\u001b[2J', unrolled([linesOf(screen)]))
  } else parts.push(unrolled([past, linesOf(screen)]))
  parts.push(modes(is))
  return Buffer.concat([Buffer.from(parts.join(''), 'latin1'), unescaped(pending)])
}

/** Bytes as letters of the same number, so that they can be searched; nothing is decoded. */
function linesOf(block: Buffer): string[] {
  return block.toString('latin1').split('\n')
}

function newest(lines: readonly string[]): string[] {
  let bytes = 0
  const from = lines.findLastIndex((line) => {
    bytes += line.length + 2
    return bytes > MAX_HISTORY_BYTES
  })
  return lines.slice(from + 1)
}

// oxlint-disable-next-line no-control-regex -- escape sequences are what is read
const COLOURS = /\u001b\[([\d;:]*)m/g

/**
 * The lines of several answers below each other. Within an answer tmux carries colours from one line to the next, and
 * a terminal that scrolls fills the new line with the background: hence each line ends without one, and the next
 * begins with it.
 */
function unrolled(answers: readonly (readonly string[])[]): string {
  let background = ''
  const out = answers.flatMap((lines) =>
    lines.map((line, index) => {
      const begin = index === 0 ? PLAIN : background
      if (index === 0) background = ''
      for (const [, codes = ''] of line.matchAll(COLOURS)) background = backgroundAfter(background, codes)
      return `${begin}${line}${background === '' ? '' : '\u001b[49m'}`
    }),
  )
  return `${out.join('\r\n')}${PLAIN}`
}

/** No colours and the usual letters. */
const PLAIN = '\u001b[0m\u000f'

function backgroundAfter(before: string, codes: string): string {
  let now = before
  const words = codes.split(';')
  for (let at = 0; at < words.length; at += 1) {
    const code = Number.parseInt(words[at] ?? '', 10)
    if (Number.isNaN(code) || code === 0 || code === 49) now = ''
    else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) now = `\u001b[${code}m`
    else if ((code === 38 || code === 48 || code === 58) && !(words[at] ?? '').includes(':')) {
      const length = words[at + 1] === '2' ? 5 : 3
      if (code === 48) now = `\u001b[${words.slice(at, at + length).join(';')}m`
      at += length - 1
    } else if (code === 48) now = `\u001b[${words[at]}m`
  }
  return now
}

function modes(is: Parts['is']): string {
  const upper = is('scroll_region_upper')
  const isOrigin = is('origin_flag') === 1
  return [
    `\u001b[${upper + 1};${is('scroll_region_lower') + 1}r`,
    is('insert_flag') === 1 ? '\u001b[4h' : '',
    is('keypad_cursor_flag') === 1 ? '\u001b[?1h' : '',
    is('keypad_flag') === 1 ? '\u001b=' : '',
    is('wrap_flag') === 1 ? '' : '\u001b[?7l',
    is('cursor_flag') === 1 ? '' : '\u001b[?25l',
    isOrigin ? '\u001b[?6h' : '',
    cursorTo(is('cursor_x'), is('cursor_y') - (isOrigin ? upper : 0)),
  ].join('')
}

function cursorTo(x: number, y: number): string {
  return `\u001b[${y + 1};${x + 1}H`
}

function exitCode(status = '', signal = ''): { exitCode?: number } {
  if (status !== '') return { exitCode: Number(status) }
  return signal === '' ? {} : { exitCode: 128 + Number(signal) }
}
