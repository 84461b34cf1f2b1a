/**
 * What sessions used, by model, subagents included, for the daemon. Everything is read in a thread of its own, from
 * where the last look stopped; a message that a fork repeats counts for the session that was looked at first. A thread
 * that fails is replaced at the next question and reads anew.
 */
import { Worker } from 'node:worker_threads'
import { findWorker } from '../process/find-worker.ts'
import type { SessionsUse } from '../../core/costs/price.ts'
import type { ReaderOptions } from './transcripts/usage-reader.ts'

export interface Question {
  id: number
  sessions: readonly string[]
}

export type Answer = { id: number; used: SessionsUse } | { id: number; failure: string }

/** Everything it keeps is numbers; a large young generation would only be memory. */
const SMALL = { maxYoungGenerationSizeMb: 4 }

/** Longer than any index takes to be written. */
const CLOSE_MS = 5000

export class Transcripts {
  readonly #options: ReaderOptions
  readonly #url: URL
  readonly #waiting = new Map<number, { sessions: readonly string[]; reply: PromiseWithResolvers<SessionsUse> }>()
  #worker: Worker | undefined
  #last = 0

  constructor(options: ReaderOptions, workerUrl = findWorker(import.meta.url, 'claude-code/transcript-worker')) {
    this.#options = options
    this.#url = workerUrl
  }

  /** Of all these sessions together, found by their ids in the client's folder of projects. */
  usageOf(sessions: readonly string[]): Promise<SessionsUse> {
    const id = (this.#last += 1)
    const reply = Promise.withResolvers<SessionsUse>()
    this.#waiting.set(id, { sessions, reply })
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage({ id, sessions } satisfies Question)
    return reply.promise
  }

  /** What was read is kept in the index first. */
  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    if (worker !== undefined) {
      const ended = new Promise((resolve) => worker.once('exit', resolve))
      worker.ref()
      worker.postMessage('close')
      const tooLong = setTimeout(() => void worker.terminate(), CLOSE_MS)
      await ended
      clearTimeout(tooLong)
    }
    this.#fail('it was closed')
  }

  #start(): Worker {
    const worker = new Worker(this.#url, { resourceLimits: SMALL, workerData: this.#options })
    worker.on('message', (answer: Answer) => this.#hear(answer))
    const ended = (why: string) => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#fail(why)
    }
    worker.on('error', (error: Error) => ended(error.message))
    worker.on('exit', () => ended('its thread ended'))
    return worker
  }

  #hear(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    // A thread that nobody waits for does not keep the process alive.
    if (this.#waiting.size === 0) this.#worker?.unref()
    if ('used' in answer) waiting?.reply.resolve(answer.used)
    else waiting?.reply.reject(unread(waiting.sessions, answer.failure))
  }

  #fail(why: string): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { sessions, reply } of waiting) reply.reject(unread(sessions, why))
  }
}

function unread(sessions: readonly string[], why: string): Error {
  return new Error(`Could not read the transcripts of ${sessions.join(', ')}: ${why}. It is tried again when asked.`)
}
