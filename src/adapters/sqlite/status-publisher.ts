/** Writes status.json into the home: the newest word on the house, at most once in ROUND_MS; what fails is tried again. */
import { join } from 'node:path'
import type { StatusFile } from '../../contract/house-view.ts'
import type { PublisherOptions } from './publisher.ts'
import { reasonOf } from './reason.ts'
import { replaceFile } from './replace-file.ts'

const ROUND_MS = 100
const RETRY_MS = 5_000

export class StatusPublisher {
  readonly #options: PublisherOptions
  readonly #path: string
  #pending: StatusFile | undefined
  #isScheduled = false
  #isReported = false

  constructor(options: PublisherOptions) {
    this.#options = options
    this.#path = join(options.home, 'status.json')
  }

  offer(status: StatusFile): void {
    this.#pending = status
    this.#schedule(ROUND_MS)
  }

  /** What is not yet written, now. */
  flush(): void {
    const status = this.#pending
    if (status === undefined) return
    try {
      replaceFile(this.#path, `${JSON.stringify(status, undefined, 2)}\n`)
      this.#pending = undefined
      if (this.#isReported) this.#options.well?.()
      this.#isReported = false
    } catch (error) {
      this.#fail(error)
    }
  }

  #schedule(ms: number): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    this.#options.later(() => {
      this.#isScheduled = false
      this.flush()
    }, ms)
  }

  #fail(error: unknown): void {
    this.#schedule(RETRY_MS)
    if (this.#isReported) return
    this.#isReported = true
    this.#options.report(
      `Could not publish ${this.#path}: ${reasonOf(error)}. The journal is not affected; the file follows when it can be written.`,
    )
  }
}
