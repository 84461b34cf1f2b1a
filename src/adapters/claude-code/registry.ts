/**
 * The client's own registry: `<config>/sessions/<pid>.json`, rewritten whenever it begins, rests or waits, and removed
 * at an orderly end. Undocumented, so that every field may be missing; a file counts only while the very process that
 * it names lives, and for a run only when that process carries the run's tag.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { lives } from '../process/proc-stat.ts'
import { readTag } from '../process/run-tag.ts'
import { parseBody, textOf } from './hook-body.ts'

export type RegistryStatus = 'idle' | 'busy' | 'waiting' | 'shell'

export interface RegistryEntry {
  pid: number
  /** Clock ticks since boot, as in /proc: with the pid an identity. */
  startedAt: number
  sessionId: string
  /** Missing while it starts, and when it is a word that is not known. */
  status?: RegistryStatus
  statusWallAt: number
  waitingFor?: string
  isInteractive: boolean
}

const FILE = /^([1-9]\d{0,9})\.json$/
const FILE_LIMIT = 64 * 1024
const STATUSES: readonly string[] = ['idle', 'busy', 'waiting', 'shell']

/** Undefined when it cannot be read as one. */
export function parseEntry(text: string): RegistryEntry | undefined {
  const fields = parseBody(text)
  if (fields === undefined) return undefined
  const { pid, procStart, status, statusUpdatedAt, startedAt, kind } = fields
  const sessionId = textOf(fields['sessionId'])
  const ticks = Number(textOf(procStart) ?? Number.NaN)
  if (!isCount(pid) || !isCount(ticks) || sessionId === undefined) return undefined
  const waitingFor = textOf(fields['waitingFor'])
  return {
    pid,
    startedAt: ticks,
    sessionId: sessionId.slice(0, 200),
    ...(typeof status === 'string' && STATUSES.includes(status) ? { status: status as RegistryStatus } : {}),
    statusWallAt: [statusUpdatedAt, startedAt].find(isCount) ?? 0,
    ...(waitingFor === undefined ? {} : { waitingFor: waitingFor.slice(0, 100) }),
    isInteractive: kind === undefined || kind === 'interactive',
  }
}

export class Registry {
  readonly folder: string
  readonly #homeId: string
  readonly #files = new Map<number, { stamp: string; entry: RegistryEntry | undefined }>()
  /** Whose process it is: read once, since the environment of a living program stays. */
  readonly #runs = new Map<string, string | undefined>()
  /** Processes of a person's own, which carry no tag, by run. */
  readonly #adopted = new Map<string, string>()

  constructor(config: string, homeId: string) {
    this.folder = join(config, 'sessions')
    this.#homeId = homeId
  }

  /** From now on this process is that of the run; `undefined`: none is any more. */
  adopt(run: string, process: { pid: number; startTime: number } | undefined): void {
    if (process === undefined) this.#adopted.delete(run)
    else this.#adopted.set(run, `${process.pid} ${process.startTime}`)
  }

  /** The oldest living client of a run: what an agent starts by itself has the same tag. */
  ofRun(run: string, pid?: number): RegistryEntry | undefined {
    // Nearly always the one that was found before.
    const known = pid === undefined ? undefined : this.#read(pid)
    if (known !== undefined && this.#runOf(known) === run) return known
    return this.entries()
      .filter((entry) => entry.isInteractive && this.#runOf(entry) === run)
      .toSorted((a, b) => a.startedAt - b.startedAt)[0]
  }

  /** The run that a file of the folder belongs to; undefined for a client that is none of ours. */
  runOfFile(name: string): string | undefined {
    const pid = FILE.exec(name)?.[1]
    const entry = pid === undefined ? undefined : this.#read(Number(pid))
    return entry === undefined ? undefined : this.#runOf(entry)
  }

  /** All living clients of this user. */
  entries(): RegistryEntry[] {
    const pids = names(this.folder).flatMap((name) => FILE.exec(name)?.[1] ?? [])
    const present = new Set(pids.map(Number))
    for (const pid of this.#files.keys()) if (!present.has(pid)) this.#files.delete(pid)
    if (this.#runs.size > 2 * present.size + 100) this.#runs.clear()
    return [...present].flatMap((pid) => this.#read(pid) ?? [])
  }

  #read(pid: number): RegistryEntry | undefined {
    const file = join(this.folder, `${pid}.json`)
    try {
      const stats = statSync(file)
      // A pipe would be waited for, and everybody with it.
      if (!stats.isFile()) return undefined
      const { mtimeMs, size, ino } = stats
      const stamp = `${ino} ${mtimeMs} ${size}`
      const before = this.#files.get(pid)
      const entry =
        before?.stamp === stamp ? before.entry : size > FILE_LIMIT ? undefined : parseEntry(readFileSync(file, 'utf8'))
      this.#files.set(pid, { stamp, entry })
      return entry?.pid === pid && lives(entry) ? entry : undefined
    } catch {
      // It came or went just now.
      return undefined
    }
  }

  #runOf(entry: RegistryEntry): string | undefined {
    const key = `${entry.pid} ${entry.startedAt}`
    for (const [run, process] of this.#adopted) if (process === key) return run
    if (!this.#runs.has(key)) {
      const tag = readTag(entry.pid)
      this.#runs.set(key, typeof tag === 'object' && tag.homeId === this.#homeId ? tag.run : undefined)
    }
    return this.#runs.get(key)
  }
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
