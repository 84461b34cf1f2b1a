/**
 * The folder of hook files, read in order with synchronous calls: for a thread of its own.
 * A file that was handed out is neither handed out again nor removed before `remove` names it. Whatever else lies
 * in the folder is moved aside or left alone, and counted; nothing in it makes the reader fail or wait.
 * A report is whole when its name is in `new`. The file there is the report itself, moved in by rename; or it is empty
 * and only announces the one of the same name in `tmp`.
 */
import {
  closeSync,
  constants,
  lstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmdirSync,
  statfsSync,
  unlinkSync,
  type Stats,
} from 'node:fs'
import { uptime } from 'node:os'
import { join } from 'node:path'
import type { RawReport } from '../../core/ports.ts'
import { Ailments } from './ailments.ts'
import { codeOf, parseName, pathsOf, reasonOf, USER, type ReportName } from './layout.ts'

const BODY_LIMIT = 1024 * 1024
/** Of a folder with more files than this the oldest are served first, the rest at a later look. */
const QUEUE_LIMIT = 50_000
const BAD_LIMIT = 100
/** No hook lives so long: a draft that is not announced by then was left by one that was killed. */
const DRAFT_MS = 60 * 60 * 1000
const SWEEP_MS = 10 * 60 * 1000
const FEW_BYTES = 1024 * 1024

interface Found extends ReportName {
  id: string
  mtimeMs: number
  size: number
  /** By this they are served. */
  orderAt: number
}

interface Body {
  text: string
  /** Lies in `tmp`, announced by an empty file. */
  isApart: boolean
}

export const CANNOT_REPORT = 'Hooks cannot report'

export class SpoolFolder {
  readonly ailments: Ailments
  readonly #paths: ReturnType<typeof pathsOf>
  readonly #homeId: string
  readonly #window: { reports: number; bytes: number }
  readonly #buffer = Buffer.allocUnsafeSlow(BODY_LIMIT + 1)
  /** Handed out and not removed yet. */
  readonly #out = new Map<string, Pick<Body, 'isApart'> & { bytes: number }>()
  #outBytes = 0
  #sweptAt = 0
  #queue: Found[] = []
  #changed = true
  #orderOf = orderer()

  constructor({ home, homeId, window }: { home: string; homeId: string; window: { reports: number; bytes: number } }) {
    this.#paths = pathsOf(home)
    this.#homeId = homeId
    this.#window = window
    this.ailments = new Ailments(home)
  }

  /** Something may have come: the folder is read again when what is known is served. */
  touch(): void {
    this.#changed = true
  }

