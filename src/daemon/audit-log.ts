/**
 * logs/audit.jsonl: who did what, one line each. At 10 MB it is put aside as audit.jsonl.1, which replaces the one
 * before. Lines that may come in masses are counted and written once a second. A line that cannot be written never
 * holds up the deed; it is said once.
 */
import { join } from 'node:path'
import type { Audit, AuditEntry } from '../api/audit.ts'
import { AuditFile } from './audit-file.ts'

const FOLD_MS = 1_000
/** How many different lines are counted within a second; the rest are one line for each answer. */
const MOST_KINDS = 50
const LIMIT = 10 * 1024 * 1024

export interface AuditOptions {
  home: string
  now: () => number
  problem: (error: unknown) => void
  /** Bytes after which the file is put aside. */
  limit?: number
}

export class AuditLog {
  readonly #options: AuditOptions
  readonly #path: string
  readonly #file: AuditFile
  readonly #counted = new Map<string, { entry: AuditEntry; count: number }>()
  #timer: NodeJS.Timeout | undefined
  #isSaid = false

  constructor(options: AuditOptions) {
    this.#options = options
    this.#path = join(options.home, 'logs/audit.jsonl')
    this.#file = new AuditFile(this.#path, options.limit ?? LIMIT)
  }

  readonly audit: Audit = (entry, folded) => (folded ? this.#fold(entry) : this.#write(entry))

  /** Writes what was only counted so far. */
  close(): void {
    this.#flush()
    this.#file.close()
  }

  #fold(entry: AuditEntry): void {
    const { via, door, code } = entry
    const isFull = this.#counted.size >= MOST_KINDS
    const kind: AuditEntry = isFull ? { who: 'many', via, door, what: 'various', code, requestId: '' } : entry
    const key = [kind.who, via, door, kind.what, kind.agent, code].join(' ')
    const known = this.#counted.get(key)
    if (known === undefined) this.#counted.set(key, { entry: kind, count: 1 })
    else known.count += 1
    this.#timer ??= setTimeout(() => this.#flush(), FOLD_MS).unref()
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const { entry, count } of this.#counted.values()) this.#write(entry, count)
    this.#counted.clear()
  }

  #write(entry: AuditEntry, count?: number): void {
    const at = new Date(this.#options.now()).toISOString()
    try {
      this.#file.add(JSON.stringify({ at, ...entry, ...(count === undefined ? {} : { count }) }))
      this.#isSaid = false
    } catch (error) {
      const sentence = `${this.#path} could not be written: deeds are not recorded.`
      if (!this.#isSaid) this.#options.problem(new Error(sentence, { cause: error }))
      this.#isSaid = true
    }
  }
}
