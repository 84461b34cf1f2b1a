/**
 * What a control client of tmux says, read from its bytes: answers to commands as blocks, what panes print, and
 * notices. Nothing is decoded as text on the way, so a letter may be cut anywhere.
 */

export interface ControlListener {
  /** The answer to one command, without its last line end. */
  block: (content: Buffer, failed: boolean) => void
  output: (paneId: string, bytes: Buffer) => void
  /** Any other line, such as `%pause %3`. */
  notice: (line: string) => void
}

const NEWLINE = 0x0a
const BACKSLASH = 0x5c
const OUTPUT = Buffer.from('%output ')
const EXTENDED = Buffer.from('%extended-output ')
const BEGIN = Buffer.from('%begin ')
const COLON = Buffer.from(' : ')

export class ControlLines {
  readonly #listener: ControlListener
  #rest: Buffer[] = []
  /** The end of the block that is being read: both ends carry the same time, number and flags. */
  #ends: { done: Buffer; failed: Buffer } | undefined
  #block: Buffer[] = []

  constructor(listener: ControlListener) {
    this.#listener = listener
  }

  feed(chunk: Buffer): void {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      const piece = chunk.subarray(from, end)
      const line = this.#rest.length === 0 ? piece : Buffer.concat([...this.#rest.splice(0), piece])
      from = end + 1
      this.#line(line)
    }
    // A copy: a small rest must not keep the whole chunk.
    if (from < chunk.length) this.#rest.push(Buffer.from(chunk.subarray(from)))
  }

  #line(line: Buffer): void {
    if (this.#ends !== undefined) this.#inBlock(line, this.#ends)
    else if (startsWith(line, EXTENDED)) this.#output(line, EXTENDED.length, COLON)
    else if (startsWith(line, OUTPUT)) this.#output(line, OUTPUT.length, SPACE)
    else if (startsWith(line, BEGIN)) {
      const name = line.subarray(BEGIN.length)
      this.#ends = { done: Buffer.concat([END, name]), failed: Buffer.concat([ERROR, name]) }
    } else this.#listener.notice(line.toString('utf8'))
  }

  #inBlock(line: Buffer, { done, failed }: { done: Buffer; failed: Buffer }): void {
    const isDone = line.equals(done)
    if (!isDone && !line.equals(failed)) {
      this.#block.push(Buffer.from(line), LINE_END)
      return
    }
    const content = Buffer.concat(this.#block.splice(0).slice(0, -1))
    this.#ends = undefined
    this.#listener.block(content, !isDone)
  }

  #output(line: Buffer, from: number, before: Buffer): void {
    const pane = line.subarray(from, line.indexOf(SPACE, from)).toString('latin1')
    const at = line.indexOf(before, from)
    if (at !== -1) this.#listener.output(pane, unescaped(line.subarray(at + before.length)))
  }
}

const SPACE = Buffer.from(' ')
const LINE_END = Buffer.from('\n')
const END = Buffer.from('%end ')
const ERROR = Buffer.from('%error ')

/** tmux writes control characters and the backslash as a backslash and three octal digits, all else as it is. */
export function unescaped(bytes: Buffer): Buffer {
  let from = bytes.indexOf(BACKSLASH)
  if (from === -1) return Buffer.from(bytes)
  const out = Buffer.allocUnsafe(bytes.length)
  let length = bytes.copy(out, 0, 0, from)
  while (from < bytes.length) {
    out[length] = octal(bytes, from + 1)
    length += 1
    const next = bytes.indexOf(BACKSLASH, from + 4)
    const end = next === -1 ? bytes.length : next
    // An escape that is cut off ends the line.
    if (from + 4 < end) length += bytes.copy(out, length, from + 4, end)
    from = end
  }
  return out.subarray(0, length)
}

function octal(bytes: Buffer, at: number): number {
  const digit = (index: number) => (bytes[at + index] ?? 0x30) - 0x30
  return (digit(0) * 64 + digit(1) * 8 + digit(2)) & 0xff
}

function startsWith(line: Buffer, start: Buffer): boolean {
  return line.length >= start.length && line.subarray(0, start.length).equals(start)
}
