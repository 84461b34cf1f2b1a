/**
 * The screen itself: xterm in an element, in the pane's own size, its letters as large as the width allows. Loaded when
 * the first terminal is shown. It never answers what a program asks of its terminal (tmux does), and leaves the mouse
 * to the page, so that text can be selected and scrolled.
 */
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { withStrictStyles } from './strict-styles.ts'
import './terminal.css'
import { ignoreQuestions } from './terminal-questions.ts'
import { themeIn, whenThemeChanges } from './terminal-theme.ts'

export interface Size {
  cols: number
  rows: number
}

export interface Screen {
  /** Empties it and takes the size; what is printed next draws it anew. */
  begin: (size: Size) => void
  print: (bytes: Uint8Array) => void
  /** Bytes that were printed and are not drawn yet. */
  pendingBytes: () => number
  setTyping: (isTyping: boolean) => void
  setReadAloud: (isOn: boolean) => void
  /** How much would fit into the place at the usual letter size. */
  fitting: (height: number) => Size
  dispose: () => void
}

export interface ScreenOptions {
  place: HTMLElement
  label: string
  /** Only while typing. */
  onKeys: (data: string) => void
  /** The keys with which he leaves the terminal were pressed. */
  onLeave: () => void
}

const FONT = 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace'
const LARGEST = 14
const SMALLEST = 9
const LINE_HEIGHT = 1.15
const SCROLLBAR = 14

export function openScreen(options: ScreenOptions): Screen {
  const { place } = options
  const terminal = createTerminal(place)
  // As wide as its text; the place scrolls sideways.
  const sheet = document.createElement('div')
  sheet.className = 'w-max min-w-full'
  place.append(sheet)
  const removeStyles = withStrictStyles(() => terminal.open(sheet))
  const setTyping = takeKeys(terminal, options)
  const fit = () => {
    const size = fontSize(place, terminal.cols)
    if (size !== terminal.options.fontSize) terminal.options.fontSize = size
  }
  const observer = new ResizeObserver(fit)
  observer.observe(place)
  const stopFollowing = whenThemeChanges(() => (terminal.options.theme = themeIn(place)))
  let pending = 0
  return {
    // In the order of what is written: a reset from outside would overtake it.
    begin: ({ cols, rows }) =>
      terminal.write('\u001bc', () => {
        terminal.resize(cols, rows)
        fit()
      }),
    print: (bytes) => {
      pending += bytes.length
      terminal.write(bytes, () => (pending -= bytes.length))
    },
    pendingBytes: () => pending,
    setTyping,
    setReadAloud: (isOn) => (terminal.options.screenReaderMode = isOn),
    fitting: (height) => fitting(place, height),
    dispose: () => {
      observer.disconnect()
      stopFollowing()
      terminal.dispose()
      removeStyles()
      sheet.remove()
    },
  }
}

function createTerminal(place: HTMLElement): Terminal {
  const terminal = new Terminal({
    scrollback: 5_000,
    disableStdin: true,
    cursorInactiveStyle: 'outline',
    fontFamily: FONT,
    lineHeight: LINE_HEIGHT,
    minimumContrastRatio: 4.5,
    theme: themeIn(place),
    // A program's link could lead anywhere.
    linkHandler: { activate: () => undefined },
  })
  ignoreQuestions(terminal)
  return terminal
}

/** Gives back how to switch it on and off; off it is first. */
function takeKeys(terminal: Terminal, { label, onKeys, onLeave }: ScreenOptions): (isTyping: boolean) => void {
  let isTyping = false
  terminal.textarea?.setAttribute('aria-label', label)
  terminal.textarea?.setAttribute('readonly', '')
  terminal.onData((data) => isTyping && onKeys(data))
  terminal.attachCustomKeyEventHandler((event) => takesKey(event, isTyping, onLeave))
  return (is) => {
    isTyping = is
    terminal.options.disableStdin = !is
    terminal.options.cursorBlink = is
    terminal.textarea?.toggleAttribute('readonly', !is)
    if (is) terminal.focus()
  }
}

/** Who only watches keeps his keys, Tab above all; who types has a way out of the terminal that is no key of it. */
function takesKey(event: KeyboardEvent, isTyping: boolean, onLeave: () => void): boolean {
  if (event.ctrlKey && event.shiftKey && event.key === 'Enter') {
    if (event.type === 'keydown') onLeave()
    event.preventDefault()
    return false
  }
  const scrolls = event.shiftKey && /^(PageUp|PageDown|Home|End)$/.test(event.key)
  return isTyping || scrolls
}

/** Never larger than usual, never smaller than can be read; below that the place scrolls sideways. */
function fontSize(place: HTMLElement, cols: number): number {
  const wanted = Math.floor((widthOf(place) / cols / letterWidth()) * 4) / 4
  return Math.max(SMALLEST, Math.min(LARGEST, wanted))
}

function fitting(place: HTMLElement, height: number): Size {
  const cols = Math.floor(widthOf(place) / (letterWidth() * LARGEST))
  const rows = Math.floor(height / (LARGEST * LINE_HEIGHT * 1.2))
  return { cols: Math.max(20, Math.min(500, cols)), rows: Math.max(5, Math.min(200, rows)) }
}

function widthOf(place: HTMLElement): number {
  const { paddingLeft, paddingRight } = getComputedStyle(place)
  return place.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight) - SCROLLBAR
}

/** As a part of the letter's size. */
function letterWidth(): number {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return 0.6
  context.font = `100px ${FONT}`
  return context.measureText('W').width / 100
}
