/** Reads keys: lines ended by Enter, whole pastes (bracketed), Escape, and what ends a program. Echo is the screen's. */

export type Stroke =
  | { kind: 'line'; text: string }
  | { kind: 'draft'; text: string }
  | { kind: 'escape' }
  | { kind: 'quit' }

export const PASTE_ON = '\u001B[?2004h'
export const PASTE_OFF = '\u001B[?2004l'

const PASTE_BEGINS = '\u001B[200~'
const PASTE_ENDS = '\u001B[201~'
const LONE_ESCAPE_MS = 40

export class Keyboard {
  readonly #strike: (stroke: Stroke) => void
  #draft = ''
  #rest = ''
  #pastes = false
  #armed = false
  #timer: NodeJS.Timeout | undefined

  constructor(strike: (stroke: Stroke) => void) {
    this.#strike = strike
  }

  take(chunk: string): void {
    clearTimeout(this.#timer)
    this.#rest += chunk
    while (this.#step());
    this.#strike({ kind: 'draft', text: this.#draft })
    // An Escape key is the first byte of every sequence too: only silence tells them apart.
    if (this.#rest !== '' && !this.#pastes) this.#timer = setTimeout(() => this.#loneEscape(), LONE_ESCAPE_MS)
  }

  /** What was typed without Enter when the input ended. */
  end(): void {
    clearTimeout(this.#timer)
  }

  #step(): boolean {
    if (this.#rest === '') return false
    if (this.#pastes) return this.#paste()
    const [first = ''] = this.#rest
    if (first === '\u001B') return this.#sequence()
    this.#rest = this.#rest.slice(first.length)
    this.#key(first)
    return true
  }

  #paste(): boolean {
    const at = this.#rest.indexOf(PASTE_ENDS)
    if (at < 0) {
      // The end mark may be cut in two between reads.
      const keep = PASTE_ENDS.length - 1
      this.#draft += this.#rest.slice(0, Math.max(0, this.#rest.length - keep))
      this.#rest = this.#rest.slice(-keep)
      return false
    }
    this.#draft = (this.#draft + this.#rest.slice(0, at)).replaceAll(/\r\n?/g, '\n')
    this.#rest = this.#rest.slice(at + PASTE_ENDS.length)
    this.#pastes = false
    return true
  }

  #sequence(): boolean {
    // oxlint-disable-next-line no-control-regex -- a sequence begins with an escape byte
    const found = /^\u001B(?:\[[0-9;?<=>]*[@-~]|O[@-~])/.exec(this.#rest)?.[0]
    if (found === undefined) {
      // oxlint-disable-next-line no-control-regex -- as above
      if (/^\u001B(?:\[[0-9;?<=>]*|O)?$/.test(this.#rest)) return false
      this.#rest = this.#rest.slice(1)
      this.#strike({ kind: 'escape' })
      return true
    }
    this.#rest = this.#rest.slice(found.length)
    this.#pastes = found === PASTE_BEGINS
    return true
  }

  #key(key: string): void {
    const wasArmed = this.#armed
    this.#armed = false
    if (key === '\r' || key === '\n') {
      const text = this.#draft
      this.#draft = ''
      if (text.trim() !== '') this.#strike({ kind: 'line', text })
    } else if (key === '\u0003') {
      // The first Ctrl-C empties the line, the second leaves, as in the client that is imitated.
      this.#draft = ''
      if (wasArmed) this.#strike({ kind: 'quit' })
      this.#armed = true
    } else if (key === '\u0004') {
      if (this.#draft === '') this.#strike({ kind: 'quit' })
    } else if (key === '\u007F' || key === '\b') this.#draft = this.#draft.slice(0, -1)
    else if (key === '\u0015') this.#draft = ''
    else if (key >= ' ' || key === '\t') this.#draft += key
  }

  #loneEscape(): void {
    this.#rest = ''
    this.#strike({ kind: 'escape' })
  }
}
