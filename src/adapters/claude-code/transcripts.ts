/**
 * Sessions as their transcripts tell them, for the daemon: what was used by model, subagents included, and what the
 * end of the file says. Everything is read in a thread of its own, from where the last look stopped; a message that
 * a fork repeats counts for the session that was looked at first. A thread that fails is replaced at the next look
 * and reads anew.
 */
import { Worker } from 'node:worker_threads'
import { findWorker } from '../process/find-worker.ts'
import type { Figures } from './transcripts/finding.ts'
import type { Tail } from './transcripts/tail.ts'

export interface SessionView {
  tail: Tail
  /** Models of which nothing was used are left out. */
  models: Record<string, Figures>
  subagents: number
}

export interface LookRequest {
  id: number
  transcript: string
}

export type LookReply = { id: number; view: SessionView } | { id: number; failure: string }

/** Everything it keeps is numbers; a large young generation would only be memory. */
const SMALL = { maxYoungGenerationSizeMb: 4 }

export class Transcripts {
  readonly #url: URL
  readonly #waiting = new Map<number, { transcript: string; reply: PromiseWithResolvers<SessionView> }>()
  #worker: Worker | undefined
  #last = 0

  constructor(workerUrl = findWorker(import.meta.url, 'claude-code/transcript-worker')) {
    this.#url = workerUrl
  }

  /** Of a session whose file does not exist yet, nothing is known and nothing was used. */
  look(transcript: string): Promise<SessionView> {
    const id = (this.#last += 1)
    const reply = Promise.withResolvers<SessionView>()
    this.#waiting.set(id, { transcript, reply })
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#worker.postMessage({ id, transcript } satisfies LookRequest)
    return reply.promise
  }

  async close(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    await worker?.terminate()
    this.#fail('it was closed')
  }

  #start(): Worker {
    const worker = new Worker(this.#url, { resourceLimits: SMALL })
    worker.on('message', (reply: LookReply) => this.#hear(reply))
    const ended = (why: string) => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#fail(why)
    }
    worker.on('error', (error: Error) => ended(error.message))
    worker.on('exit', () => ended('its thread ended'))
    return worker
  }

  #hear(reply: LookReply): void {
    const waiting = this.#waiting.get(reply.id)
    this.#waiting.delete(reply.id)
    // A thread that nobody waits for does not keep the process alive.
    if (this.#waiting.size === 0) this.#worker?.unref()
    if ('view' in reply) waiting?.reply.resolve(reply.view)
    else waiting?.reply.reject(unread(waiting.transcript, reply.failure))
  }

  #fail(why: string): void {
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { transcript, reply } of waiting) reply.reject(unread(transcript, why))
  }
}

function unread(transcript: string, why: string): Error {
  return new Error(`Could not read the transcript ${transcript}: ${why}. It is tried again at the next look.`)
}
