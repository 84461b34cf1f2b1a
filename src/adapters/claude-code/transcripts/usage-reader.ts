/**
 * What sessions used, read from their transcripts as far as they were not read yet. Every message counts once, in
 * whichever of the files it stands: a resumed session goes on in its own file, a fork repeats the lines of another.
 * Synchronous: it belongs into a worker thread. With an index file it knows after a restart what it had read.
 */
import { dirname } from 'node:path'
import type { SessionsUse } from '../../../core/costs/price.ts'
import { bestScanner } from './best-scanner.ts'
import { existsSync, readdirSync } from './files.ts'
import { DamagedIndexError, IndexFile } from './index-file.ts'
import { TranscriptSet } from './transcript-set.ts'

export interface ReaderOptions {
  /** The client's folder of projects, in which sessions are found by their ids. */
  projects: string
  index?: string
  /** How many messages are remembered. Beyond it all are forgotten, and what is asked for is read anew. */
  messagesLimit?: number
}

/** About 16 MB. */
const MESSAGES_LIMIT = 250_000
const SAVE_AFTER_MS = 60_000
const PATHS_LIMIT = 10_000
const SESSION = /^[A-Za-z0-9_-]+$/

export class UsageReader {
  readonly #projects: string
  readonly #index: IndexFile | undefined
  readonly #messagesLimit: number
  readonly #scanner = bestScanner()
  readonly #paths = new Map<string, string>()
  #set: TranscriptSet
  #savedAt = -Infinity

  constructor({ projects, index, messagesLimit = MESSAGES_LIMIT }: ReaderOptions) {
    this.#messagesLimit = messagesLimit
    this.#projects = projects
    this.#index = index === undefined ? undefined : new IndexFile(index)
    this.#set = new TranscriptSet(this.#scanner, this.#index?.kept)
  }

  /** Of all of them together; what two of them share counts once. Models of which nothing was used are left out. */
  ofSessions(sessions: readonly string[]): SessionsUse {
    return this.#trusted(() => {
      const found = [...new Set(sessions)].flatMap((session) => {
        const path = this.#pathOf(session)
        return path === undefined ? [] : [{ session, path }]
      })
      const read = found.map(({ session, path }) => ({ session, ...this.#read(path) }))
      const gone = read.filter(({ isGone }) => isGone).map(({ session }) => session)
      return {
        models: this.#set.used(read.flatMap(({ files }) => files)),
        sessions: found.map(({ session }) => session),
        ...(gone.length === 0 ? {} : { gone }),
      }
    })
  }

  save(): void {
    if (this.#set.isChanged) this.#index?.save(this.#set)
    this.#savedAt = performance.now()
  }

  close(): void {
    this.#set.close()
    this.#index?.close()
  }

  /** Numbers of the session's file and those of its subagents, all of them read, if need be before they were deleted. */
  #read(transcript: string): { files: number[]; isGone: boolean } {
    const { catalogue } = this.#set
    const [own = -1] = catalogue.enter([transcript])
    const subagents = `${transcript.replace(/\.jsonl$/, '')}/subagents`
    this.#set.follow(own)
    for (const number of catalogue.transcriptsIn(subagents)) this.#set.look(number)
    return { files: [own, ...catalogue.everIn(subagents)], isGone: this.#set.placeOf(own) === undefined }
  }

  /** A session stays in the folder of the project in which it began, wherever it is resumed. */
  #pathOf(session: string): string | undefined {
    const known = this.#paths.get(session)
    if (known !== undefined) return known
    const projects = this.#projects
    if (!SESSION.test(session)) return undefined
    const folders = existsSync(projects) ? readdirSync(projects) : []
    const path =
      folders.map((project) => `${projects}/${project}/${session}.jsonl`).find((file) => existsSync(file)) ??
      this.#deletedPathOf(session)
    if (path !== undefined && this.#paths.size < PATHS_LIMIT) this.#paths.set(session, path)
    return path
  }

  /** Where it stood when it was last read. */
  #deletedPathOf(session: string): string | undefined {
    const name = `/${session}.jsonl`
    const isOf = (path: string) => path.endsWith(name) && dirname(dirname(path)) === this.#projects
    return this.#set.catalogue.paths.find(isOf)
  }

  #trusted<T>(answer: () => T): T {
    if (this.#set.ledger.messages > this.#messagesLimit) this.#beginAnew()
    try {
      return answer()
    } catch (error) {
      if (!(error instanceof DamagedIndexError)) throw error
      this.#index?.distrust()
      this.#beginAnew()
      return answer()
    } finally {
      this.#saveNowAndThen()
    }
  }

  #saveNowAndThen(): void {
    if (performance.now() - this.#savedAt < SAVE_AFTER_MS) return
    this.#savedAt = performance.now()
    try {
      this.save()
    } catch {
      // A full disk costs only that a restart reads again; the next save tries anew.
      this.#index?.distrust()
    }
  }

  #beginAnew(): void {
    this.#set.close()
    this.#set = new TranscriptSet(this.#scanner)
  }
}
