/** The understudy's small screen: plain lines above one line with its label and what is being typed. */

export const LABEL = 'understudy (simulated agent)'

export class Screen {
  readonly #out: NodeJS.WriteStream
  readonly #drawn: boolean
  #draft = ''

  constructor(out: NodeJS.WriteStream) {
    this.#out = out
    this.#drawn = out.isTTY === true
  }

  say(text: string): void {
    // oxlint-disable-next-line no-control-regex -- control bytes would move the cursor
    const lines = text.split('\n').map((line) => line.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, ' '))
    const shown = lines.length > 12 ? [...lines.slice(0, 10), `… ${lines.length - 10} more lines`] : lines
    this.#erase()
    this.#out.write(`${shown.join('\n')}\n`)
    this.#draw()
  }

  type(draft: string): void {
    if (!this.#drawn || draft === this.#draft) return
    this.#draft = draft
    this.#erase()
    this.#draw()
  }

  close(): void {
    this.#erase()
  }

  #erase(): void {
    if (this.#drawn) this.#out.write('\r\u001B[K')
  }

  #draw(): void {
    if (!this.#drawn) return
    const room = Math.max(10, (this.#out.columns ?? 80) - LABEL.length - 4)
    this.#out.write(`${LABEL} > ${this.#draft.replaceAll('\n', ' ').slice(-room)}`)
  }
}
