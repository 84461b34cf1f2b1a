/**
 * The spool of hook files: the daemon's side of the worker thread.
 * Reports are offered in their order; one that the listener refused is offered again before any later one. At most
 * a window of reports is in memory: more are read only after some were taken. A thread that fails is replaced, and
 * what was not taken is offered again.
 */
import { statfsSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { RawReport, Spool } from '../../core/ports.ts'
import { findWorker } from '../process/find-worker.ts'
import { reasonOf } from './layout.ts'
import { CANNOT_REPORT } from './spool-folder.ts'
import type { Reply, Request, WorkerOptions } from './protocol.ts'

const WINDOW = { reports: 2_000, bytes: 8 * 1024 * 1024 }
/** The worker holds little for long; a large young generation would only be memory. */
const SMALL = { maxYoungGenerationSizeMb: 2 }
const RESCAN_MS = 5_000
const RETRY_MS = 50
const REPLACE_MS = 1_000

/** A hook's file, and what the file system needs beside it. */
const ROOM_BYTES = 256 * 1024

export type SpoolOptions = Pick<WorkerOptions, 'home' | 'homeId'> &
  Partial<Pick<WorkerOptions, 'window' | 'rescanMs'>> & { workerUrl?: URL }

/** The folders are made by `installHooks`; a missing one is a problem that is told, not an error. */
export async function openSpool({ workerUrl, ...options }: SpoolOptions): Promise<FileSpool> {
  const spool = new FileSpool(workerUrl ?? findWorker(import.meta.url, 'spool/spool-worker'), {
    window: WINDOW,
    rescanMs: RESCAN_MS,
    ...options,
  })
  await spool.opened
  return spool
}

export class FileSpool implements Spool {
  readonly opened: Promise<void>
  readonly #url: URL
  readonly #options: WorkerOptions
  readonly #open = Promise.withResolvers<void>()
  readonly #ended = Promise.withResolvers<void>()
  /** In order, read and not taken. */
  readonly #window = new Map<string, RawReport>()
  readonly #accepted = new Set<string>()
  #worker: Worker
  #listener: ((report: RawReport) => boolean) | undefined
  #isOffering = false
  #taken: string[] = []
  #retry: NodeJS.Timeout | undefined
  #replacing: NodeJS.Timeout | undefined
  #problems: readonly string[] = []
  #failure: string | undefined
  #isOpen = false
  #isClosing = false

  constructor(url: URL, options: WorkerOptions) {
    this.#url = url
    this.#options = options
    this.opened = this.#open.promise
    this.#worker = this.#start()
  }

  /** There is one listener; a new one replaces the old and is offered all that was not taken. */
  listen(call: (report: RawReport) => boolean): () => void {
    this.#listener = call
    this.#accepted.clear()
    this.#pass()
    return () => {
      if (this.#listener === call) this.#listener = undefined
    }
  }

  taken(ids: readonly string[]): void {
    if (ids.length === 0) return
    for (const id of ids) {
      this.#window.delete(id)
      this.#accepted.delete(id)
    }
    if (this.#taken.length === 0) queueMicrotask(() => this.#tellTaken())
    this.#taken.push(...ids)
  }

  offer(): void {
    this.#accepted.clear()
    this.#pass()
    this.#post({ type: 'rescan' })
  }

  problems(): readonly string[] {
    return this.#failure === undefined ? this.#problems : [this.#failure, ...this.#problems]
  }

  deaf(): string | undefined {
    return (
      this.#failure ?? this.#problems.find((sentence) => sentence.includes(CANNOT_REPORT)) ?? fullDisk(this.#options)
    )
  }

  /** What was taken before is still removed; the rest waits in the folder for the next daemon. */
  close(): Promise<void> {
    if (!this.#isClosing) {
      this.#tellTaken()
      this.#isClosing = true
      this.#listener = undefined
      clearTimeout(this.#retry)
      clearTimeout(this.#replacing)
      if (this.#replacing === undefined) this.#worker.postMessage({ type: 'close' } satisfies Request)
      else this.#ended.resolve()
    }
    return this.#ended.promise
  }

  #start(): Worker {
    const worker = new Worker(this.#url, { workerData: this.#options, resourceLimits: SMALL })
    worker.on('message', (reply: Reply) => this.#hear(reply))
    worker.on('error', (error) => {
      this.#failure = `The reader of the spool ${this.#options.home}/spool failed: ${reasonOf(error)}. It is started again.`
    })
    worker.on('exit', () => this.#replace())
    return worker
  }

  #replace(): void {
    if (this.#isClosing) return this.#ended.resolve()
    this.#failure ??= `The reader of the spool ${this.#options.home}/spool ended. It is started again.`
    if (!this.#isOpen) {
      this.#isClosing = true
      return this.#open.reject(new Error(this.#failure))
    }
    this.#replacing = setTimeout(() => {
      this.#replacing = undefined
      this.#window.clear()
      this.#accepted.clear()
      this.#worker = this.#start()
    }, REPLACE_MS)
  }

  #hear(reply: Reply): void {
    switch (reply.type) {
      case 'opened':
        this.#isOpen = true
        this.#failure = undefined
        return this.#open.resolve()
      case 'reports':
        for (const report of reply.reports) this.#window.set(report.id, report)
        return this.#pass()
      case 'problems':
        this.#problems = reply.sentences
    }
  }

  #pass(): void {
    // The listener may call back: taken, or even offer, while it is being offered something.
    if (this.#isOffering || this.#isClosing) return
    this.#isOffering = true
    try {
      for (const [id, report] of this.#window) {
        if (this.#listener === undefined) return
        if (this.#accepted.has(id)) continue
        if (!this.#listener(report)) return this.#passLater()
        if (this.#window.has(id)) this.#accepted.add(id)
      }
    } finally {
      this.#isOffering = false
    }
  }

  #passLater(): void {
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#pass(), RETRY_MS).unref()
  }

  #tellTaken(): void {
    if (this.#taken.length === 0) return
    this.#post({ type: 'taken', ids: this.#taken })
    this.#taken = []
    this.#pass()
  }

  #post(request: Request): void {
    if (!this.#isClosing) this.#worker.postMessage(request)
  }
}

function fullDisk({ home }: WorkerOptions): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(home)
    return bavail * bsize >= ROOM_BYTES ? undefined : `The disk of ${home} is full. ${CANNOT_REPORT}.`
  } catch {
    return undefined
  }
}
