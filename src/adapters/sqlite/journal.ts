/**
 * The journal on SQLite: the daemon's side of the worker thread.
 * Commits are confirmed in the order given. At most IN_WORKER_LIMIT of them are with the worker; later ones wait
 * here for their turn, at most WAITING_LIMIT. The first failure is final: every call that is open or comes later
 * is rejected with the same sentence, and the daemon starts again from what is durable.
 */
import { Worker } from 'node:worker_threads'
import type { Event } from '../../contract/events.ts'
import type { StatusFile } from '../../contract/house-view.ts'
import type { AgentId } from '../../contract/ids.ts'
import type { RibbonsView } from '../../contract/ribbon.ts'
import type { Batch, EventQuery, Journal, Recovered, RibbonQuery } from '../../core/ports.ts'
import { findWorker } from '../process/find-worker.ts'
import type { Reply, Request, WorkerOptions } from './protocol.ts'
import { toRows, type Rows } from './rows.ts'

/** The worker holds little for long; a large young generation would only be memory. */
const SMALL = { maxYoungGenerationSizeMb: 2 }
const IN_WORKER_LIMIT = 1_000
const WAITING_LIMIT = 100_000

export interface JournalOptions extends WorkerOptions {
  /** Told when a published file could not be written. */
  onProblem?: (sentence: string) => void
  workerUrl?: URL
}

/** Rejects with a sentence when the home or the database cannot be used. */
export async function openJournal({ onProblem, workerUrl, ...options }: JournalOptions): Promise<SqliteJournal> {
  const worker = new Worker(workerUrl ?? findWorker(import.meta.url, 'sqlite/journal-worker'), {
    workerData: options,
    resourceLimits: SMALL,
  })
  const journal = new SqliteJournal(worker, onProblem)
  await journal.opened
  return journal
}

interface Promised<T> {
  resolve: (value: T) => void
  reject: (error: Error) => void
}

export class SqliteJournal implements Journal {
  readonly opened: Promise<void>
  #worker: Worker
  #open = Promise.withResolvers<void>()
  #ended = Promise.withResolvers<void>()
  #inWorker: Promised<void>[] = []
  #waiting: { rows: Rows; promised: Promised<void> }[] = []
  #asked = new Map<number, Promised<unknown>>()
  #questions = 0
  #end: Error | undefined
  #closing = false
  #problems = 0
  #trouble: string | undefined
  #onProblem: ((sentence: string) => void) | undefined

  constructor(worker: Worker, onProblem: ((sentence: string) => void) | undefined) {
    this.#worker = worker
    this.#onProblem = onProblem
    this.opened = this.#open.promise
    worker.on('message', (reply: Reply) => this.#hear(reply))
    worker.on('error', (error) => this.#die(error))
    worker.on('exit', () => {
      this.#die(new Error("The journal's worker ended unexpectedly. Start the daemon again."))
      this.#ended.resolve()
    })
  }

  commit(batch: Batch): Promise<void> {
    const { promise, ...promised } = Promise.withResolvers<void>()
    if (this.#waiting.length >= WAITING_LIMIT) {
      this.#die(new Error(`The journal cannot keep up: ${WAITING_LIMIT} commits wait. Start the daemon again.`))
    }
    if (this.#end !== undefined) promised.reject(this.#end)
    else {
      this.#waiting.push({ rows: toRows(batch), promised })
      this.#send(IN_WORKER_LIMIT)
    }
    return promise
  }

  recover(): Promise<Recovered> {
    return this.#ask((id) => ({ type: 'recover', id })) as Promise<Recovered>
  }

  events(query: EventQuery): Promise<readonly Event[]> {
    return this.#ask((id) => ({ type: 'events', id, query })) as Promise<readonly Event[]>
  }

  ribbons(query: RibbonQuery): Promise<RibbonsView> {
    return this.#ask((id) => ({ type: 'ribbons', id, query })) as Promise<RibbonsView>
  }

  publish(status: StatusFile): void {
    if (this.#end === undefined) this.#post({ type: 'publish', status })
  }

  publishCost(agent: AgentId, usd: number | undefined): void {
    if (this.#end === undefined) this.#post({ type: 'cost', agent, usd })
  }

  trouble(): string | undefined {
    return this.#trouble
  }

  /** How often published files could not be written since the journal was opened. */
  problems(): number {
    return this.#problems
  }

  /** What was committed before is still made durable, and published. */
  close(): Promise<void> {
    if (!this.#closing) {
      this.#closing = true
      this.#send(Number.POSITIVE_INFINITY)
      this.#post({ type: 'close' })
      this.#end ??= new Error('The journal is closed.')
    }
    return this.#ended.promise
  }

  #send(limit: number): void {
    while (this.#inWorker.length < limit) {
      const next = this.#waiting.shift()
      if (next === undefined) return
      this.#inWorker.push(next.promised)
      this.#post({ type: 'commit', rows: next.rows })
    }
  }

  #ask(request: (id: number) => Request): Promise<unknown> {
    if (this.#end !== undefined) return Promise.reject(this.#end)
    const { promise, ...promised } = Promise.withResolvers<unknown>()
    this.#questions += 1
    this.#asked.set(this.#questions, promised)
    this.#post(request(this.#questions))
    return promise
  }

  #post(request: Request): void {
    this.#worker.postMessage(request)
  }

  #hear(reply: Reply): void {
    switch (reply.type) {
      case 'opened':
        return this.#open.resolve()
      case 'durable':
        for (const promised of this.#inWorker.splice(0, reply.count)) promised.resolve()
        return this.#send(IN_WORKER_LIMIT)
      case 'answer':
        return this.#take(reply.id)?.resolve(reply.value)
      case 'refused':
        return this.#take(reply.id)?.reject(new Error(reply.sentence))
      case 'problem':
        this.#problems += 1
        this.#trouble = reply.sentence
        return this.#onProblem?.(reply.sentence)
      case 'well':
        this.#trouble = undefined
        return
      case 'dead':
        return this.#die(new Error(reply.sentence))
    }
  }

  #take(id: number): Promised<unknown> | undefined {
    const promised = this.#asked.get(id)
    this.#asked.delete(id)
    return promised
  }

  #die(error: Error): void {
    this.#end ??= error
    this.#open.reject(error)
    const unconfirmed = [...this.#inWorker, ...this.#waiting.map(({ promised }) => promised), ...this.#asked.values()]
    this.#inWorker = []
    this.#waiting = []
    this.#asked.clear()
    for (const promised of unconfirmed) promised.reject(error)
  }
}
