/**
 * Server-sent events out of text that arrives in pieces. A piece may end anywhere, also between CR and LF; what is
 * not yet whole is kept. An event without data is none.
 */

export interface SseMessage {
  event: string
  data: string
  id: string | undefined
}

/** Longer than any message of the daemon; without a limit a broken sender could fill the memory. */
const MAX_BUFFERED = 64 * 1024 * 1024

export class SseParser {
  readonly #take: (message: SseMessage) => void
  #rest: string[] = []
  #restLength = 0
  #skipLineFeed = false
  #isFirst = true
  #event = ''
  #data: string[] = []
  #id: string | undefined

  constructor(take: (message: SseMessage) => void) {
    this.#take = take
  }

  push(given: string): void {
    let text = given
    if (this.#isFirst && text !== '') {
      this.#isFirst = false
      if (text.startsWith('\uFEFF')) text = text.slice(1)
    }
    if (this.#skipLineFeed && text !== '') {
      this.#skipLineFeed = false
      if (text.startsWith('\n')) text = text.slice(1)
    }
    this.#lines(text)
  }

  #lines(text: string): void {
    let from = 0
    for (let to = lineEnd(text, from); to !== -1; to = lineEnd(text, from)) {
      this.#line(this.#whole(text.slice(from, to)))
      from = to + 1
      if (text[to] !== '\r') continue
      if (from === text.length) this.#skipLineFeed = true
      else if (text[from] === '\n') from += 1
    }
    this.#keep(text.slice(from))
  }

  #whole(end: string): string {
    if (this.#restLength === 0) return end
    const line = this.#rest.join('') + end
    this.#rest = []
    this.#restLength = 0
    return line
  }

  #keep(rest: string): void {
    if (rest === '') return
    this.#restLength += rest.length
    if (this.#restLength > MAX_BUFFERED)
      throw new Error(`A line of the stream is longer than ${MAX_BUFFERED} characters`)
    this.#rest.push(rest)
  }

  #line(line: string): void {
    if (line === '') return this.#dispatch()
    const colon = line.indexOf(':')
    if (colon === 0) return
    const field = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1)
    if (field === 'data') this.#data.push(value)
    else if (field === 'event') this.#event = value
    else if (field === 'id' && !value.includes('\0')) this.#id = value
  }

  #dispatch(): void {
    const data = this.#data
    const event = this.#event
    this.#data = []
    this.#event = ''
    if (data.length > 0) this.#take({ event: event === '' ? 'message' : event, data: data.join('\n'), id: this.#id })
  }
}

function lineEnd(text: string, from: number): number {
  const lineFeed = text.indexOf('\n', from)
  const before = lineFeed === -1 ? text.length : lineFeed
  const carriageReturn = text.slice(from, before).indexOf('\r')
  return carriageReturn === -1 ? lineFeed : from + carriageReturn
}
