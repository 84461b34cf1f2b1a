/**
 * Writes logs/handoffs.jsonl: one line for each hand-off that has ended, in the order of their beginning. An agent's
 * record keeps only its last ones, so that what stands in the file stays there; the newest LINES in all.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentRecord } from '../../contract/records.ts'
import { handoffLine } from '../../core/published.ts'
import { reasonOf } from './reason.ts'
import { ensureFolder, replaceFile } from './replace-file.ts'

const LINES = 10_000
const ROUND_MS = 100
const RETRY_MS = 5_000

export interface HandoffLogOptions {
  home: string
  /** Told once when the file cannot be written, and again only after it could. */
  report: (sentence: string) => void
  /** Told when it could be written again. */
  well?: () => void
  later: (call: () => void, ms: number) => void
}

export class HandoffLog {
  readonly #options: HandoffLogOptions
  readonly #path: string
  #lines: Map<string, string> | undefined
  #isDirty = false
  #isReported = false

  constructor(options: HandoffLogOptions) {
    this.#options = options
    this.#path = join(options.home, 'logs', 'handoffs.jsonl')
  }

  offer(agent: AgentRecord): void {
    const { handoffs = [] } = agent
    if (handoffs.length === 0) return
    this.#lines ??= this.#read()
    for (const handoff of handoffs) {
      const line = handoffLine(agent, handoff)
      if (this.#lines.get(handoff.id) === line) continue
      this.#lines.set(handoff.id, line)
      if (!this.#isDirty) this.#options.later(() => this.flush(), ROUND_MS)
      this.#isDirty = true
    }
  }

  /** What is not yet written, now; what could not be is tried again. */
  flush(): void {
    if (!this.#isDirty || this.#lines === undefined) return
    this.#isDirty = false
    const lines = [...this.#lines.values()].slice(-LINES)
    try {
      ensureFolder(join(this.#options.home, 'logs'))
      replaceFile(this.#path, lines.map((line) => `${line}\n`).join(''))
      if (this.#isReported) this.#options.well?.()
      this.#isReported = false
    } catch (error) {
      this.#isDirty = true
      this.#options.later(() => this.flush(), RETRY_MS)
      if (this.#isReported) return
      this.#isReported = true
      this.#options.report(`Could not write ${this.#path}: ${reasonOf(error)}. The journal is not affected.`)
    }
  }

  /** What an earlier daemon wrote; a line that cannot be read is not kept. */
  #read(): Map<string, string> {
    const lines = new Map<string, string>()
    for (const line of textOf(this.#path).split('\n')) {
      const id = idOf(line)
      if (id !== undefined) lines.set(id, line)
    }
    return lines
  }
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function idOf(line: string): string | undefined {
  try {
    const { id } = JSON.parse(line) as { id?: unknown }
    return typeof id === 'string' ? id : undefined
  } catch {
    return undefined
  }
}