  /** The safety net: what went wrong before is tried anew. */
  rescan(): void {
    this.#changed = true
    this.ailments.unreadable.clear()
    this.ailments.immovable.clear()
    this.remove([...this.ailments.unremovable.keys()])
    this.#sweepDrafts()
    this.ailments.disk = diskProblem(this.#paths.spool)
  }

  /** The next reports in order, as many as the window and the limit allow. */
  read(limit: number): RawReport[] {
    const reports: RawReport[] = []
    while (reports.length < limit && this.#hasRoom()) {
      const found = this.#next()
      if (found === undefined) break
      const report = this.#readReport(found)
      if (report !== undefined) reports.push(report)
    }
    return reports
  }

  /** Ids that were not handed out are nothing to it. */
  remove(ids: readonly string[]): void {
    for (const id of ids) {
      const out = this.#out.get(id)
      if (out === undefined) continue
      this.#outBytes -= out.bytes
      this.#out.delete(id)
      this.ailments.unremovable.delete(id)
      try {
        unlink(join(this.#paths.fresh, id))
        if (out.isApart) unlink(join(this.#paths.tmp, id))
      } catch (error) {
        // It stays among those handed out: offering it again could never end.
        this.#out.set(id, { ...out, bytes: 0 })
        this.ailments.unremovable.set(id, reasonOf(error))
      }
    }
  }

  #hasRoom(): boolean {
    const { reports, bytes } = this.#window
    return this.#out.size - this.ailments.unremovable.size < reports && this.#outBytes < bytes
  }

  #next(): Found | undefined {
    if (this.#queue.length === 0 && this.#changed) this.#look()
    return this.#queue.pop()
  }

  #look(): void {
    this.#changed = false
    this.#orderOf = orderer()
    this.ailments.foreign.clear()
    const found: Found[] = []
    try {
      const folder = opendirSync(this.#paths.fresh, { bufferSize: 1024 })
      try {
        for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
          const file = this.#judge(entry.name)
          if (file !== undefined) found.push(file)
          if (found.length >= 2 * QUEUE_LIMIT) this.#keepOldest(found)
        }
      } finally {
        folder.closeSync()
      }
      if (found.length > QUEUE_LIMIT) this.#keepOldest(found)
      this.ailments.folder = undefined
    } catch (error) {
      this.ailments.folder = `Cannot read the spool ${this.#paths.fresh}: ${reasonOf(error)}. ${CANNOT_REPORT}; run \`pan doctor\`.`
    }
    // The oldest last, so that taking one from the end is cheap.
    this.#queue = found.toSorted(inOrder).reverse()
  }

  #keepOldest(found: Found[]): void {
    found.sort(inOrder).splice(QUEUE_LIMIT)
    this.#changed = true
  }

  /** Undefined for what is not to be read now. */
  #judge(id: string): Found | undefined {
    if (this.#out.has(id) || this.ailments.unreadable.has(id) || this.ailments.immovable.has(id)) return undefined
    const name = parseName(id)
    if (name !== undefined && name.home !== this.#homeId && name.home !== USER) {
      this.ailments.foreign.set(name.home, (this.ailments.foreign.get(name.home) ?? 0) + 1)
      return undefined
    }
    const stats = this.#stat(id)
    if (stats === undefined) return undefined
    if (name === undefined || !stats.isFile()) return this.#putAside(id, stats)
    const { mtimeMs, size } = stats
    return { ...name, id, mtimeMs, size, orderAt: this.#orderOf(name, mtimeMs) }
  }

  #stat(id: string): Stats | undefined {
    try {
      const stats = lstatSync(join(this.#paths.fresh, id), { throwIfNoEntry: false })
      if (stats === undefined && id.includes('\uFFFD')) this.ailments.immovable.set(id, 'its name is not text')
      return stats
    } catch (error) {
      this.ailments.unreadable.set(id, reasonOf(error))
      return undefined
    }
  }

  #putAside(id: string, stats: Stats): undefined {
    const path = join(this.#paths.fresh, id)
    try {
      if (readdirSync(this.#paths.bad).length < BAD_LIMIT) {
        renameSync(path, join(this.#paths.bad, id))
        this.ailments.garbage += 1
        return
      }
      if (stats.isDirectory()) rmdirSync(path)
      else unlinkSync(path)
      this.ailments.dropped += 1
    } catch (error) {
      if (codeOf(error) !== 'ENOENT' || existsAs(path)) this.ailments.immovable.set(id, reasonOf(error))
    }
  }

  #readReport({ id, run, generation, kind, mtimeMs, size }: Found): RawReport | undefined {
    try {
      const { text, isApart } = this.#readBody(id, size)
      this.#out.set(id, { bytes: text.length, isApart })
      this.#outBytes += text.length
      return { id, run, generation, kind, body: text, wallAt: Math.round(mtimeMs) }
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.ailments.unreadable.set(id, reasonOf(error))
      return undefined
    }
  }

  #readBody(id: string, size: number): Body {
    if (size > 0) return { text: this.#readText(join(this.#paths.fresh, id)), isApart: false }
    try {
      return { text: this.#readText(join(this.#paths.tmp, id)), isApart: true }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return { text: '', isApart: false }
      throw error
    }
  }

  /** Neither follows a link nor waits for a writer, whatever lies there. */
  #readText(path: string): string {
    const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      // A file that gives less than was asked for has ended.
      const length = readSync(handle, this.#buffer, 0, BODY_LIMIT + 1, null)
      if (length > BODY_LIMIT) this.ailments.truncated += 1
      return this.#buffer.toString('utf8', 0, Math.min(length, BODY_LIMIT))
    } finally {
      closeSync(handle)
    }
  }

  #sweepDrafts(): void {
    const now = Date.now()
    if (now - this.#sweptAt < SWEEP_MS) return
    this.#sweptAt = now
    try {
      for (const name of readdirSync(this.#paths.tmp)) {
        const path = join(this.#paths.tmp, name)
        const stats = lstatSync(path, { throwIfNoEntry: false })
        const isOld = stats?.isFile() && now - stats.mtimeMs > DRAFT_MS
        if (isOld && !existsAs(join(this.#paths.fresh, name))) unlinkSync(path)
      }
    } catch (error) {
      this.ailments.folder = `Cannot tidy ${this.#paths.tmp}: ${reasonOf(error)}. Run \`pan doctor\`.`
    }
  }
}

/** What is gone already is as good. */
function unlink(path: string): void {
  try {
    unlinkSync(path)
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
}

/**
 * By the machine's own clock, which never goes back. It starts anew with the machine, so what an earlier start left,
 * and what does not name it, is placed by the time of the file.
 */
function orderer(): (name: ReportName, mtimeMs: number) => number {
  const upMs = uptime() * 1000
  const startedAt = Date.now() - upMs
  const SLACK_MS = 1000
  return ({ upAt }, mtimeMs) => {
    const isOfThisStart = upAt !== undefined && upAt * 10 <= upMs + SLACK_MS && mtimeMs >= startedAt - SLACK_MS
    return isOfThisStart ? startedAt + upAt * 10 : mtimeMs
  }
}

function inOrder(a: Found, b: Found): number {
  return a.orderAt - b.orderAt || a.mtimeMs - b.mtimeMs || a.pid - b.pid || (a.id < b.id ? -1 : 1)
}

function existsAs(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function diskProblem(path: string): string | undefined {
  try {
    const { bavail, bsize, ffree, files } = statfsSync(path)
    if (bavail * bsize >= FEW_BYTES && (files === 0 || ffree > 0)) return undefined
    return `The disk of ${path} is full, so hooks cannot report. Free space on it.`
  } catch (error) {
    return `Cannot see the disk of ${path}: ${reasonOf(error)}. Run \`pan doctor\`.`
  }
}
