/** Says in a file how the program is, as the client that is imitated does: `sessions/<pid>.json`, gone when it ends. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export class RegistryFile {
  readonly #folder: string | undefined
  readonly #session: () => string

  /** Nothing is written without a folder. */
  constructor(folder: string | undefined, session: () => string) {
    this.#folder = folder === undefined ? undefined : join(folder, 'sessions')
    this.#session = session
  }

  say(status: 'idle' | 'busy' | 'waiting'): void {
    if (this.#folder === undefined) return
    const entry = {
      pid: process.pid,
      sessionId: this.#session(),
      cwd: process.cwd(),
      procStart: startTicks(),
      version: 'understudy',
      kind: 'interactive',
      status,
      statusUpdatedAt: Date.now(),
    }
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    const draft = `${this.#file}.draft`
    writeFileSync(draft, JSON.stringify(entry), { mode: 0o600 })
    renameSync(draft, this.#file)
  }

  remove(): void {
    if (this.#folder !== undefined) rmSync(this.#file, { force: true })
  }

  get #file(): string {
    return join(this.#folder ?? '', `${process.pid}.json`)
  }
}

/** The 22nd field; the second may hold blanks and brackets. */
function startTicks(): string {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0'
}
