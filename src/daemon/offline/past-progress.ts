/** Says on standard error how far a long reading has come, from its second second on, and never more than once a second. */
import { statSync } from 'node:fs'

const QUIET_MS = 1000
const MB = 1024 * 1024

export class PastProgress {
  readonly #beganAt = performance.now()
  #saidAt = performance.now()
  #line = ''

  /** Called often; `of` is the file that is read. */
  read(of: string, bytes: number, sum = ''): void {
    const now = performance.now()
    if (now - this.#saidAt < QUIET_MS || now - this.#beganAt < QUIET_MS) return
    this.#saidAt = now
    const all = sizeOf(of)
    const share = all === 0 ? '' : ` of ${(all / MB).toFixed(0)} MB`
    this.#say(`${sum === '' ? '' : `${sum}: `}${(bytes / MB).toFixed(0)}${share === '' ? ' MB' : share} read`)
  }

  end(): void {
    if (this.#line !== '' && process.stderr.isTTY) process.stderr.write(`\r${' '.repeat(this.#line.length)}\r`)
    this.#line = ''
  }

  #say(line: string): void {
    const isTerminal = process.stderr.isTTY
    process.stderr.write(isTerminal ? `\r${line.padEnd(this.#line.length)}` : `${line}\n`)
    this.#line = line
  }
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size
  } catch {
    return 0
  }
}
