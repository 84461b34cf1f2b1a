/**
 * logs/audit.jsonl: who did what, one line each. At 10 MB it is put aside as audit.jsonl.1, which replaces the one
 * before. Lines that may come in masses are counted and written once a second. What strangers tried and were refused
 * is at most one line a second, in logs/refused.jsonl, which has a bound of its own: nobody without a token can push a
 * deed out. A line that cannot be written never holds up the deed; it is said once.
 */
import { join } from 'node:path'
import type { Audit, AuditEntry } from '../api/audit.ts'
import { AuditFile } from './audit-file.ts'

const FOLD_MS = 1_000
/** How many different lines are counted within a second; the rest are one line for each answer. */
const MOST_KINDS = 50
const LIMIT = 10 * 1024 * 1024
const REFUSED_LIMIT = 1024 * 1024

export interface AuditOptions {
  home: string
  now: () => number
  problem: (error: unknown) => void
  /** Bytes after which a file is put aside. */
  limit?: number
}

export class AuditLog {
  readonly #options: AuditOptions
  readonly #deeds: AuditFile
  readonly #refused: AuditFile
  readonly #counted = new Map<string, { entry: AuditEntry; count: number }>()
  /** What strangers tried within this second: the first of it, and how often each answer was given. */
  #tried: { entry: AuditEntry; codes: Map<number, number> } | undefined
  #timer: NodeJS.Timeout | undefined
  #isSaid = false

  constructor(options: AuditOptions) {
    this.#options = options
    this.#deeds = new AuditFile(join(options.home, 'logs/audit.jsonl'), options.limit ?? LIMIT)
    this.#refused = new AuditFile(join(options.home, 'logs/refused.jsonl'), options.limit ?? REFUSED_LIMIT)
  }

  readonly audit: Audit = (entry, folded) => {
    if (!folded) return this.#write(this.#deeds, entry)
    if (entry.via === 'none') this.#refuse(entry)
    else this.#fold(entry)
    this.#timer ??= setTimeout(() => this.#flush(), FOLD_MS).unref()
  }

  /** Writes what was only counted so far. */
  close(): void {
    this.#flush()
    this.#deeds.close()
    this.#refused.close()
  }

  #fold(entry: AuditEntry): void {
    const { via, door, code } = entry
    const isFull = this.#counted.size >= MOST_KINDS
    const kind: AuditEntry = isFull ? { who: 'many', via, door, what: 'various', code, requestId: '' } : entry
    const key = [kind.who, via, door, kind.what, kind.agent, code].join(' ')
    const known = this.#counted.get(key)
    if (known === undefined) this.#counted.set(key, { entry: kind, count: 1 })
    else known.count += 1
  }

  #refuse(entry: AuditEntry): void {
    const { codes } = (this.#tried ??= { entry, codes: new Map() })
    codes.set(entry.code, (codes.get(entry.code) ?? 0) + 1)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    for (const { entry, count } of this.#counted.values()) this.#write(this.#deeds, { ...entry, count })
    this.#counted.clear()
    if (this.#tried === undefined) return
    const { entry, codes } = this.#tried
    this.#tried = undefined
    const count = [...codes.values()].reduce((sum, each) => sum + each, 0)
    this.#write(this.#refused, { ...entry, count, codes: Object.fromEntries(codes) })
  }

  #write(file: AuditFile, line: AuditEntry & { count?: number; codes?: Record<string, number> }): void {
    const at = new Date(this.#options.now()).toISOString()
    try {
      file.add(JSON.stringify({ at, ...line }))
      this.#isSaid = false
    } catch (error) {
      const sentence = `${file.path} could not be written: deeds are not recorded.`
      if (!this.#isSaid) this.#options.problem(new Error(sentence, { cause: error }))
      this.#isSaid = true
    }
  }
}
